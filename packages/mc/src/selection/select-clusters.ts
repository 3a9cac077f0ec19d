import { matchesLabels, ParseError, parseLabelSelector } from '@flotilla/machinery';
import { nearNames, suggestion } from '../flags/suggest.ts';
import type { FleetCluster } from '../fleet/cluster.ts';
import { CLUSTERSET_LABEL, MANAGER_LABEL } from '../inventory/profile-record.ts';
import type { Selection } from '../settings/settings.ts';
import { UsageError } from '../usage-error.ts';
import { clusterMatcher, type MatchClusters, namesOf } from './match-clusters.ts';
import { propertyMatcher } from './match-properties.ts';

/** A cluster that was chosen. */
export interface SelectedCluster {
  readonly cluster: FleetCluster;
  /** By its name, and not as one of many. */
  readonly isNamed: boolean;
}

/** What choosing needs of the world. */
export interface SelectDeps {
  readonly warn: (text: string) => void;
  /** The profiles that a placement has decided for, as `namespace/name`, in its order. */
  readonly placement: (reference: string) => Promise<readonly string[]>;
  /** Asks the user which ones. */
  readonly pick: (clusters: readonly FleetCluster[]) => Promise<readonly FleetCluster[]>;
}

/**
 * The clusters that are meant: those that every kind of flag allows, of values of one flag any; `exclude` comes last, and
 * what is picked is picked from the rest. They keep the order of `clusters`, unless a placement gives another. Throws
 * UsageError when a name is unknown or nothing is left.
 */
export async function selectClusters(
  clusters: readonly FleetCluster[],
  selection: Selection,
  { named = [], ...deps }: SelectDeps & { readonly named?: readonly string[] },
): Promise<SelectedCluster[]> {
  const match = clusterMatcher(clusters);
  const byFlag = await matchAll(selection.clusters, { match, clusters, isStrict: true, ...deps });
  const byArgument = await matchAll(named, { match, clusters, isStrict: true, ...deps });
  let left = byFlag === undefined ? clusters : byFlag.clusters;
  if (byArgument !== undefined) left = common(left, byArgument.clusters);
  left = await narrowed(left, selection, { match, all: clusters, ...deps });
  if (left.length === 0) throw nothingLeft(clusters.length);
  if (selection.pick) left = await deps.pick(left);
  return left.map((cluster) => ({
    cluster,
    isNamed: [byFlag, byArgument].some((found) => found?.literal.has(cluster) === true),
  }));
}

/** Whether the clustersets of namespaces matter to a selection. */
export function wantsClustersets(selection: Selection): boolean {
  return (
    selection.clusterset !== undefined ||
    (selection.clusterSelector?.includes(CLUSTERSET_LABEL) ?? false) ||
    selection.groups.some(wantsClustersets)
  );
}

interface Narrowing extends SelectDeps {
  readonly match: MatchClusters;
  readonly all: readonly FleetCluster[];
}

/** All of a selection but its patterns and the picking. */
async function narrowed(
  clusters: readonly FleetCluster[],
  selection: Selection,
  how: Narrowing,
): Promise<readonly FleetCluster[]> {
  let left = clusters;
  const { clusterset, manager, placement, clusterSelector, groups } = selection;
  if (clusterSelector !== undefined) {
    const selector = selectorOf(clusterSelector);
    left = left.filter(({ labels }) => matchesLabels(selector, labels));
  }
  for (const text of selection.properties) left = left.filter(propertyMatcher(text));
  if (clusterset !== undefined) left = left.filter((each) => isOfSet(each, clusterset));
  if (manager !== undefined) left = left.filter((each) => isOfManager(each, manager));
  if (groups.length > 0) left = await inAnyGroup(left, groups, how);
  if (placement !== undefined) left = await placed(left, placement, how);
  const out = await matchAll(selection.exclude, { ...how, clusters: how.all, isStrict: false });
  const excluded = new Set(out?.clusters);
  return left.filter((each) => !excluded.has(each));
}

function selectorOf(text: string): ReturnType<typeof parseLabelSelector> {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UsageError(`Cannot read --cluster-selector "${text}": ${error.message}`);
  }
}

function isOfSet({ labels, properties }: FleetCluster, set: string): boolean {
  return (
    labels[CLUSTERSET_LABEL] === set ||
    (labels[CLUSTERSET_LABEL] === undefined && properties['clusterset.k8s.io'] === set)
  );
}

function isOfManager({ profile, labels }: FleetCluster, manager: string): boolean {
  return (profile?.manager || labels[MANAGER_LABEL]) === manager;
}

/** Saved selections outlive clusters: what they name and is gone is worth a warning, no more. */
async function inAnyGroup(
  clusters: readonly FleetCluster[],
  groups: readonly Selection[],
  how: Narrowing,
): Promise<readonly FleetCluster[]> {
  const found = new Set<FleetCluster>();
  for (const group of groups) {
    const matched = await matchAll(group.clusters, { ...how, clusters: how.all, isStrict: false });
    const start = matched === undefined ? how.all : matched.clusters;
    for (const cluster of await narrowed(start, group, how)) found.add(cluster);
  }
  return clusters.filter((each) => found.has(each));
}

async function placed(
  clusters: readonly FleetCluster[],
  reference: string,
  { placement, all, warn }: Narrowing,
): Promise<readonly FleetCluster[]> {
  const places = await placement(reference);
  const byPlace = new Map(
    all.flatMap((cluster) => namesOf(cluster).map((name) => [name, cluster] as const)),
  );
  for (const cluster of all) {
    if (cluster.profile !== undefined) {
      byPlace.set(`${cluster.profile.namespace}/${cluster.profile.name}`, cluster);
    }
  }
  const unknown = places.filter((place) => !byPlace.has(place));
  if (unknown.length > 0) {
    warn(
      `Placement "${reference}" decided for ${unknown.length} clusters that are not in the inventory: ${some(unknown)}`,
    );
  }
  const allowed = new Set(clusters);
  const found = new Set(places.map((place) => byPlace.get(place)));
  return [...found].filter((each) => each !== undefined && allowed.has(each)) as FleetCluster[];
}

interface MatchAll {
  readonly match: MatchClusters;
  readonly clusters: readonly FleetCluster[];
  /** Whether a name that is unknown is an error, and so is matching nothing at all. */
  readonly isStrict: boolean;
  readonly warn: (text: string) => void;
}

/** What any of the patterns means; undefined when there are none. */
async function matchAll(
  patterns: readonly string[],
  { match, clusters, isStrict, warn }: MatchAll,
): Promise<
  | { readonly clusters: readonly FleetCluster[]; readonly literal: ReadonlySet<FleetCluster> }
  | undefined
> {
  if (patterns.length === 0) return undefined;
  const found = new Set<FleetCluster>();
  const literal = new Set<FleetCluster>();
  const misses: string[] = [];
  for (const pattern of patterns) {
    const matched = await match(pattern);
    for (const cluster of matched.clusters) {
      found.add(cluster);
      if (matched.isLiteral) literal.add(cluster);
    }
    if (matched.clusters.length > 0) continue;
    if (matched.isLiteral && isStrict) throw unknownName(pattern, clusters);
    misses.push(
      matched.isLiteral ? `There is no cluster "${pattern}"` : `No cluster matches "${pattern}"`,
    );
  }
  if (found.size === 0 && isStrict) throw new UsageError(misses.join('\n'));
  for (const miss of misses) warn(miss);
  return { clusters: clusters.filter((each) => found.has(each)), literal };
}

function unknownName(name: string, clusters: readonly FleetCluster[]): UsageError {
  const near = nearNames(name, clusters.flatMap(namesOf));
  return new UsageError(
    `Cannot find cluster "${name}": ${near.length > 0 ? 'nothing is called that' : `the clusters are ${some(clusters.map((each) => each.name))}`}${suggestion(near.slice(0, 5))}`,
  );
}

function nothingLeft(count: number): UsageError {
  return new UsageError(
    `No cluster is left: none of ${count} is chosen by all flags and not excluded\n` +
      "Run 'kubectl mc clusters' to see what there is.",
  );
}

function common(a: readonly FleetCluster[], b: readonly FleetCluster[]): readonly FleetCluster[] {
  const kept = new Set(b);
  return a.filter((each) => kept.has(each));
}

const SHOWN = 10;

function some(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return names.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
