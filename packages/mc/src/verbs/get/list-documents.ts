import type { Outcome } from '../../fan-out/outcome.ts';
import { ChunkedWriter } from '../../output/chunked-writer.ts';
import type { DocumentFormat } from '../../output/formats/document.ts';
import { noSuchField, sortLeniently } from '../../output/sort/sort-by.ts';
import { type SortKey, sortKeyOf } from '../../output/sort/sort-key.ts';
import type { Write } from '../../output/table/table-options.ts';
import type { Session } from '../../session.ts';
import type { Answer } from './answer.ts';
import { finishGet } from './finish.ts';
import { askObjects, type ObjectContent } from './object-answer.ts';
import { orderedOutcomes } from './ordered-outcomes.ts';
import type { GetPlan } from './plan.ts';

/** The text of an object, and what it is sorted by. */
interface Item {
  readonly text: string;
  readonly key: SortKey | undefined;
}

/** How objects are written. */
export interface DocumentListing {
  readonly format: DocumentFormat;
  /** Sorting goes over the objects of all clusters, not of each for itself. */
  readonly isFlat: boolean;
  readonly write: Write;
}

type DocumentAnswer = Answer<ObjectContent<Item>>;

/**
 * Asks the clusters for objects and writes them cluster by cluster, in the order of their names, each as soon as those
 * before it are written. What is written is whole, whatever became of the clusters.
 */
export async function listDocuments(
  plan: GetPlan,
  session: Session,
  { format, isFlat, write }: DocumentListing,
): Promise<number> {
  const { sortPath } = plan;
  const writer = new ChunkedWriter(write);
  const isHeld = isFlat && sortPath !== undefined;
  let hasField = sortPath === undefined;
  let isEmpty = true;
  const writeCluster = async (outcome: Outcome<DocumentAnswer>): Promise<void> => {
    const items = itemsOf(outcome, isHeld ? undefined : sortPath);
    for (const text of format.cluster(
      outcome,
      items.map(({ text }) => text),
    )) {
      const full = writer.add(text);
      if (full !== undefined) await full;
    }
    for (const { content } of outcome.value?.segments ?? []) content.kept.length = 0;
  };

  const fleet = await session.fleet(plan.clusters);
  const ordered = orderedOutcomes<DocumentAnswer>(fleet, writeCluster);
  const ask: Parameters<typeof session.fanOut<DocumentAnswer>>[1] = (member) =>
    askObjects(member, plan, (object) => {
      const key = sortPath === undefined ? undefined : sortKeyOf(object, sortPath);
      isEmpty = false;
      hasField ||= key?.kind !== 'missing';
      return { text: format.item(object, member.cluster.name), key };
    });
  await writer.add(format.open);
  const outcomes = await session.fanOut(fleet, ask, {
    isEmpty: ({ segments }) => segments.every(({ content }) => content.kept.length === 0),
    onOutcome: (outcome) => {
      if (!isHeld) ordered.add(outcome);
    },
  });
  if (isHeld && sortPath !== undefined) {
    const all = outcomes.flatMap((outcome) => itemsOf(outcome, undefined));
    const [first] = outcomes;
    const texts = sortLeniently(all, ({ key }) => key).map(({ text }) => text);
    if (first !== undefined)
      for (const text of format.cluster(first, texts)) await writer.add(text);
  }
  await ordered.done();
  await writer.add(format.close(outcomes));
  await writer.flush();
  const code = finishGet({ session, plan }, outcomes, { output: 'quiet' });
  // The document is whole all the same.
  if (!isEmpty && !hasField && sortPath !== undefined) throw noSuchField(sortPath);
  return code;
}

function itemsOf(
  { value }: Outcome<DocumentAnswer>,
  sortPath: GetPlan['sortPath'],
): readonly Item[] {
  const items = (value?.segments ?? []).flatMap(({ content }) => content.kept);
  return sortPath === undefined ? items : sortLeniently(items, ({ key }) => key);
}
