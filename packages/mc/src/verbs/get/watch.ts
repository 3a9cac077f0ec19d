import type { ApiResource } from '@flotilla/client';
import { notFound } from '@flotilla/machinery';
import type { Member } from '../../fan-out/member.ts';
import { type Begin, followFleet } from '../../follow/follow-fleet.ts';
import type { Change } from '../../follow/follower.ts';
import type { Source } from '../../follow/source.ts';
import { chooseFormat } from '../../output/formats/choose-format.ts';
import { plainFormat } from '../../output/formats/plain-format.ts';
import type { Session } from '../../session.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { finishGet } from './finish.ts';
import type { GetPlan } from './plan.ts';
import { type Question, type Visited, visitTargets } from './visit-targets.ts';

/** What is shown of a watch, and how. */
export interface WatchView<T> {
  readonly source: (member: Member, resource: ApiResource, question: Question) => Source<T>;
  readonly print: (cluster: string, changes: readonly Change<T>[]) => Promise<void>;
}

const ONE_TYPE = 'you may only specify a single resource type';

/** Lists what a plan asks for and then follows its changes on every cluster. */
export async function watchResources(call: Call, plan: GetPlan, session: Session): Promise<number> {
  checkTargets(plan);
  warnOfSorting(call, plan, session);
  return await watchIn(await openView(call, plan, session), call, { plan, session });
}

async function watchIn<T>(
  view: WatchView<T>,
  { flags }: Call,
  { plan, session }: { readonly plan: GetPlan; readonly session: Session },
): Promise<number> {
  const isOnlyChanges = flags.bool('watch-only');
  const visits = new Map<string, Visited>();
  const outcomes = await followFleet<T>(session, {
    fleet: await session.fleet(plan.clusters),
    timeoutMs: flags.durationMs('watch-timeout'),
    start: async (member, begin) => {
      const { visited, absence } = await startWatch(member, { plan, view, begin });
      visits.set(member.cluster.name, visited);
      return absence;
    },
    print: async (cluster, changes, isFirst) => {
      if (!(isFirst && isOnlyChanges)) await view.print(cluster, changes);
    },
  });
  if (session.io.signal.aborted) return 0;
  return finishGet(
    { session, plan },
    outcomes.map((outcome) => {
      const value = visits.get(outcome.cluster.name);
      const isFine = outcome.status === 'absent' && value !== undefined && plan.ignoreNotFound;
      return isFine
        ? { ...outcome, value, status: 'empty' as const, failure: undefined }
        : { ...outcome, value };
    }),
    { output: 'quiet' },
  );
}

interface Start<T> {
  readonly plan: GetPlan;
  readonly view: WatchView<T>;
  readonly begin: Begin<T>;
}

/** Lists everything on one cluster, and tells whether it lacks what was named. */
async function startWatch<T>(
  member: Member,
  { plan, view, begin }: Start<T>,
): Promise<{ readonly visited: Visited; readonly absence: Error | undefined }> {
  const types = new Set<string>();
  let found = 0;
  let absence: Error | undefined;
  const visited = await visitTargets(member, plan, async (resource, question) => {
    const type = `${resource.plural}.${resource.group}`;
    types.add(type);
    if (types.size > 1) throw new UsageError(ONE_TYPE);
    const { name = '', namespace = '', glob } = question;
    const key = `${type} ${namespace} ${name}`;
    const size = await begin(key, view.source(member, resource, question));
    if (size > 0 || name === '' || glob !== undefined) {
      found += 1;
      return;
    }
    const { group, plural } = resource;
    absence = notFound({ group, resource: plural }, name);
    throw absence;
  });
  const [unknown] = visited.unknown;
  // A type may come later, too, but nobody waits for that.
  if (unknown !== undefined) throw unknown.error;
  return { visited, absence: found > 0 ? undefined : absence };
}

/** kubectl follows one type, or one object of it. */
function checkTargets({ targets }: GetPlan): void {
  if (new Set(targets.map(({ type }) => type)).size > 1) throw new UsageError(ONE_TYPE);
  const names = new Set(targets.map(({ name = '', namespace = '' }) => `${namespace}/${name}`));
  if (names.size > 1) {
    throw new UsageError('you may only watch a single resource or type of resource at a time');
  }
}

function warnOfSorting({ flags }: Call, { sortPath }: GetPlan, { io }: Session): void {
  if (sortPath === undefined) return;
  io.err(
    flags.bool('watch')
      ? 'warning: --watch requested, --sort-by will be ignored for watch events received\n'
      : 'warning: --watch-only requested, --sort-by will be ignored\n',
  );
}

async function openView(call: Call, plan: GetPlan, session: Session): Promise<WatchView<unknown>> {
  const { flags } = call;
  const format = chooseFormat(flags.text('output'), flags.text('template'));
  switch (format.kind) {
    case 'table': {
      const { tableView } = await import('./watch-tables.ts');
      return tableView(call, plan, session) as WatchView<unknown>;
    }
    case 'custom-columns': {
      const { columnView } = await import('./watch-objects.ts');
      return (await columnView(call, plan, { session, format })) as WatchView<unknown>;
    }
    case 'csv':
    case 'plugin':
      throw new UsageError(`--watch cannot be used with ${flags.text('output')} printer`);
    default: {
      const { textView } = await import('./watch-objects.ts');
      const plain = plainFormat(flags.text('output'), flags.text('template')) ?? { kind: 'json' };
      return (await textView(call, plan, { session, format: plain })) as WatchView<unknown>;
    }
  }
}
