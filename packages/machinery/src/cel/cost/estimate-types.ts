/** The least and the most; both within an unsigned 64-bit integer, where the top means unbounded. */
export interface CostRange {
  readonly min: bigint;
  readonly max: bigint;
}

/**
 * Tells how large the data at a path can be. The first element is a variable, the others are field
 * names, `@items`, `@keys` and `@values`.
 */
export type SizeEstimator = (path: readonly string[]) => CostRange | undefined;
