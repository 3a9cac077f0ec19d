import type { Json } from '@flotilla/machinery';
import { annotateCluster, flatList } from '../../output/formats/fleet-item.ts';
import { sortBy } from '../../output/sort/sort-by.ts';
import { type SortKey, sortKeyOf } from '../../output/sort/sort-key.ts';
import type { Session } from '../../session.ts';
import { finishGet } from './finish.ts';
import { askObjects } from './object-answer.ts';
import { type GetPlan, isSingleItem } from './plan.ts';

/**
 * Asks the clusters for objects and prints one flat list of them with a template. One object by its name of one cluster
 * is printed as it is, without a list around it, as kubectl does.
 */
export async function listTemplate(
  plan: GetPlan,
  session: Session,
  print: (list: unknown) => string,
): Promise<number> {
  const { sortPath } = plan;
  const fleet = await session.fleet(plan.clusters);
  const isAlone = fleet.clusters.length === 1 && isSingleItem(plan);
  const outcomes = await session.fanOut(
    fleet,
    (member) =>
      askObjects(member, plan, (object): { object: Json; key: SortKey | undefined } => ({
        key: sortPath === undefined ? undefined : sortKeyOf(object, sortPath),
        object: isAlone ? object : annotateCluster(object, member.cluster.name),
      })),
    { isEmpty: ({ segments }) => segments.every(({ content }) => content.kept.length === 0) },
  );
  const kept = outcomes.flatMap(({ value }) =>
    (value?.segments ?? []).flatMap(({ content }) => content.kept),
  );
  const sorted = sortPath === undefined ? kept : sortBy(kept, ({ key }) => key, sortPath);
  const items = sorted.map(({ object }) => object);
  const hasAnswer = outcomes.some(({ status }) => status === 'ok' || status === 'empty');
  if (isAlone ? items.length > 0 : hasAnswer) {
    await session.io.out(print(isAlone ? items[0] : flatList(items)));
  }
  return finishGet({ session, plan }, outcomes, { output: 'quiet' });
}
