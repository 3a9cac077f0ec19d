import type { Case } from '../case.ts';
import { compareTranscripts, type Difference } from '../compare.ts';
import { runCase, type StepResult, type Transcript } from '../run-case.ts';
import type { Connection } from '../server.ts';
import { withoutCauseOrder } from './cause-order.ts';
import { RULES } from './rules.ts';

/** The two servers, the reference first. */
export interface Servers {
  readonly reference: Connection;
  readonly subject: Connection;
}

/** What two servers answer differently to a case, without what a rule explains. */
export async function judgeCase(
  each: Case,
  servers: Servers,
  suffix: string,
): Promise<{ unexplained: Difference[]; explained: number }> {
  const options = { suffix, keepNamespaces: true };
  const [wanted, got] = await Promise.all([
    runCase(each, servers.reference, options),
    runCase(each, servers.subject, options),
  ]);
  const differences = compareTranscripts(comparable(wanted), comparable(got));
  const unexplained = unexplainedOf(differences);
  return { unexplained, explained: differences.length - unexplained.length };
}

/** What no rule explains, up to where the servers part ways for a known reason. */
export function unexplainedOf(differences: readonly Difference[]): Difference[] {
  const unexplained: Difference[] = [];
  for (const difference of differences) {
    const rule = RULES.find(({ explains }) => explains(difference));
    if (rule?.partsWays === true) break;
    if (rule === undefined) unexplained.push(difference);
  }
  return unexplained;
}

function comparable(transcript: Transcript): Transcript {
  return { ...transcript, steps: transcript.steps.map(withoutChance) };
}

function withoutChance(step: StepResult): StepResult {
  const answer = step.answer as { body?: unknown };
  return {
    ...step,
    answer: 'body' in answer ? { ...answer, body: withoutCauseOrder(answer.body) } : answer,
    ...(step.during === undefined ? {} : { during: step.during.map(withoutChance) }),
  };
}
