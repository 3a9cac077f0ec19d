import type { Client } from '@flotilla/client';

/** What the engine needs of a client, of the hub and of the member alike. */
export type OcmClient = Pick<
  Client,
  'get' | 'list' | 'create' | 'patch' | 'replace' | 'apply' | 'delete' | 'raw'
>;

/** A member to be joined through Open Cluster Management. */
export interface OcmWanted {
  /** Name of its ManagedCluster. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The registration that wants it. */
  readonly owner: { readonly namespace: string; readonly name: string; readonly uid: string };
  /** Whether a ManagedCluster that is accepted already and belongs to nobody may be taken over. @default false */
  readonly adopts?: boolean;
  /** True takes the address of kube-public/cluster-info, false `hubAddress`. */
  readonly inClusterBootstrap: boolean;
  /** The hub as this controller reaches it; without a CA, agents trust the public authorities. */
  readonly hubAddress: { readonly server: string; readonly ca: string | undefined };
  readonly now: () => Date;
}

/** Where joining stands, in the words of the condition ClusterRegistered. */
export interface OcmProgress {
  /** The first one is True, the others False. */
  readonly reason:
    | 'ManagedClusterAccepted'
    | 'AwaitingAcceptance'
    | 'HubNotReady'
    | 'EngineNotSupported'
    | 'NameConflict'
    | 'NotAdoptable'
    | 'WriteFailed';
  readonly message: string;
  /** What the hub's lease says of the member; undefined while it has not joined. */
  readonly isAvailable: boolean | undefined;
  /** When to look again; undefined where the heartbeat is soon enough. */
  readonly retryAfterMs: number | undefined;
}
