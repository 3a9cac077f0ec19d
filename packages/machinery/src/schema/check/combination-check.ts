import { goQuote } from '../../go/quote.ts';
import { type Check, failWhole, type Run } from './run.ts';

/** The checks of anyOf, oneOf, allOf and not. */
export interface Combination {
  readonly anyOf: readonly Check[];
  readonly oneOf: readonly Check[];
  readonly allOf: readonly Check[];
  readonly not: Check | undefined;
}

/** How a value fared with one of several schemas. */
interface Trial {
  readonly check: Check;
  readonly isValid: boolean;
  readonly matches: number;
}

/** Checks combinations of schemas; undefined when there are none. What fails in them is never forgotten on updates. */
export function combinationCheck(combination: Combination): Check | undefined {
  const { anyOf, oneOf, allOf, not } = combination;
  if (anyOf.length + oneOf.length + allOf.length === 0 && not === undefined) return undefined;
  return (value, path, run) => {
    const { pair } = run;
    run.pair = undefined;
    if (anyOf.length > 0) checkAnyOf(anyOf, { value, path }, run);
    if (oneOf.length > 0) checkOneOf(oneOf, { value, path }, run);
    if (allOf.length > 0) checkAllOf(allOf, { value, path }, run);
    if (not !== undefined && tryOut(not, { value, path }, run).isValid) {
      failWhole(run, () => `${goQuote(path)} must not validate the schema (not)`);
    }
    run.pair = pair;
  };
}

interface Subject {
  readonly value: unknown;
  readonly path: string;
}

function checkAnyOf(checks: readonly Check[], subject: Subject, run: Run): void {
  let best: Trial | undefined;
  for (const check of checks) {
    const trial = tryOut(check, subject, run);
    if (trial.isValid) {
      run.matches += trial.matches;
      return;
    }
    if (best === undefined || trial.matches > best.matches) best = trial;
  }
  const { path } = subject;
  failWhole(run, () => `${goQuote(path)} must validate at least one schema (anyOf)`);
  explain(best, subject, run);
}

function checkOneOf(checks: readonly Check[], subject: Subject, run: Run): void {
  let best: Trial | undefined;
  let first: Trial | undefined;
  let valid = 0;
  for (const check of checks) {
    const trial = tryOut(check, subject, run);
    if (trial.isValid) {
      valid++;
      first ??= trial;
    } else if (best === undefined || trial.matches > best.matches) {
      best = trial;
    }
  }
  if (valid === 1) {
    run.matches += first?.matches ?? 0;
    return;
  }
  const { path } = subject;
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  failWhole(run, () => `${goQuote(path)} must validate one and only one schema (oneOf). ${found}`);
  if (valid === 0) explain(best, subject, run);
}

function checkAllOf(checks: readonly Check[], { value, path }: Subject, run: Run): void {
  let valid = 0;
  for (const check of checks) {
    const before = run.failures;
    check(value, path, run);
    if (run.failures === before) valid++;
  }
  if (valid === checks.length) return;
  const none = valid === 0 ? '. None validated' : '';
  failWhole(run, () => `${goQuote(path)} must validate all the schemas (allOf)${none}`);
}

/** Adds the failures of the alternative that came closest. Unread ones are not made: nesting would double the work. */
function explain(best: Trial | undefined, { value, path }: Subject, run: Run): void {
  if (run.isQuiet) run.matches += best?.matches ?? 0;
  else best?.check(value, path, run);
}

/** Runs a check without keeping anything of it: most alternatives fail, and nobody reads why. */
function tryOut(check: Check, { value, path }: Subject, run: Run): Trial {
  const { failures, matches, isQuiet } = run;
  run.isQuiet = true;
  check(value, path, run);
  const trial = {
    check,
    isValid: run.failures === failures,
    matches: run.matches - matches,
  };
  run.isQuiet = isQuiet;
  run.failures = failures;
  run.matches = matches;
  return trial;
}
