import { join } from 'node:path';
import {
  type Credential,
  type CredentialPool,
  createCredentialPool,
  type ExecPlugin,
} from '@flotilla/client';
import type { Session } from '../../session.ts';
import { createCredentialCache } from './credential-cache.ts';
import { pluginCredential } from './plugin-credential.ts';
import type { RunPlugin } from './plugin-runner.ts';

/** The credential commands of one run: equal ones run once, and what they print is kept for all who need it. */
export interface Credentials {
  /** For contexts of kubeconfigs. */
  readonly pool: CredentialPool;
  readonly ofPlugin: (plugin: ExecPlugin) => Credential;
}

/** What running commands needs. */
export type CredentialsDeps = Pick<Session, 'io' | 'settings' | 'paths' | 'note'>;

/** Says how deep we are in commands that run kubectl-mc that runs commands. */
export const DEPTH_VARIABLE = 'KUBECTL_MC_CREDENTIAL_DEPTH';

/** Starts with nothing run and nothing known. Use one for a whole run. */
export function createCredentials(deps: CredentialsDeps): Credentials {
  const { io, settings, paths } = deps;
  const shared = createCredentialPool();
  const cache = settings.access.diskCache
    ? createCredentialCache({
        folder: join(paths.cache, 'credentials'),
        env: io.env,
        now: io.clock.now,
      })
    : undefined;
  let runner: Promise<RunPlugin> | undefined;
  const run: RunPlugin = async (plugin, signal) => {
    runner ??= import('./plugin-runner.ts').then(({ pluginRunner }) => pluginRunner(deps));
    return await (await runner)(plugin, signal);
  };
  const ofPlugin = (plugin: ExecPlugin): Credential =>
    shared.share(plugin, () => pluginCredential(plugin, { clock: io.clock, run, cache }));
  return {
    // The client shares nothing but plugins; its own way of running them has no cache on disk.
    pool: { share: (recipe) => ofPlugin(recipe as ExecPlugin) },
    ofPlugin,
  };
}
