import type { Target } from '../get/target.ts';

/** What a `logs` asks every cluster for. */
export interface LogPlan {
  /** Empty with a selector. */
  readonly targets: readonly Target[];
  /** Clusters that arguments name; undefined when flags choose. */
  readonly clusters: readonly string[] | undefined;
  readonly labelSelector?: string | undefined;
  readonly allNamespaces: boolean;
  /** `-n`; empty means each cluster's own. */
  readonly namespaces: readonly string[];
  readonly container?: string | undefined;
  readonly allContainers: boolean;
  /** Of a workload, instead of the one that says the most. */
  readonly allPods: boolean;
  readonly isFollowed: boolean;
  readonly window: LogWindow;
  readonly isPrevious: boolean;
  readonly skipsBackendTls: boolean;
  readonly limitBytes?: number | undefined;
  readonly hasTimestamps: boolean;
  /** Undefined leaves it to how many logs there may be. */
  readonly hasPrefix?: boolean | undefined;
  readonly isJson: boolean;
  readonly isMerged: boolean;
  readonly ignoreErrors: boolean;
  readonly maxPerCluster: number;
  readonly maxTotal: number;
  readonly podTimeoutMs: number;
}

/** Where a log begins. */
export interface LogWindow {
  /** Undefined for all. */
  readonly tailLines?: number | undefined;
  readonly sinceSeconds?: number | undefined;
  /** RFC 3339. */
  readonly sinceTime?: string | undefined;
}

/** Whether pods are searched for, so that others may be found later. */
export function isSearch({ labelSelector, targets, allPods }: LogPlan): boolean {
  return labelSelector !== undefined || allPods || targets.some(({ glob }) => glob !== undefined);
}

/** Whether a cluster may have more than one log of what is asked for. */
export function mayBeSeveral(plan: LogPlan): boolean {
  const { allContainers, targets, namespaces } = plan;
  return isSearch(plan) || allContainers || targets.length > 1 || namespaces.length > 1;
}
