import { suggestedDelayMs } from '@flotilla/machinery';
import { classify } from '../fan-out/classify.ts';
import { TimeLimit } from '../fan-out/endings.ts';
import type { Fleet } from '../fan-out/fleet.ts';
import type { Member } from '../fan-out/member.ts';
import type { Outcome } from '../fan-out/outcome.ts';
import type { Session } from '../session.ts';
import { createBackoff } from './backoff.ts';
import { type Change, Follower } from './follower.ts';
import { isPassing } from './is-passing.ts';
import { createRollCall, type RollCall } from './roll-call.ts';
import type { Source } from './source.ts';

/** Lists a source for the first time, or what has changed in it since; tells how much there is. */
export type Begin<T> = (key: string, source: Source<T>) => Promise<number>;

/** What is followed on the clusters of a fleet. */
export interface Following<T> {
  readonly fleet: Fleet;
  /**
   * Begins with everything that is to be followed on a member, each under a key of its own. Gives what is to be said
   * when no cluster has any of it; undefined when this one has. Called again after a failure that may pass.
   */
  readonly start: (member: Member, begin: Begin<T>) => Promise<Error | undefined>;
  /** Shows what happened; `isFirst` for what was there before. What it throws ends everything. */
  readonly print: (
    cluster: string,
    changes: readonly Change<T>[],
    isFirst: boolean,
  ) => Promise<void>;
  /** After which it ends. @default never */
  readonly timeoutMs?: number | undefined;
}

type FollowSession = Pick<Session, 'io' | 'settings' | 'note' | 'fanOut'>;

/**
 * Follows clusters until their user has seen enough or time is up. Those that are down join when they come up, unless
 * there is nothing to follow anywhere. Gives the outcomes, of which none is a failure of a cluster that was heard once.
 */
export async function followFleet<T>(
  session: FollowSession,
  following: Following<T>,
): Promise<Outcome<void>[]> {
  const { fleet, timeoutMs } = following;
  const end = new AbortController();
  const rollCall = createRollCall(fleet.clusters.length);
  using _timer =
    timeoutMs === undefined
      ? undefined
      : session.io.clock.later(timeoutMs, () => {
          end.abort(new TimeLimit('run', timeoutMs));
          rollCall.close();
        });
  const run: Run<T> = { session, following, rollCall, end: end.signal };
  return await session.fanOut(fleet, (member) => followMember(member, run), {
    timeoutMs: 'none',
    concurrency: 'all',
    onOutcome: (outcome) => {
      rollCall.answer(outcome.cluster.name, 'gone');
      // Told at once, as the rest may go on for hours.
      void rollCall.isWorthIt.then((goesOn) => {
        if (goesOn && !end.signal.aborted) tellFailure(outcome, session);
      });
    },
  });
}

interface Run<T> {
  readonly session: FollowSession;
  readonly following: Following<T>;
  readonly rollCall: RollCall;
  readonly end: AbortSignal;
}

async function followMember<T>(member: Member, run: Run<T>): Promise<void> {
  const { session, following, rollCall, end } = run;
  const { cluster } = member;
  const stop = AbortSignal.any([member.signal, end]);
  const first: (readonly Change<T>[])[] = [];
  let hasStarted = false;
  let lost = 0;
  const followers = new Map<string, Follower<T>>();
  const follower = (source: Source<T>): Follower<T> =>
    new Follower(source, {
      clock: session.io.clock,
      random: session.io.random,
      emit: async (changes) => {
        // Held until all of it is known to be wanted.
        if (!hasStarted) first.push(changes);
        else if (changes.length > 0) await following.print(cluster.name, changes, false);
      },
      onLost: (error) => {
        lost += 1;
        if (lost === 1) tellLost(error, member, session);
      },
      onRegained: () => {
        lost -= 1;
        if (lost === 0) session.note(1, `${cluster.name}: watching again`);
      },
    });
  const begin: Begin<T> = async (key, source) => {
    const found = followers.get(key) ?? follower(source);
    followers.set(key, found);
    await found.begin(stop);
    return found.size;
  };

  const absence = await startMember(member, run, begin);
  rollCall.answer(cluster.name, absence === undefined ? 'found' : 'missing');
  if (absence !== undefined && !(await rollCall.isWorthIt)) throw absence;
  for (const changes of first) await following.print(cluster.name, changes, true);
  hasStarted = true;
  await Promise.all([...followers.values()].map((each) => each.run(stop)));
}

/** Tries until it is there, as long as there are others to follow meanwhile. */
async function startMember<T>(
  member: Member,
  { session, following, rollCall, end }: Run<T>,
  begin: Begin<T>,
): Promise<Error | undefined> {
  const { name } = member.cluster;
  const stop = AbortSignal.any([member.signal, end]);
  const backoff = createBackoff(session.io);
  let isTold = false;
  for (;;) {
    try {
      return await following.start(member, begin);
    } catch (error) {
      if (stop.aborted || !isPassing(error)) throw error;
      rollCall.answer(name, 'waiting');
      if (!(await rollCall.isWorthIt) || stop.aborted) throw error;
      if (!isTold) session.note(0, `${name}: ${causeOf(error, member, ', retrying')}`);
      isTold = true;
      await backoff.wait(stop, suggestedDelayMs(error)).catch(() => {
        // What kept it from joining says more than that time is up.
        throw error;
      });
    }
  }
}

function tellLost(error: unknown, member: Member, { note, settings }: FollowSession): void {
  const cause = settings.verbosity > 0 && error !== undefined ? ` (${causeOf(error, member)})` : '';
  note(0, `${member.cluster.name}: watch lost, retrying${cause}`);
}

function causeOf(error: unknown, { route }: Member, andNow = ''): string {
  const { status, failure } = classify(error, route);
  return `${status}${andNow}: ${failure.message}`;
}

/** What a cluster lacks is no failure, and a detail. */
function tellFailure({ cluster, status, failure }: Outcome<void>, { note }: FollowSession): void {
  if (failure === undefined || status === 'cancelled') return;
  const isDetail = status === 'absent' || status === 'skipped';
  note(isDetail ? 1 : 0, `${cluster.name}: ${status}: ${failure.message}`);
}
