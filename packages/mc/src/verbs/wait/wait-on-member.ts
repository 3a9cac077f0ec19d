import type { ApiResource } from '@flotilla/client';
import { type KubeObject, notFound, suggestedDelayMs } from '@flotilla/machinery';
import { Absent, PartialAnswer } from '../../fan-out/answer-errors.ts';
import { classify } from '../../fan-out/classify.ts';
import type { Member } from '../../fan-out/member.ts';
import { createBackoff } from '../../follow/backoff.ts';
import { isPassing } from '../../follow/is-passing.ts';
import { objectSource } from '../../follow/object-source.ts';
import { matchesGlob } from '../../selection/glob.ts';
import { type Question, type Visited, visitTargets } from '../get/visit-targets.ts';
import { watchSelection } from '../get/watch-selection.ts';
import { type TargetDeps, TargetWait } from './target-wait.ts';
import { isFor } from './wait-plan.ts';
import type { MemberWait, WaitRun } from './wait-run.ts';

/** Waits until everything that was named meets the conditions on one cluster, or the time is up. */
export async function waitOnMember(member: Member, run: WaitRun): Promise<MemberWait> {
  const { plan, end, rollCall, session } = run;
  const { name } = member.cluster;
  const targets = new Map<string, TargetWait>();
  const { missing, unknown, answered } = await beginAll(member, run, targets);
  const all = [...targets.values()];
  const count = () => all.reduce((sum, { objects }) => sum + objects.length, 0);
  const isAny = count() > 0 || all.some(({ isDone }) => !isDone);
  rollCall.answer(name, isAny ? 'found' : 'missing');

  if (plan.timeoutMs > 0) {
    const stop = AbortSignal.any([member.signal, end]);
    await Promise.all(all.map((target) => target.run(stop)));
  }
  const answer = { count: count(), unmet: all.flatMap((target) => unmetTexts(target, run)) };
  const [absence] = missing;
  if (absence !== undefined) throw new PartialAnswer(answer, absence.error);
  const [noType] = unknown;
  if (noType !== undefined) {
    if (answered === 0 || plan.objects.requireAll) {
      throw new PartialAnswer(answer, noType.error);
    }
    session.note(1, `${name}: ${noType.error.message}`);
  }
  if (!isAny && !isFor(plan.conditions, 'delete')) {
    throw new Absent('no matching resources found', 'NoMatch');
  }
  return answer;
}

/** Looks at everything once. Tries again while the time lasts, as long as there are others to wait for meanwhile. */
async function beginAll(
  member: Member,
  run: WaitRun,
  targets: Map<string, TargetWait>,
): Promise<Visited> {
  const { plan, session, rollCall, end } = run;
  const { name } = member.cluster;
  const stop = AbortSignal.any([member.signal, end]);
  const backoff = createBackoff(session.io);
  const deps = followerDeps(member, run);
  let isTold = false;
  for (;;) {
    try {
      return await visitTargets(member, plan.objects, (resource, question) =>
        beginTarget({ member, run, deps }, targets, { resource, question }),
      );
    } catch (error) {
      if (plan.timeoutMs === 0 || stop.aborted || !isPassing(error)) throw error;
      rollCall.answer(name, 'waiting');
      if (!(await rollCall.isWorthIt) || stop.aborted) throw error;
      if (!isTold) session.note(0, `${name}: ${causeOf(error, member, ', retrying')}`);
      isTold = true;
      await backoff.wait(stop, suggestedDelayMs(error)).catch(() => {
        // What kept it from answering says more than that time is up.
        throw error;
      });
    }
  }
}

interface Beginning {
  readonly member: Member;
  readonly run: WaitRun;
  readonly deps: ReturnType<typeof followerDeps>;
}

async function beginTarget(
  { member, run, deps }: Beginning,
  targets: Map<string, TargetWait>,
  { resource, question }: { readonly resource: ApiResource; readonly question: Question },
): Promise<void> {
  const { plan } = run;
  const { group, plural } = resource;
  const { namespace, glob } = question;
  const name = glob === undefined ? question.name : undefined;
  const key = `${plural}.${group} ${namespace ?? ''} ${question.name ?? ''}`;
  if (targets.has(key)) return;
  const target = new TargetWait(
    { resource, name, namespace, conditions: plan.conditions },
    {
      ...deps,
      source: sourceOf(member, run, { resource, question }),
      show: (object) => run.show(object, resource, member.cluster.name),
    },
  );
  await target.begin(AbortSignal.any([member.signal, run.end]));
  if (name !== undefined && target.objects.length === 0) {
    throw notFound({ group, resource: plural }, name);
  }
  targets.set(key, target);
}

function sourceOf(
  { client }: Member,
  { plan, session }: WaitRun,
  { resource, question }: { readonly resource: ApiResource; readonly question: Question },
): TargetDeps['source'] {
  const { io, settings } = session;
  return (one) => {
    const { glob } = question;
    const selection =
      one === undefined
        ? watchSelection(plan.objects, question)
        : { namespace: one.namespace, fieldSelector: `metadata.name=${one.name}` };
    const isWanted = ({ metadata }: KubeObject): boolean =>
      one !== undefined || glob === undefined || matchesGlob(glob, metadata.name ?? '');
    return objectSource<KubeObject>(client, resource, {
      ...selection,
      pageSize: plan.objects.pageSize,
      listTimeoutMs: settings.execution.timeoutMs,
      random: io.random,
      keep: (object) => (isWanted(object) ? object : undefined),
    });
  };
}

/** Tells once that nothing is heard of a cluster, however much is followed there. */
function followerDeps(
  member: Member,
  { session }: WaitRun,
): Pick<TargetDeps, 'clock' | 'random' | 'onLost' | 'onRegained'> {
  const { name } = member.cluster;
  const { io, note, settings } = session;
  let lost = 0;
  return {
    clock: io.clock,
    random: io.random,
    onLost: (error) => {
      lost += 1;
      if (lost > 1) return;
      const isDetailed = settings.verbosity > 0 && error !== undefined;
      note(0, `${name}: watch lost, retrying${isDetailed ? ` (${causeOf(error, member)})` : ''}`);
    },
    onRegained: () => {
      lost -= 1;
      if (lost === 0) note(1, `${name}: watching again`);
    },
  };
}

function causeOf(error: unknown, { route }: Member, andNow = ''): string {
  const { status, failure } = classify(error, route);
  return `${status}${andNow}: ${failure.message}`;
}

/** kubectl's words for everything that did not meet its conditions. */
function unmetTexts(target: TargetWait, { plan }: WaitRun): string[] {
  const { plural } = target.place.resource;
  const timedOut = 'timed out waiting for the condition';
  // A selection that nobody has created has no names.
  if (target.objects.length === 0) return target.isDone ? [] : [timedOut];
  return target.objects.flatMap(({ name, isDone, condition }) => {
    if (isDone) return [];
    if (condition?.kind === 'create') return [timedOut];
    const object = `${plural}/${name}`;
    return [plan.timeoutMs === 0 ? `condition not met for ${object}` : `${timedOut} on ${object}`];
  });
}
