import type { Outcome } from '../../fan-out/outcome.ts';
import { parseSortPath } from '../../output/sort/sort-key.ts';
import { printTables } from '../../output/table/print-tables.ts';
import type { TableOptions } from '../../output/table/table-options.ts';
import type { TablePart } from '../../output/table/table-part.ts';
import type { Session } from '../../session.ts';
import { chooseColours } from '../../text/colour.ts';
import type { Call } from '../../verb.ts';
import { askEvents, type EventAnswer, noEventsText } from './ask-events.ts';
import type { CoreEvent } from './core-event.ts';
import { eventCells, eventColumns } from './event-cells.ts';
import type { EventPlan } from './event-plan.ts';

/** Rows bring what they are sorted by with them; the path is its name. */
const BY_LAST_SEEN = parseSortPath('.lastTimestamp');

/** Prints the events of all clusters as one table, the latest last. */
export async function listEvents(call: Call, plan: EventPlan, session: Session): Promise<number> {
  const { io } = session;
  const showsNamespace = showsNamespaces(plan);
  // By the time it comes: what happened while others were slow is not yet to happen.
  const cellsOf = (event: CoreEvent) => eventCells(event, { now: io.clock.now(), showsNamespace });
  const outcomes = await session.fanOut(
    await session.fleet(namedCluster(plan)),
    (member) => askEvents(member, plan, cellsOf),
    { isEmpty: ({ events }) => events.length === 0 },
  );
  const columns = eventColumns(showsNamespace);
  const parts: TablePart[] = outcomes.map(({ cluster, value }) => ({
    cluster: cluster.name,
    columns,
    rows: (value?.events ?? []).map(({ at, kept }) => ({
      cells: kept,
      key: { kind: 'number', value: at },
    })),
  }));
  const options = { ...eventTable(call, session), sortPath: BY_LAST_SEEN };
  await printTables([{ kindPrefix: '', parts }], options, io.out);
  return concludeEvents(outcomes, session);
}

/** Says that there are none, where somebody could tell, and what went wrong; gives the exit code. */
export function concludeEvents(
  outcomes: readonly Outcome<EventAnswer<unknown>>[],
  { io, conclude }: Session,
): number {
  const isAnswered = outcomes.some(({ status }) => status === 'ok' || status === 'empty');
  const isEmpty = outcomes.every(({ value }) => (value?.events ?? []).length === 0);
  if (isAnswered && isEmpty) io.err(`${noEventsText(outcomes)}\n`);
  return conclude(outcomes);
}

/** How tables of events look. */
export function eventTable({ flags }: Call, { settings, io }: Session): TableOptions {
  return {
    isWide: false,
    hasHeaders: !flags.bool('no-headers'),
    clusterColumn: settings.output.clusterColumn,
    showKind: false,
    colours: chooseColours(settings.output.color, io).out,
  };
}

/** The cluster that `--for` names, for choosing it. */
export function namedCluster({ cluster }: EventPlan): readonly string[] | undefined {
  return cluster === undefined ? undefined : [cluster];
}

/** Whether events may be of several namespaces. */
export function showsNamespaces({ allNamespaces, namespaces }: EventPlan): boolean {
  return allNamespaces || namespaces.length > 1;
}
