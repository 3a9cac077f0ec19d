import type { Difference } from '../compare.ts';

/** Differences that are meant, wherever chance finds them. */
export interface Rule {
  readonly reason: string;
  readonly explains: (difference: Difference) => boolean;
}

/** The rules; what none of them explains is a bug of ours. */
export const RULES: readonly Rule[] = [
  {
    reason:
      'a patch of the status of a Service that is not there creates none here; it does upstream',
    explains: ({ step, path, got }) =>
      /^PATCH \S+\/services\/[^/?]+\/status/.test(step) &&
      path.at(-1) === 'code' &&
      /^404 services "[^"]*" not found$/.test(String(got)),
  },
];
