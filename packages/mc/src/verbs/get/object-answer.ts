import type { ApiResource } from '@flotilla/client';
import { type Json, type KubeObject, matchesLabels } from '@flotilla/machinery';
import type { Member } from '../../fan-out/member.ts';
import { matchesGlob } from '../../selection/glob.ts';
import { type Answer, gatherAnswer, Segments } from './answer.ts';
import { type GetPlan, selectionOf } from './plan.ts';
import { readPages } from './read-pages.ts';
import type { Question } from './visit-targets.ts';

/** What is kept of an object; whoever prints it decides. */
export type Keep<K> = (object: Json, resource: ApiResource) => K;

/** What was kept of the objects of one type. */
export interface ObjectContent<K> {
  readonly kept: K[];
}

/** Asks a cluster for whole objects, page by page, and keeps of each what `keep` makes of it. */
export async function askObjects<K>(
  member: Member,
  plan: GetPlan,
  keep: Keep<K>,
): Promise<Answer<ObjectContent<K>>> {
  const segments = new Segments<ObjectContent<K>>(() => ({ kept: [] }));
  const versions = new Set<string>();
  const answer = await gatherAnswer(member, plan, {
    segments,
    visit: async (resource, question) => {
      const { kept } = segments.of(resource, question.segment);
      const take = (object: KubeObject) => kept.push(keep(object as unknown as Json, resource));
      const version = await readObjects(member, resource, { plan, question, kept, take });
      if (version !== undefined) versions.add(version);
    },
  });
  const [resourceVersion] = versions.size === 1 ? versions : [];
  return { ...answer, resourceVersion };
}

interface Reading {
  readonly plan: GetPlan;
  readonly question: Question;
  readonly kept: unknown[];
  readonly take: (object: KubeObject) => void;
}

/** The revision of the list that was read. */
async function readObjects(
  { client, signal }: Member,
  resource: ApiResource,
  { plan, question, kept, take }: Reading,
): Promise<string | undefined> {
  const { namespace, name, glob } = question;
  if (name !== undefined && glob === undefined) {
    const { subresource } = plan;
    const key = namespace === undefined ? { name } : { name, namespace };
    const options = subresource === undefined ? { signal } : { signal, subresource };
    const object = await client.get(resource, key, options);
    const { objectSelector } = plan;
    const isWanted =
      objectSelector === undefined || matchesLabels(objectSelector, object.metadata.labels);
    if (isWanted) take(object);
    return undefined;
  }
  const selection = { ...selectionOf(plan), namespace, signal };
  const before = kept.length;
  let version: string | undefined;
  await readPages(
    {
      pages: (pageSize) => client.pages(resource, { ...selection, pageSize }),
      take: ({ items, metadata }) => {
        version = metadata.resourceVersion;
        for (const item of items) {
          if (glob === undefined || matchesGlob(glob, item.metadata.name ?? '')) take(item);
        }
      },
      restart: () => {
        kept.length = before;
      },
    },
    plan.pageSize,
  );
  return version;
}
