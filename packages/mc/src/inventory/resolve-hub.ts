import { type Access, type Kubeconfig, KubeconfigError, resolveAccess } from '@flotilla/client';
import { UsageError } from '../usage-error.ts';
import type { InventoryDeps } from './inventory-deps.ts';

/** The way to a hub. What the flags say of credentials is for members: the hub gets its context's own. */
export async function resolveHub(
  context: string,
  kubeconfig: Kubeconfig,
  { io, warn, credentials }: InventoryDeps,
): Promise<Access> {
  try {
    return await resolveAccess(kubeconfig, {
      context: context === '' ? undefined : context,
      env: io.env,
      clock: io.clock,
      pool: credentials.pool,
      warn,
    });
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    if (!error.isEmpty) {
      throw new UsageError(`Cannot use hub context "${context}": ${error.message}`);
    }
    throw new UsageError(
      'Cannot find the hub: your kubeconfig has no current context\n' +
        'Name one with --hub-context, or take the contexts of your kubeconfig for clusters with --inventory kubeconfig.',
    );
  }
}
