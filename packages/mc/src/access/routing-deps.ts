import type { Access } from '@flotilla/client';
import type { FleetCluster } from '../fleet/cluster.ts';
import type { Session } from '../session.ts';
import type { Credentials } from './credentials/create-credentials.ts';

/** What finding routes needs: most of a session, and the way to the hub for those who go through it. */
export interface RoutingDeps
  extends Pick<Session, 'io' | 'settings' | 'paths' | 'note' | 'warn' | 'kubeconfig'> {
  /** One for the whole run. */
  readonly credentials: Credentials;
  /** The hub that a cluster is known from, as the user. */
  readonly hub: (cluster: FleetCluster) => Promise<Access>;
  /** False where nobody must be asked anything, as in completion. @default whether both ends are a terminal */
  readonly mayAsk?: boolean | undefined;
}
