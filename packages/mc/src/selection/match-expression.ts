import { runInNewContext } from 'node:vm';
import { UsageError } from '../usage-error.ts';

/** Thousands of names take a few milliseconds. */
const PATIENCE_MS = 1_000;
const LONGEST = 1_000;

/**
 * Which names a regular expression finds something in. Names come from servers, and some expressions take ages for
 * names that were made for it: then it is given up.
 */
export function matchExpression(source: string, names: readonly string[]): boolean[] {
  const shown = `/${source}/`;
  if (source.length > LONGEST) {
    throw new UsageError(`Cannot use a regular expression of ${source.length} characters`);
  }
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, 'u');
  } catch (error) {
    throw new UsageError(`Cannot read "${shown}": ${(error as Error).message}`);
  }
  try {
    const found: unknown = runInNewContext(
      'names.map((name) => pattern.test(name))',
      { names, pattern },
      { timeout: PATIENCE_MS },
    );
    return found as boolean[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new UsageError(
      `Cannot use "${shown}": it takes too long for some name; write it without nested repetitions`,
    );
  }
}
