import type { Json } from '@flotilla/machinery';
import type { Member } from '../../fan-out/member.ts';
import { followFleet } from '../../follow/follow-fleet.ts';
import type { Change } from '../../follow/follower.ts';
import { objectSource } from '../../follow/object-source.ts';
import type { Source } from '../../follow/source.ts';
import { objectText, type ShowObject } from '../../output/formats/object-text.ts';
import type { PlainFormat } from '../../output/formats/plain-format.ts';
import { StreamTable } from '../../output/table/stream-table.ts';
import type { Session } from '../../session.ts';
import type { Call } from '../../verb.ts';
import { templatePrinter } from '../get/list.ts';
import { inOrder, type SeenEvent } from './ask-events.ts';
import { type CoreEvent, CoreEvents, lastSeen } from './core-event.ts';
import { eventCells, eventColumns } from './event-cells.ts';
import { type EventPlan, fieldSelectorAt, namespacesAt } from './event-plan.ts';
import { eventTable, namedCluster, showsNamespaces } from './list-events.ts';

/** How watched events are shown. */
interface EventView<K> {
  readonly keep: (event: CoreEvent, cluster: string) => K;
  readonly print: (cluster: string, kept: readonly K[]) => Promise<void>;
}

/** Prints the events of all clusters and goes on with those that come. */
export async function watchEvents(
  call: Call,
  plan: EventPlan,
  { session, format }: { readonly session: Session; readonly format: PlainFormat | undefined },
): Promise<number> {
  return format === undefined
    ? await watchIn(rowView(call, plan, session), call, { plan, session })
    : await watchIn(await textView(call, format, session), call, { plan, session });
}

async function watchIn<K>(
  view: EventView<K>,
  { flags }: Call,
  { plan, session }: { readonly plan: EventPlan; readonly session: Session },
): Promise<number> {
  const outcomes = await followFleet<SeenEvent<K>>(session, {
    fleet: await session.fleet(namedCluster(plan)),
    timeoutMs: flags.durationMs('watch-timeout'),
    start: async (member, begin) => {
      const fieldSelector = await fieldSelectorAt(member, plan);
      for (const namespace of namespacesAt(member, plan)) {
        const place = { namespace, fieldSelector };
        await begin(namespace ?? '', eventSource(member, view, { plan, session, place }));
      }
      return undefined;
    },
    print: async (cluster, changes) => {
      const kept = inOrder(shownOf(changes)).map((event) => event.kept);
      if (kept.length > 0) await view.print(cluster, kept);
    },
  });
  return session.io.signal.aborted ? 0 : session.conclude(outcomes);
}

/** Events are forgotten after an hour, which is no news. */
function shownOf<K>(changes: readonly Change<SeenEvent<K>>[]): SeenEvent<K>[] {
  return changes.flatMap(({ type, value }) => (type === 'DELETED' ? [] : [value]));
}

interface EventPlace {
  readonly plan: EventPlan;
  readonly session: Session;
  readonly place: {
    readonly namespace?: string | undefined;
    readonly fieldSelector?: string | undefined;
  };
}

function eventSource<K>(
  { client, cluster }: Member,
  { keep }: EventView<K>,
  { plan, session, place }: EventPlace,
): Source<SeenEvent<K>> {
  return objectSource(client, CoreEvents, {
    ...place,
    pageSize: plan.pageSize,
    listTimeoutMs: session.settings.execution.timeoutMs,
    random: session.io.random,
    keep: (event: CoreEvent) =>
      plan.isWanted(event) ? { at: lastSeen(event), kept: keep(event, cluster.name) } : undefined,
  });
}

function rowView(call: Call, plan: EventPlan, session: Session): EventView<readonly string[]> {
  const { io } = session;
  const showsNamespace = showsNamespaces(plan);
  const columns = eventColumns(showsNamespace);
  const table = new StreamTable(eventTable(call, session), '', io.out);
  return {
    keep: (event) => eventCells(event, { now: io.clock.now(), showsNamespace }),
    print: (cluster, kept) =>
      table.add({ cluster, columns, rows: kept.map((cells) => ({ cells })) }),
  };
}

async function textView(
  call: Call,
  format: PlainFormat,
  session: Session,
): Promise<EventView<ShowObject>> {
  const text = await objectText(format.kind, {
    showManagedFields: call.flags.bool('show-managed-fields'),
    showsCluster: session.settings.output.clusterColumn !== 'none',
    template: 'template' in format ? await templatePrinter(format, call, session) : undefined,
  });
  return {
    keep: (event, cluster) => text(event as unknown as Json, { cluster, kind: CoreEvents }),
    print: async (_cluster, kept) => {
      await session.io.out(kept.map((show) => show('')).join(''));
    },
  };
}
