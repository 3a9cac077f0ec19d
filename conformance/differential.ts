import type { Case } from './case.ts';
import { compareTranscripts, type Difference } from './compare.ts';
import type { Transcript } from './run-case.ts';

const AT_ONCE = 4;

/** Answers a case: a live server, or what one answered when it was recorded. */
export type Answerer = (each: Case) => Promise<Transcript>;

/** One case's outcome. */
export interface CaseResult {
  readonly each: Case;
  readonly differences: readonly Difference[];
  readonly surprises: readonly string[];
}

/** Puts every case to both sides, a few at a time, and compares. */
export async function runDifferential(
  cases: readonly Case[],
  sides: { readonly reference: Answerer; readonly subject: Answerer },
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  const waiting = [...cases];
  async function work(): Promise<void> {
    for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
      const [wanted, got] = await Promise.all([sides.reference(each), sides.subject(each)]);
      results.push({
        each,
        differences: compareTranscripts(wanted, got),
        surprises: wanted.surprises,
      });
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results.sort((a, b) => cases.indexOf(a.each) - cases.indexOf(b.each));
}
