import { durationToMs, ParseError, parseDuration } from '@flotilla/machinery';
import type { Flags } from '../flags/flag.ts';
import { UsageError } from '../usage-error.ts';
import type { KubectlFlags } from './settings.ts';

/** The flags that are kubectl's own; an empty value is none, as there. */
export function kubectlFlagsOf(flags: Flags): KubectlFlags {
  return {
    kubeconfig: flags.text('kubeconfig') || undefined,
    context: flags.text('context') || undefined,
    namespaces: flags.texts('namespace').filter((each) => each !== ''),
    as: flags.text('as') || undefined,
    asGroups: flags.texts('as-group'),
    asUid: flags.text('as-uid') || undefined,
    token: flags.text('token') || undefined,
    requestTimeoutMs: requestTimeoutOf(flags.text('request-timeout')),
    insecureSkipTlsVerify: flags.bool('insecure-skip-tls-verify'),
    tlsServerName: flags.text('tls-server-name') || undefined,
    proxyUrl: flags.text('proxy-url') || undefined,
    cacheDir: flags.text('cache-dir') || undefined,
  };
}

/** kubectl reads a bare number as seconds here, and only here. */
function requestTimeoutOf(typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined;
  let ms: number;
  try {
    ms = /^[+-]?\d+$/.test(typed) ? Number(typed) * 1000 : durationToMs(parseDuration(typed));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UsageError(
      'Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)',
    );
  }
  return ms > 0 ? ms : undefined;
}
