import { type CustomColumn, customCells } from '../../output/formats/custom-columns.ts';
import { type SortKey, sortKeyOf } from '../../output/sort/sort-key.ts';
import { printTables } from '../../output/table/print-tables.ts';
import type { TableOptions } from '../../output/table/table-options.ts';
import type { Column, Row } from '../../output/table/table-part.ts';
import type { Session } from '../../session.ts';
import { printableLine } from '../../text/printable.ts';
import { finishGet } from './finish.ts';
import { askObjects } from './object-answer.ts';
import type { GetPlan } from './plan.ts';

/** Asks the clusters for objects and prints the columns that the user described, all types in one table. */
export async function listCustomColumns(
  plan: GetPlan,
  session: Session,
  {
    columns,
    options,
  }: { readonly columns: readonly CustomColumn[]; readonly options: TableOptions },
): Promise<number> {
  const { sortPath } = plan;
  const outcomes = await session.fanOut(
    await session.fleet(plan.clusters),
    (member) =>
      askObjects(member, plan, (object): Row => {
        const key: SortKey | undefined =
          sortPath === undefined ? undefined : sortKeyOf(object, sortPath);
        // A value with a line break must not look like a row of another cluster, so it is shown, not obeyed.
        const cells = customCells(object, columns).map(printableLine);
        return key === undefined ? { cells } : { cells, key };
      }),
    { isEmpty: ({ segments }) => segments.every(({ content }) => content.kept.length === 0) },
  );
  const shown: Column[] = columns.map(({ header }, index) => ({
    // Two columns may have one header and are two columns all the same.
    name: `${index} ${header}`,
    header,
    isName: false,
    priority: 0,
  }));
  const parts = outcomes.flatMap(({ cluster, value, status }) =>
    status !== 'ok' && status !== 'empty' && value === undefined
      ? []
      : [
          {
            cluster: cluster.name,
            columns: shown,
            rows: (value?.segments ?? []).flatMap(({ content }) => content.kept),
          },
        ],
  );
  const hasAnswer = outcomes.some(({ status }) => status === 'ok' || status === 'empty');
  if (hasAnswer) await printTables([{ kindPrefix: '', parts }], options, session.io.out);
  return finishGet({ session, plan }, outcomes, { output: 'quiet' });
}
