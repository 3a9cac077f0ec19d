import type { Json, KubeObject } from '@flotilla/machinery';
import { objectSource } from '../../follow/object-source.ts';
import type { Format } from '../../output/formats/choose-format.ts';
import { customCells } from '../../output/formats/custom-columns.ts';
import { objectText, type ShowObject } from '../../output/formats/object-text.ts';
import type { PlainFormat } from '../../output/formats/plain-format.ts';
import { StreamTable } from '../../output/table/stream-table.ts';
import type { Column, Row } from '../../output/table/table-part.ts';
import { matchesGlob } from '../../selection/glob.ts';
import type { Session } from '../../session.ts';
import { printableLine } from '../../text/printable.ts';
import type { Call } from '../../verb.ts';
import { customColumns, tableOptions, templatePrinter } from './list.ts';
import type { GetPlan } from './plan.ts';
import type { WatchView } from './watch.ts';
import { watchSelection } from './watch-selection.ts';

/** A format that has a template. */
type Templated = Format & { readonly template: string; readonly isFile: boolean };

/** Shows changes as objects, one after the other. */
export async function textView(
  call: Call,
  plan: GetPlan,
  { session, format }: { readonly session: Session; readonly format: PlainFormat },
): Promise<WatchView<ShowObject>> {
  const { flags } = call;
  const text = await objectText(format.kind, {
    showManagedFields: flags.bool('show-managed-fields'),
    showsCluster: session.settings.output.clusterColumn !== 'none',
    asEvents: flags.bool('output-watch-events'),
    template: 'template' in format ? await templatePrinter(format, call, session) : undefined,
  });
  return {
    source: sourceOf(plan, session, {
      metadataOnly: format.kind === 'name',
      keep: (object, cluster, resource) => text(object, { cluster, kind: resource }),
    }),
    print: async (_cluster, changes) => {
      await session.io.out(changes.map(({ type, value }) => value(type)).join(''));
    },
  };
}

/** Shows changes as rows of the columns that the user described. */
export async function columnView(
  call: Call,
  plan: GetPlan,
  { session, format }: { readonly session: Session; readonly format: Templated },
): Promise<WatchView<(event: string) => Row>> {
  const described = await customColumns(format, session);
  const asEvents = call.flags.bool('output-watch-events');
  const columns: Column[] = described.map(({ header }, index) => ({
    name: `${index} ${header}`,
    header,
    isName: false,
    priority: 0,
  }));
  const table = new StreamTable(tableOptions(call, plan, session), '', session.io.out);
  const rowOf = (object: unknown): Row => ({
    cells: customCells(object, described).map(printableLine),
  });
  return {
    source: sourceOf(plan, session, {
      keep: (object) => {
        if (asEvents) return (type) => rowOf({ type, object });
        const row = rowOf(object);
        return () => row;
      },
    }),
    print: (cluster, changes) =>
      table.add({ cluster, columns, rows: changes.map(({ type, value }) => value(type)) }),
  };
}

interface Keeping<T> {
  readonly metadataOnly?: boolean;
  readonly keep: (
    object: Json,
    cluster: string,
    kind: { readonly kind: string; readonly group: string },
  ) => T;
}

function sourceOf<T>(
  plan: GetPlan,
  { io, settings }: Session,
  { metadataOnly = false, keep }: Keeping<T>,
): WatchView<T>['source'] {
  return ({ client, cluster }, resource, question) =>
    objectSource<T>(client, resource, {
      ...watchSelection(plan, question),
      metadataOnly,
      pageSize: plan.pageSize,
      listTimeoutMs: settings.execution.timeoutMs,
      random: io.random,
      keep: (object: KubeObject) => {
        const { glob } = question;
        if (glob !== undefined && !matchesGlob(glob, object.metadata.name ?? '')) return undefined;
        return keep(object as unknown as Json, cluster.name, resource);
      },
    });
}
