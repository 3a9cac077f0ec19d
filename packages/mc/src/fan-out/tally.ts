import { isFailure } from './is-failure.ts';
import type { Outcome } from './outcome.ts';

/** Outcomes by what they mean for the run. */
export interface Tally {
  /** Answered, if only with nothing. */
  readonly ok: readonly Outcome<unknown>[];
  /** Answered that it does not have what was asked for. */
  readonly absent: readonly Outcome<unknown>[];
  readonly failed: readonly Outcome<unknown>[];
  readonly cancelled: readonly Outcome<unknown>[];
  /** Not asked, because nobody said how, or because it is known to be ill. */
  readonly skipped: readonly Outcome<unknown>[];
  /** Those that were to be asked. */
  readonly asked: number;
}

/** Sorts outcomes. */
export function tallyOf(outcomes: readonly Outcome<unknown>[], requireAll: boolean): Tally {
  const ok: Outcome<unknown>[] = [];
  const absent: Outcome<unknown>[] = [];
  const failed: Outcome<unknown>[] = [];
  const cancelled: Outcome<unknown>[] = [];
  const skipped: Outcome<unknown>[] = [];
  // What nobody has is not missing here or there.
  const mustHave =
    requireAll && outcomes.some(({ status }) => status === 'ok' || status === 'empty');
  for (const outcome of outcomes) {
    const { status } = outcome;
    if (isFailure(status, mustHave)) failed.push(outcome);
    else if (status === 'absent') absent.push(outcome);
    else if (status === 'cancelled') cancelled.push(outcome);
    else if (status === 'skipped') skipped.push(outcome);
    else ok.push(outcome);
  }
  return { ok, absent, failed, cancelled, skipped, asked: outcomes.length - skipped.length };
}
