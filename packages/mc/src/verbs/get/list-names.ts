import type { Outcome } from '../../fan-out/outcome.ts';
import { ChunkedWriter } from '../../output/chunked-writer.ts';
import { kindPrefix, nameLine } from '../../output/formats/name.ts';
import { sortBy } from '../../output/sort/sort-by.ts';
import type { Session } from '../../session.ts';
import type { Answer } from './answer.ts';
import { finishGet } from './finish.ts';
import { orderedOutcomes } from './ordered-outcomes.ts';
import type { GetPlan } from './plan.ts';
import { askTables, type TableContent } from './table-answer.ts';

type TableAnswer = Answer<TableContent>;

/**
 * Asks the clusters for names and prints them one per line. Names are the cells of a table, so servers send no objects.
 */
export async function listNames(
  plan: GetPlan,
  session: Session,
  { showsCluster }: { readonly showsCluster: boolean },
): Promise<number> {
  const { sortPath } = plan;
  const writer = new ChunkedWriter(session.io.out);
  const fleet = await session.fleet(plan.clusters);
  const write = async (outcome: Outcome<TableAnswer>): Promise<void> => {
    for (const { line } of linesOf(outcome, showsCluster)) {
      const full = writer.add(line);
      if (full !== undefined) await full;
    }
    for (const { content } of outcome.value?.segments ?? []) content.rows.length = 0;
  };
  const ordered = orderedOutcomes(fleet, write);
  const outcomes = await session.fanOut(fleet, (member) => askTables(member, plan), {
    isEmpty: ({ segments }) => segments.every(({ content }) => content.rows.length === 0),
    onOutcome: (outcome) => {
      if (sortPath === undefined) ordered.add(outcome);
    },
  });
  if (sortPath !== undefined) {
    const all = outcomes.flatMap((outcome) => linesOf(outcome, showsCluster));
    for (const { line } of sortBy(all, ({ key }) => key, sortPath)) await writer.add(line);
  }
  await ordered.done();
  await writer.flush();
  return finishGet({ session, plan }, outcomes, { output: 'quiet' });
}

function linesOf({ cluster, value }: Outcome<TableAnswer>, showsCluster: boolean) {
  return (value?.segments ?? []).flatMap(({ resource, content }) => {
    const nameAt = content.columns.findIndex(({ isName }) => isName);
    const prefix = kindPrefix(resource);
    const place = showsCluster ? cluster.name : undefined;
    return content.rows.map(({ cells, key }) => ({
      key,
      line: nameLine(`${prefix}${String(cells[nameAt] ?? '<unknown>')}`, place),
    }));
  });
}
