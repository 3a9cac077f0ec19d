import { canonicalServer } from '../access/servers.ts';
import type { AccessOffer, FleetCluster, ProfileRef } from '../fleet/cluster.ts';
import { CLUSTERSET_LABEL, MEMBER_ID_LABEL, type ProfileRecord } from './profile-record.ts';

/** A profile and the hub it is from. */
export interface FoundProfile {
  readonly record: ProfileRecord;
  /** The hub's context; empty for profiles of a file. */
  readonly hub: string;
  /** The clusterset that the namespace of the profile is of. */
  readonly clusterset?: string | undefined;
}

/**
 * Makes clusters of profiles. Managers repeat a cluster in every namespace that it is bound to: profiles of one manager
 * and one name are one cluster unless they lead to different ones. Where a plain name would mean two clusters, each
 * of them is called `namespace/name`, and `hub/namespace/name` where that is not enough either.
 */
export function mergeProfiles(profiles: readonly FoundProfile[]): FleetCluster[] {
  const groups = [...groupBy(profiles, identityOf).values()].flatMap(byServer);
  const perName = countBy(groups, ({ name }) => name);
  let perPlace: Map<string, number> | undefined;
  const clusters = groups.map((group) => {
    const [{ record, hub }] = group;
    if (perName.get(record.name) === 1) return clusterOf(record.name, group);
    perPlace ??= countBy(groups, placeOf);
    const place = placeOf(record);
    return clusterOf(perPlace.get(place) === 1 || hub === '' ? place : `${hub}/${place}`, group);
  });
  // As they come from a server most are in order already.
  return isInOrder(clusters) ? clusters : clusters.sort(byNameOrder);
}

function isInOrder(clusters: readonly FleetCluster[]): boolean {
  let last = '';
  for (const { name } of clusters) {
    if (name < last) return false;
    last = name;
  }
  return true;
}

/** Clusters in the order they are shown in. */
export function byNameOrder(a: FleetCluster, b: FleetCluster): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** At least one profile, all of the same cluster. */
type Group = readonly [FoundProfile, ...FoundProfile[]];

/** Newlines are in no name. */
function identityOf({ record }: FoundProfile): string {
  return record.labels[MEMBER_ID_LABEL] ?? `${record.manager}\n${record.clusterName}`;
}

/**
 * Splits profiles of one identity by the cluster they lead to: by its servers, and by what it calls itself. Those that say
 * neither belong to the others as long as these agree; where they do not, nobody knows whose they are.
 */
function byServer(profiles: readonly FoundProfile[]): Group[] {
  const [only] = profiles;
  if (only === undefined) return [];
  if (profiles.length === 1) return [[only]];
  const groups: { readonly evidence: Set<string>; members: FoundProfile[] }[] = [];
  const without: FoundProfile[] = [];
  for (const profile of profiles) {
    const evidence = evidenceOf(profile.record);
    if (evidence.length === 0) {
      without.push(profile);
      continue;
    }
    const [first, ...others] = groups.filter((group) =>
      evidence.some((each) => group.evidence.has(each)),
    );
    if (first === undefined) {
      groups.push({ evidence: new Set(evidence), members: [profile] });
      continue;
    }
    // This one belongs to several groups: they are one.
    for (const other of others) {
      for (const each of other.evidence) first.evidence.add(each);
      first.members.push(...other.members);
      groups.splice(groups.indexOf(other), 1);
    }
    for (const each of evidence) first.evidence.add(each);
    first.members.push(profile);
  }
  const agree = groups.length <= 1;
  const sets = agree
    ? [[...(groups[0]?.members ?? []), ...without]]
    : [...groups.map(({ members }) => members), ...without.map((profile) => [profile])];
  // What hubs list first counts first, so that a run does not depend on who has offers.
  const order = new Map(profiles.map((profile, at) => [profile, at]));
  return sets.map((set) => {
    const [first = only, ...rest] = set.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
    return [first, ...rest];
  });
}

/** What tells a cluster from others of its name. */
function evidenceOf({ offers, properties }: ProfileRecord): string[] {
  const servers = offers.flatMap(({ server }) => (server === '' ? [] : [canonicalServer(server)]));
  const id = properties['cluster.clusterset.k8s.io'] ?? properties['id.k8s.io'];
  return id === undefined ? servers : [...servers, `id:${id}`];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function clusterOf(name: string, group: Group): FleetCluster {
  const { record, hub, clusterset } = group.length === 1 ? group[0] : merged(group);
  const { labels, displayName, properties, version, health, offers } = record;
  const profile: Mutable<ProfileRef> = {
    namespace: record.namespace,
    name: record.name,
    manager: record.manager,
    displayName,
  };
  // Not spread: there are thousands of them, made before V8 has a fast way to do that.
  if (record.cloudProvider !== undefined) profile.cloudProvider = record.cloudProvider;
  if (record.region !== undefined) profile.region = record.region;
  if (hub !== '') profile.hub = hub;
  return {
    name,
    aliases: aliasesOf(name, displayName, group),
    profile,
    labels:
      clusterset === undefined || Object.hasOwn(labels, CLUSTERSET_LABEL)
        ? labels
        : { ...labels, [CLUSTERSET_LABEL]: clusterset },
    properties,
    version,
    health,
    offers,
  };
}

/** Several profiles of a cluster as one. What the first says counts, and what it leaves open the next one says. */
function merged(group: Group): FoundProfile {
  const [first] = group;
  const records = group.map((each) => each.record);
  const placed = records.find(({ cloudProvider }) => cloudProvider !== undefined) ?? first.record;
  const region = placed.region ?? first.record.region;
  const record: Mutable<ProfileRecord> = {
    ...first.record,
    displayName: records.find(({ displayName }) => displayName !== '')?.displayName ?? '',
    labels: mergedLabels(group, records),
    properties: mergedPairs(records, 'properties'),
    version: records.find(({ version }) => version !== '')?.version ?? '',
    health: records.find(({ health }) => health !== 'unknown')?.health ?? 'unknown',
    offers: mergedOffers(records),
  };
  if (placed.cloudProvider !== undefined) record.cloudProvider = placed.cloudProvider;
  if (region !== undefined) record.region = region;
  return { record, hub: first.hub };
}

/** The set of the first one's namespace counts more than what the others say of themselves. */
function mergedLabels(
  group: Group,
  records: readonly ProfileRecord[],
): Readonly<Record<string, string>> {
  const labels = mergedPairs(records, 'labels');
  const set = group.find((each) => each.clusterset !== undefined)?.clusterset;
  return set === undefined || Object.hasOwn(group[0].record.labels, CLUSTERSET_LABEL)
    ? labels
    : { ...labels, [CLUSTERSET_LABEL]: set };
}

/** The display name stands last: it is the one that anybody may have chosen. */
function aliasesOf(name: string, displayName: string, group: Group): string[] {
  // Nearly all have two or three names, which is no work for a Set.
  const aliases: string[] = [];
  const add = (alias: string): void => {
    if (alias !== name && !aliases.includes(alias)) aliases.push(alias);
  };
  for (const { record } of group) {
    add(record.name);
    add(placeOf(record));
    add(record.clusterName);
  }
  if (displayName !== '') add(displayName);
  return aliases;
}

/** `namespace/name`; profiles of files may have no namespace. */
export function placeOf({ namespace, name }: { namespace: string; name: string }): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

function mergedPairs(
  records: readonly ProfileRecord[],
  field: 'labels' | 'properties',
): Readonly<Record<string, string>> {
  return Object.fromEntries([...records].reverse().flatMap((each) => Object.entries(each[field])));
}

function mergedOffers(records: readonly ProfileRecord[]): readonly AccessOffer[] {
  const byName = new Map<string, AccessOffer>();
  for (const offer of records.flatMap(({ offers }) => offers)) {
    if (!byName.has(offer.name)) byName.set(offer.name, offer);
  }
  return [...byName.values()];
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function countBy(
  groups: readonly Group[],
  keyOf: (record: ProfileRecord) => string,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [{ record }] of groups) {
    const key = keyOf(record);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
