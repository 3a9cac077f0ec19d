import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Access } from '@flotilla/client';
import { toYaml } from '@flotilla/machinery';

/** A home folder whose kubeconfig leads to members of a test. */
export interface RawHome extends Disposable {
  readonly homeFolder: string;
}

/** Writes a kubeconfig with a context for each access, as a user with a token; `--inventory kubeconfig` finds them all. */
export function writeRawHome(
  members: Readonly<Record<string, Pick<Access, 'server' | 'tls'>>>,
): RawHome {
  const homeFolder = mkdtempSync(join(tmpdir(), 'flotilla-mc-'));
  const names = Object.keys(members);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': names[0] ?? '',
    clusters: Object.entries(members).map(([name, { server, tls }]) => ({
      name,
      cluster: {
        server,
        ...(tls.ca === undefined
          ? {}
          : { 'certificate-authority-data': Buffer.from(tls.ca).toString('base64') }),
      },
    })),
    users: [{ name: 'tester', user: { token: 's3cr3t-t0ken' } }],
    contexts: names.map((name) => ({ name, context: { cluster: name, user: 'tester' } })),
  };
  mkdirSync(join(homeFolder, '.kube'));
  writeFileSync(join(homeFolder, '.kube', 'config'), toYaml(config), { mode: 0o600 });
  return {
    homeFolder,
    [Symbol.dispose]: () => rmSync(homeFolder, { recursive: true, force: true }),
  };
}
