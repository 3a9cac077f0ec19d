import type { OcmProgress } from './types.ts';

/** How long until something that a person has to do may have been done. */
export const PERSON_MS = 60_000;

/** How long until a program may have done the next step. */
export const PROGRAM_MS = 10_000;

/** Why a member cannot be joined further now, in the words of the condition ClusterRegistered. */
export class OcmProblem extends Error {
  readonly reason: OcmProgress['reason'];
  readonly retryAfterMs: number;

  constructor(reason: OcmProgress['reason'], message: string, retryAfterMs: number = PERSON_MS) {
    super(message);
    this.name = 'OcmProblem';
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}
