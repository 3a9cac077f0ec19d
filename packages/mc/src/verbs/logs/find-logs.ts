import { type ApiResource, type Pod, Pods } from '@flotilla/client';
import { isNotFound, StatusError } from '@flotilla/machinery';
import { Absent } from '../../fan-out/answer-errors.ts';
import type { Member } from '../../fan-out/member.ts';
import type { Target } from '../get/target.ts';
import { chooseContainers } from './choose-containers.ts';
import { findFirstPod, listPods } from './list-pods.ts';
import type { LogPlan } from './log-plan.ts';
import type { LogSource, Looking, PodSearch } from './log-source.ts';
import { containerState } from './pod-facts.ts';
import { podSelectorOf } from './pod-selector.ts';

/** Pods that are known by name, and where to look for others. */
export interface PodPlaces {
  readonly pods: readonly Pod[];
  readonly searches: readonly PodSearch[];
  /** About this cluster's pods, in kubectl's words. */
  readonly notes: readonly string[];
}

/** What a cluster has of what was asked for. */
export interface FoundLogs {
  readonly sources: readonly LogSource[];
  /** About containers, in kubectl's words; other clusters may say the same. */
  readonly notes: readonly string[];
}

/** Finds out which pods a plan means on a cluster. Throws Absent, or the server's refusal, where it has none of them. */
export async function findPlaces(
  member: Member,
  plan: LogPlan,
  looking: Looking,
): Promise<PodPlaces> {
  const { labelSelector } = plan;
  const namespaces = namespacesOf(member, plan);
  if (labelSelector !== undefined) {
    const searches = namespaces.map((namespace) => ({ namespace, labelSelector }));
    return { pods: [], searches, notes: [] };
  }
  const found = { pods: [] as Pod[], searches: [] as PodSearch[], notes: [] as string[] };
  const own = plan.targets.filter((target) => isOf(target, member));
  for (const target of own) {
    let missing: unknown;
    let isThere = false;
    for (const namespace of namespaces) {
      try {
        const places = await placesOf(member, { target, namespace, plan, looking });
        found.pods.push(...places.pods);
        found.searches.push(...places.searches);
        found.notes.push(...places.notes);
        isThere = true;
      } catch (error) {
        if (!isNotFound(error) || namespace === undefined) throw error;
        missing ??= notFoundIn(error, namespace);
      }
    }
    if (!isThere) throw missing as Error;
  }
  return found;
}

/** All logs there are at these places, in the order of namespaces, names and specs. */
export async function findLogs(
  member: Member,
  plan: LogPlan,
  looking: Looking,
): Promise<FoundLogs & { readonly ownNotes: readonly string[] }> {
  const places = await findPlaces(member, plan, looking);
  const pods = [...places.pods];
  for (const search of places.searches) pods.push(...(await listPods(member, search, looking)));
  return { ...sourcesOf(pods, plan), ownNotes: places.notes };
}

/**
 * The containers of pods that a plan means. Where pods were searched for, those without the container that is asked for
 * are left out, unless none has it.
 */
export function sourcesOf(pods: readonly Pod[], plan: LogPlan): FoundLogs {
  const sources: LogSource[] = [];
  const notes: string[] = [];
  let absence: Absent | undefined;
  const seen = new Set<string>();
  for (const pod of pods) {
    const { name = '', namespace = '', uid = '' } = pod.metadata;
    if (name === '' || seen.has(`${namespace}/${name}`)) continue;
    seen.add(`${namespace}/${name}`);
    try {
      const chosen = chooseContainers(pod, plan);
      notes.push(...chosen.notes);
      for (const container of chosen.names) {
        const state = containerState(pod, container);
        sources.push({ namespace, pod: name, uid, container, state });
      }
    } catch (error) {
      if (!(error instanceof Absent)) throw error;
      absence ??= error;
    }
  }
  if (absence !== undefined && sources.length === 0) throw absence;
  return { sources, notes };
}

/** Where to look on a cluster; undefined for everywhere. */
export function namespacesOf(
  { namespace }: Member,
  { allNamespaces, namespaces }: LogPlan,
): readonly (string | undefined)[] {
  if (allNamespaces) return [undefined];
  return namespaces.length > 0 ? namespaces : [namespace];
}

interface Place {
  readonly target: Target;
  readonly namespace: string | undefined;
  readonly plan: LogPlan;
  readonly looking: Looking;
}

async function placesOf(member: Member, place: Place): Promise<PodPlaces> {
  const { target, looking } = place;
  return await member.discovery.use(
    target.type,
    (resource) =>
      resource.group === '' && resource.plural === Pods.plural
        ? podPlaces(member, place)
        : workloadPlaces(member, resource, place),
    looking.signal,
  );
}

async function podPlaces(
  { client }: Member,
  { target: { name = '', glob }, namespace, looking }: Place,
): Promise<PodPlaces> {
  if (glob !== undefined) return { pods: [], searches: [{ namespace, glob }], notes: [] };
  const { signal } = looking;
  const pod = await client.get(Pods, { namespace: namespace ?? '', name }, { signal });
  return { pods: [pod], searches: [], notes: [] };
}

async function workloadPlaces(
  member: Member,
  resource: ApiResource,
  { target: { name = '' }, namespace, plan, looking }: Place,
): Promise<PodPlaces> {
  const { signal } = looking;
  const key = namespace === undefined ? { name } : { name, namespace };
  const object = await member.client.get(resource, key, { signal });
  const labelSelector = podSelectorOf(resource, object);
  // What has no namespace has no pods either, and was refused by now.
  const search = { namespace: object.metadata.namespace ?? '', labelSelector };
  if (plan.allPods && plan.isFollowed) return { pods: [], searches: [search], notes: [] };
  const { first, all } = await findFirstPod(member, search, {
    ...looking,
    timeoutMs: plan.podTimeoutMs,
  });
  if (plan.allPods) return { pods: all, searches: [], notes: [] };
  const notes =
    all.length > 1 ? [`Found ${all.length} pods, using pod/${first.metadata.name}`] : [];
  return { pods: [first], searches: [], notes };
}

function isOf({ cluster }: Target, { cluster: { name, aliases } }: Member): boolean {
  return cluster === undefined || cluster === name || aliases.includes(cluster);
}

/** kubectl's words, which say where it looked; a path that nobody serves is told as the server does. */
function notFoundIn(error: unknown, namespace: string): unknown {
  if (!(error instanceof StatusError) || error.details?.name === undefined) return error;
  return new Absent(
    `error from server (NotFound): ${error.message} in namespace "${namespace}"`,
    'NotFoundInNamespace',
  );
}
