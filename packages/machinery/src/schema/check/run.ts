import type { FieldError } from '../../field-error.ts';
import { formatFieldError, invalid } from '../../field-errors.ts';
import { child } from '../../field-path.ts';
import type { Correlation } from '../correlation.ts';

/**
 * One validation of one value. Match counts are upstream's: of several schemas that all fail (anyOf, oneOf), the one
 * with most matches gives the errors.
 */
export interface Run {
  /** Path of the value that is validated; paths inside of it, which messages show, begin at ''. */
  readonly prefix: string;
  readonly errors: FieldError[];
  failures: number;
  matches: number;
  /** True to count failures without describing them. */
  isQuiet: boolean;
  /** The value that is looked at beside the one it replaces, where known. */
  pair: Correlation | undefined;
}

/** Validates a value; `path` is relative to the run's prefix. */
export type Check = (value: unknown, path: string, run: Run) => void;

/** Starts a run. */
export function newRun(prefix: string, pair?: Correlation): Run {
  return { prefix, errors: [], failures: 0, matches: 0, isQuiet: false, pair };
}

/** Notes a failure; its text is only made when someone will read it. */
export function fail(run: Run, describe: () => FieldError): void {
  run.failures++;
  if (!run.isQuiet) run.errors.push(describe());
}

/** A failure of a schema as a whole: upstream loses the field and keeps it in the text. */
export function failWhole(run: Run, describe: () => string): void {
  fail(run, () => invalid(run.prefix, '', describe()));
}

/** The path of the field an error is about. */
export function fieldOf(run: Run, path: string): string {
  const below = path.startsWith('.') ? path.slice(1) : path;
  if (below === '') return run.prefix;
  return run.prefix === '' ? below : child(run.prefix, below);
}

/**
 * Checks a part of the value, and forgets its failures when it is what it was before: an update is not refused for
 * what it does not touch.
 */
export function checkPart(
  check: Check,
  part: { readonly value: unknown; readonly path: string; readonly pair: Correlation | undefined },
  run: Run,
): void {
  const { errors, failures, pair } = run;
  const described = errors.length;
  run.pair = part.pair;
  check(part.value, part.path, run);
  run.pair = pair;
  if (run.failures > failures && part.pair?.equal() === true) {
    run.failures = failures;
    errors.length = described;
  }
}

/** The errors of a run, each text once. */
export function errorsOf({ errors }: Run): FieldError[] {
  if (errors.length < 2) return errors;
  return [...new Map(errors.map((error) => [formatFieldError(error), error])).values()];
}
