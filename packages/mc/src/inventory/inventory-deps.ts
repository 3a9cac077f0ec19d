import type { Access, CredentialPool, Kubeconfig, Transport } from '@flotilla/client';
import type { ClusterMappingEntry } from '../fleet/cluster.ts';
import type { Io } from '../io.ts';
import type { Paths, Session } from '../session.ts';
import type { Settings } from '../settings/settings.ts';

/** What looking up clusters needs; the session has it all. */
export interface InventoryDeps extends Pick<Session, 'note' | 'warn'> {
  readonly io: Pick<Io, 'env' | 'homeFolder' | 'cwd' | 'clock' | 'random' | 'signal'>;
  readonly settings: Settings;
  readonly paths: Pick<Paths, 'cache'>;
  /** The user's own, as `--kubeconfig` or the environment says. */
  readonly kubeconfig: () => Promise<Kubeconfig>;
  /** Runs the credential commands of hub contexts; the one of members, which may have the same. */
  readonly credentials: { readonly pool: CredentialPool };
  readonly mapping: () => Promise<MappedClusters>;
  /** Carries requests to a hub, or to a member that is asked who it is; disposed of by whoever asked. */
  readonly connect: (access: Access) => Promise<Transport>;
}

/** What the mapping file says, as far as the inventory asks. */
export interface MappedClusters {
  readonly hubContext?: string | undefined;
  readonly clusters: readonly ClusterMappingEntry[];
}
