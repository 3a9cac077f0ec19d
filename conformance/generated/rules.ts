import type { Difference } from '../compare.ts';

/** Differences that are meant, wherever chance finds them. */
export interface Rule {
  readonly reason: string;
  readonly explains: (difference: Difference) => boolean;
}

/** The rules; what none of them explains is a bug of ours. */
export const RULES: readonly Rule[] = [];
