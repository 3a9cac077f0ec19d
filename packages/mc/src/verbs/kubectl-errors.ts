import { goQuote } from '@flotilla/machinery';
import { UsageError } from '../usage-error.ts';

/** kubectl's words for an `-o` that a verb does not have. */
export function unsuitableFormat(output: string, allowed: readonly string[]): UsageError {
  return new UsageError(
    `unable to match a printer suitable for the output format ${goQuote(output)}, allowed formats are: ${allowed.join(',')}`,
  );
}

/** kubectl's words for arguments that a verb does not take. */
export function unexpectedArguments(
  verb: string,
  args: readonly string[],
  what = 'unexpected arguments',
): UsageError {
  return new UsageError(
    `${what}: [${args.join(' ')}]\nSee 'kubectl mc ${verb} -h' for help and examples`,
  );
}
