import type { ApiResource } from '@flotilla/client';
import { isNotFound, type KubeObject, matchesLabels } from '@flotilla/machinery';
import type { Member } from '../../fan-out/member.ts';
import { matchesGlob } from '../../selection/glob.ts';
import { selectionOf } from '../get/plan.ts';
import { readPages } from '../get/read-pages.ts';
import { type Question, type Visited, visitTargets } from '../get/visit-targets.ts';
import type { DescribePlan } from './make-plan.ts';

/** As much of an object as kubectl needs to find it. */
export interface FoundObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** What a cluster has of what was asked for. */
export interface Found extends Visited {
  readonly objects: readonly FoundObject[];
  /** Where names begin with what was typed; kubectl prints those in another way, so it is to find them itself. */
  readonly prefixedIn: readonly (string | undefined)[];
}

/** Looks for the objects that kubectl shall describe, so that it is only asked for what is there. */
export async function findObjects(member: Member, plan: DescribePlan): Promise<Found> {
  const objects: FoundObject[] = [];
  const prefixedIn: (string | undefined)[] = [];
  // Names that are in some namespace, and what was said where they are not.
  const seen = new Set<string>();
  const unseen = new Map<unknown, string>();
  const visited = await visitTargets(member, plan, async (resource, question) => {
    const { segment, namespace, name, glob } = question;
    const place = { member, resource, plan };
    if (name === undefined || glob !== undefined) {
      await listObjects(place, question, objects);
      return;
    }
    const key = `${segment}/${name}`;
    try {
      objects.push(...(await namedObject(place, question)));
      seen.add(key);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (plan.isPrefix && (await hasPrefix(place, namespace, name))) prefixedIn.push(namespace);
      else {
        unseen.set(error, key);
        throw error;
      }
    }
  });
  const missing = visited.missing.filter(({ error }) => !seen.has(unseen.get(error) ?? ''));
  return { ...visited, missing, objects, prefixedIn };
}

interface Place {
  readonly member: Member;
  readonly resource: ApiResource;
  readonly plan: DescribePlan;
}

async function namedObject(
  { member: { client, signal }, resource, plan }: Place,
  { namespace, name = '' }: Question,
): Promise<FoundObject[]> {
  const { objectSelector } = plan;
  const key = namespace === undefined ? { name } : { name, namespace };
  const { metadata } = await client.get(resource, key, { signal, metadataOnly: true });
  const isWanted = objectSelector === undefined || matchesLabels(objectSelector, metadata.labels);
  return isWanted ? [foundObject(resource, name, namespace)] : [];
}

async function hasPrefix(
  place: Place,
  namespace: string | undefined,
  prefix: string,
): Promise<boolean> {
  const all: FoundObject[] = [];
  await listObjects(place, { segment: 0, namespace }, all);
  return all.some(({ metadata }) => metadata.name.startsWith(prefix));
}

async function listObjects(
  { member: { client, signal }, resource, plan }: Place,
  { namespace, glob }: Question,
  objects: FoundObject[],
): Promise<void> {
  const before = objects.length;
  // Not as a table: servers sort the rows of some, and kubectl describes what it is given in the order of lists.
  const options = { ...selectionOf(plan), namespace, metadataOnly: true, signal };
  await readPages(
    {
      pages: (pageSize) => client.pages(resource, { ...options, pageSize }),
      take: ({ items }) => {
        for (const item of items) {
          const { name, namespace: own } = namesOf(item);
          if (glob !== undefined && !matchesGlob(glob, name)) continue;
          objects.push(foundObject(resource, name, namespace ?? own));
        }
      },
      restart: () => {
        objects.length = before;
      },
    },
    plan.pageSize,
  );
}

function namesOf(object: KubeObject): {
  readonly name: string;
  readonly namespace: string | undefined;
} {
  const { name, namespace } = object.metadata;
  if (typeof name !== 'string') throw new TypeError('an object of a list has no name');
  return { name, namespace };
}

function foundObject(
  { group, version, kind, namespaced }: ApiResource,
  name: string,
  namespace: string | undefined,
): FoundObject {
  return {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    metadata: namespaced && namespace !== undefined ? { name, namespace } : { name },
  };
}
