import { CredentialError } from '@flotilla/client';
import { AccessError } from '../../access/access-error.ts';
import { DEPTH_VARIABLE } from '../../access/credentials/create-credentials.ts';
import { pluginErrorOf } from '../../access/credentials/plugin-error.ts';
import { type ExecStatus, execStatus } from '../../access/delegation/exec-answer.ts';
import type { Route } from '../../fleet/route.ts';
import { openFleet } from '../../open-fleet.ts';
import type { Session } from '../../session.ts';

/** A kubeconfig that leads to us, whose own way leads to another such kubeconfig, is fine; round in a circle is not. */
const DEEPEST = 3;

/**
 * The credential for a cluster, which is found as every verb finds it. Nobody is asked anything: whoever runs plugins may
 * have a screen full of its own. Throws AccessError.
 */
export async function findCredential(name: string, session: Session): Promise<ExecStatus> {
  const { io } = session;
  if ((Number(io.env[DEPTH_VARIABLE]) || 0) >= DEEPEST) {
    throw new AccessError('its kubeconfig leads back to kubectl-mc credential');
  }
  const { credential } = await (await routeTo(name, session)).open();
  try {
    return execStatus(await credential.present(io.signal));
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    throw new AccessError(error.message, { hint: pluginErrorOf(error)?.hint, cause: error });
  }
}

async function routeTo(name: string, session: Session): Promise<Route> {
  const silent = { ...session.io, ask: async () => await Promise.resolve(undefined) };
  const finder = openFleet({ ...session, io: silent });
  const { clusters } = await finder.choose(await finder.inventory(), [name]);
  const [only, ...others] = clusters;
  if (only === undefined || others.length > 0) {
    throw new AccessError('that is not the name of one cluster');
  }
  const { routing } = only;
  if ('route' in routing) return routing.route;
  const { message, hint, status } = routing.none;
  throw new AccessError(message, { hint, status: status === 'untrusted' ? status : 'noaccess' });
}
