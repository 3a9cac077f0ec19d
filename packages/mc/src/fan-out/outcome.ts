import type { FleetCluster } from '../fleet/cluster.ts';
import type { Route } from '../fleet/route.ts';

/** How asking one cluster ended. */
export type OutcomeStatus =
  | 'ok'
  | 'empty'
  | 'absent'
  | 'forbidden'
  | 'unauthorized'
  | 'unreachable'
  | 'timeout'
  | 'tls'
  | 'noaccess'
  | 'untrusted'
  | 'skipped'
  | 'cancelled'
  | 'error';

/** Why a cluster gave no answer, for people and for the envelope. */
export interface Failure {
  /** The server's reason (`Forbidden`), or a word of ours. */
  readonly reason: string;
  readonly code?: number | undefined;
  /** One line, safe for terminals. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string | undefined;
}

/** What one cluster answered, or why it did not. */
export interface Outcome<T> {
  readonly cluster: FleetCluster;
  readonly status: OutcomeStatus;
  /** There for `ok` and `empty`, and for what had come before a failure in streams. */
  readonly value?: T | undefined;
  readonly failure?: Failure | undefined;
  readonly route?: Route | undefined;
  readonly elapsedMs: number;
}
