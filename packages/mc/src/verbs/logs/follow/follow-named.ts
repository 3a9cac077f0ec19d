import { PartialAnswer } from '../../../fan-out/answer-errors.ts';
import type { Member } from '../../../fan-out/member.ts';
import { findInTime, type LogOutcome } from '../log-run.ts';
import {
  childSignal,
  countLogs,
  type FollowRun,
  followSource,
  outcomeOf,
  tellLogFailure,
} from './follow-run.ts';
import { LossNotes } from './loss-notes.ts';

/** Follows the logs that arguments name until all of them have ended, as kubectl does. */
export async function followNamed(run: FollowRun, member: Member): Promise<LogOutcome> {
  const { plan, session } = run;
  const sources = await findInTime(run, member);
  await countLogs(run, member, sources.length);
  const outcome = outcomeOf(run, member, sources.length);
  const notes = new LossNotes(member.cluster.name, session.io);
  using ending = childSignal(member);
  const { signal } = ending;
  const following = sources.map(async (source) => {
    try {
      await followSource(run, member, { source, window: plan.window, signal, notes });
    } catch (error) {
      await tellLogFailure(run, member, { source, error });
    }
  });
  try {
    await Promise.all(following);
  } catch (error) {
    ending.abort(error);
    await Promise.allSettled(following);
    throw new PartialAnswer(outcome, error);
  }
  return outcome;
}
