import type { Json } from '@flotilla/machinery';
import { isFailure } from '../../fan-out/is-failure.ts';
import type { Outcome } from '../../fan-out/outcome.ts';

/** The end of an envelope: how many clusters there were, how they fared, and why some did not. */
export function summaryOf(outcomes: readonly Outcome<unknown>[], requireAll: boolean): Json {
  const failed = outcomes.filter(
    ({ status }) => isFailure(status, requireAll) || status === 'cancelled',
  );
  const count = (...statuses: string[]) =>
    outcomes.filter(({ status }) => statuses.includes(status)).length;
  const absent = requireAll ? 0 : count('absent');
  const skipped = count('skipped');
  const errors = failed.map(({ cluster, failure, status }) => [
    cluster.name,
    failure?.message ?? status,
  ]);
  return {
    total: outcomes.length,
    successful: count('ok', 'empty'),
    failed: failed.length,
    ...(absent === 0 ? {} : { absent }),
    ...(skipped === 0 ? {} : { skipped }),
    ...(errors.length === 0 ? {} : { errors: Object.fromEntries(errors) as Json }),
  };
}
