/** Ends an evaluation whose work is out of proportion to its cost. */
export class WorkExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/**
 * Some operations are cheap by cel-go's numbers and yet walk over all their data: comparing two
 * objects costs one, whatever their size. This meter bounds such work, so that no rule can hold up
 * the process however it is written. Evaluation is synchronous, so one meter is enough.
 */
const meter = { left: Number.POSITIVE_INFINITY };

/** A fraction of a second, whatever the units are spent on. */
const WORK_LIMIT = 1_000_000;

/** Notes work that the cost does not reflect. */
export function spend(units: number): void {
  meter.left -= units;
  if (meter.left < 0) throw new WorkExceeded();
}

/** Runs an evaluation with a bound on its work; one within another shares its bound. */
export function withWorkLimit<T>(run: () => T): T {
  const outer = meter.left;
  if (outer === Number.POSITIVE_INFINITY) meter.left = WORK_LIMIT;
  try {
    return run();
  } finally {
    if (outer === Number.POSITIVE_INFINITY) meter.left = outer;
  }
}
