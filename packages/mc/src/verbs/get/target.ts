import type { Glob } from '../../selection/glob.ts';

/** One thing that arguments or files ask for. */
export interface Target {
  /** The cluster it was asked of (`c1:pod/x`); undefined means all. */
  readonly cluster?: string | undefined;
  /** As it was typed: `po`, `deploy.apps`, `all`; of files `Deployment.v1.apps`. */
  readonly type: string;
  /** Undefined asks for all there are. */
  readonly name?: string | undefined;
  /** The name as a glob; then `name` is its text. */
  readonly glob?: Glob | undefined;
  /** Of a file; otherwise that of the request. */
  readonly namespace?: string | undefined;
  /** Things of one type that stand next to each other are one table. */
  readonly segment: number;
}
