import type { ApiResource } from '@flotilla/client';
import type { Member } from '../../fan-out/member.ts';
import { kindPrefix } from '../../output/formats/name.ts';
import { printTables } from '../../output/table/print-tables.ts';
import type { Column, TablePart } from '../../output/table/table-part.ts';
import { matchesGlob } from '../../selection/glob.ts';
import type { Session } from '../../session.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { gatherAnswer, Segments } from './answer.ts';
import { finishGet } from './finish.ts';
import { tableOptions } from './list.ts';
import { type GetPlan, selectionOf } from './plan.ts';
import { readPages } from './read-pages.ts';
import type { Question } from './visit-targets.ts';

/** How many there are. */
interface Count {
  value: number;
}

/** Prints how many objects each cluster has; servers that know the number are asked for one object. */
export async function countResources(call: Call, plan: GetPlan, session: Session): Promise<number> {
  const output = call.flags.text('output') ?? '';
  if (output !== '' && output !== 'wide') {
    throw new UsageError(`--count cannot be used with ${output} printer`);
  }
  const outcomes = await session.fanOut(await session.fleet(plan.clusters), (member) => {
    const segments = new Segments<Count>(() => ({ value: 0 }));
    return gatherAnswer(member, plan, {
      segments,
      visit: async (resource, question) => {
        const count = await countAt(member, resource, { plan, question });
        segments.of(resource, question.segment).value += count;
      },
    });
  });
  const types = new Set(
    outcomes.flatMap(({ value }) =>
      (value?.segments ?? []).map(({ resource }) => kindPrefix(resource)),
    ),
  );
  const columns: Column[] = [...(types.size > 1 ? [column('Type')] : []), column('Count')];
  const parts: TablePart[] = outcomes.flatMap(({ cluster, value }) =>
    value === undefined
      ? []
      : [
          {
            cluster: cluster.name,
            columns,
            rows: value.segments.map(({ resource, content }) => ({
              cells: [
                ...(types.size > 1 ? [kindPrefix(resource).slice(0, -1)] : []),
                content.value,
              ],
            })),
          },
        ],
  );
  const options = { ...tableOptions(call, plan, session), sortPath: undefined, showKind: false };
  const isShown = await printTables([{ kindPrefix: '', parts }], options, session.io.out);
  return finishGet({ session, plan }, outcomes, { output: isShown ? 'some' : 'none' });
}

function column(name: string): Column {
  return { name, isName: false, priority: 0 };
}

async function countAt(
  { client, signal }: Member,
  resource: ApiResource,
  { plan, question }: { readonly plan: GetPlan; readonly question: Question },
): Promise<number> {
  const { namespace, name, glob } = question;
  if (name !== undefined && glob === undefined) {
    await client.table(resource, { name, namespace, includeObject: 'None', signal });
    return 1;
  }
  const selection = { ...selectionOf(plan), namespace, signal, includeObject: 'None' as const };
  const isSelected = glob !== undefined || Object.keys(selectionOf(plan)).length > 0;
  if (!isSelected) {
    for await (const { rows, metadata } of client.tablePages(resource, {
      ...selection,
      pageSize: 1,
    })) {
      const { remainingItemCount } = metadata;
      if ((metadata.continue ?? '') === '') return rows.length;
      if (remainingItemCount !== undefined) return rows.length + Number(remainingItemCount);
      break;
    }
  }
  // Servers do not count what they select.
  let count = 0;
  await readPages(
    {
      pages: (pageSize) => client.tablePages(resource, { ...selection, pageSize }),
      take: ({ rows, columnDefinitions }) => {
        const nameAt = columnDefinitions.findIndex(({ format }) => format === 'name');
        count +=
          glob === undefined
            ? rows.length
            : rows.filter(({ cells }) => matchesGlob(glob, String(cells[Math.max(0, nameAt)])))
                .length;
      },
      restart: () => {
        count = 0;
      },
    },
    plan.pageSize,
  );
  return count;
}
