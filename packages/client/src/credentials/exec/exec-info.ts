import { encodeJson } from '@flotilla/machinery';
import type { ExecPlugin } from './exec-plugin.ts';

/** What a plugin is told in KUBERNETES_EXEC_INFO, letter by letter as kubectl writes it. */
export function execInfo({ apiVersion, cluster }: ExecPlugin, isInteractive: boolean): string {
  const info = {
    kind: 'ExecCredential',
    apiVersion,
    spec: { ...(cluster === undefined ? {} : { cluster }), interactive: isInteractive },
  };
  // Go's encoder ends a document with a new line.
  return `${encodeJson(info)}\n`;
}
