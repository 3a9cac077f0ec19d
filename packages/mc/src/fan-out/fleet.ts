import type { FleetCluster } from '../fleet/cluster.ts';
import type { Routing } from '../fleet/route.ts';
import type { Outcome } from './outcome.ts';

/** The clusters of one run, in the order of their names, each with its way. */
export interface Fleet {
  readonly clusters: readonly RoutedCluster[];
}

/** A cluster and how it is reached. */
export interface RoutedCluster {
  readonly cluster: FleetCluster;
  readonly routing: Routing;
  /** Named literally in `--clusters` or by an argument: having no route is then a failure. */
  readonly isNamed: boolean;
}

/** How a fleet is asked. */
export interface FanOutOptions<T> {
  /** Told of each outcome as it is there, in the order they end. */
  readonly onOutcome?: ((outcome: Outcome<T>) => void) | undefined;
  /** Instead of the settings' time limit of a cluster; `none` for watches and follows, which also have no deadline. */
  readonly timeoutMs?: number | 'none' | undefined;
  /** Instead of the settings' concurrency; `all` for watches and follows. */
  readonly concurrency?: number | 'all' | undefined;
  /** True when a value has nothing to show: its outcome is `empty`. */
  readonly isEmpty?: ((value: T) => boolean) | undefined;
  /** What is under way is finished when another cluster fails under `--fail-fast`. @default false */
  readonly isWrite?: boolean | undefined;
}
