import type { Kubeconfig } from '@flotilla/client';
import type { RoutingDeps } from '../../access/routing-deps.ts';
import type { FleetCluster } from '../../fleet/cluster.ts';
import type { Session } from '../../session.ts';
import type { ProviderName, TemplateName } from './providers/provider.ts';
import type { Verification } from './verify-clusters.ts';

/** What was asked for. */
export interface SetupChoices {
  readonly provider: 'auto' | 'none' | ProviderName;
  /** Whether there is somebody who can answer. */
  readonly mayAsk: boolean;
  readonly isDryRun: boolean;
  readonly isVerifying: boolean;
  readonly templates: Readonly<Record<TemplateName, readonly string[]>>;
  /** Becomes the mapping's hubContext where it has none: the hub that was named on the command line. */
  readonly hubContext: string | undefined;
}

/** One setup: what its steps share. */
export interface SetupRun {
  readonly session: Session;
  readonly choices: SetupChoices;
  /** For finding ways; its kubeconfig is the one of now. */
  readonly routing: RoutingDeps;
  /** Reads the user's kubeconfig anew, after something was added to it. */
  readonly reload: () => Promise<Kubeconfig>;
  /** What became of clusters, by name. */
  readonly results: Map<string, SetupResult>;
  /** Tells a line on stderr. */
  readonly say: (line: string) => void;
}

/** A cluster that has no context yet. */
export interface OpenCluster {
  readonly cluster: FleetCluster;
  /** Why the one that it has does not count. */
  readonly problem?: string | undefined;
}

/** What became of a cluster. */
export interface SetupResult {
  /**
   * `kept`: as it was. `mapped`: to a context, now. `reachable`: without one. `skipped`: the user does not want it.
   * `unmapped`: nothing was found. In a dry run, what would be.
   */
  readonly state: 'kept' | 'mapped' | 'reachable' | 'skipped' | 'unmapped';
  readonly context?: string | undefined;
  readonly detail: string;
  readonly verification?: Verification | undefined;
}
