import { createHash } from 'node:crypto';
import type { GroupVersion, ResourceData } from '../resources/registry.ts';

/** The documents through which clients learn what is served. */
export interface Discovery {
  /** `/api`. */
  readonly versions: (address: string) => unknown;
  /** `/apis`. */
  readonly groups: () => unknown;
  /** `/apis/GROUP`; undefined when there is no such group. */
  readonly group: (group: string) => unknown;
  /** `/api/v1`, `/apis/GROUP/VERSION`; undefined when there is none. */
  readonly resources: (group: string, version: string) => unknown;
  /** Everything below `/api` or `/apis` in one document. */
  readonly aggregated: (root: 'api' | 'apis', version: 'v2' | 'v2beta1') => AggregatedDocument;
}

/** A discovery document with its fingerprint, for clients that ask again. */
export interface AggregatedDocument {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Writes discovery from the list of group versions; documents are made on first use and kept. */
export function createDiscovery(groupVersions: () => readonly GroupVersion[]): Discovery {
  let known: readonly GroupVersion[] = [];
  const documents = new Map<string, AggregatedDocument>();
  const current = (): readonly GroupVersion[] => {
    const now = groupVersions();
    if (now !== known) {
      known = now;
      documents.clear();
    }
    return now;
  };
  return {
    versions: (address) => ({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
    }),
    groups: () => ({
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: groupNames(current()).map((group) => apiGroup(current(), group)),
    }),
    group: (group) =>
      group !== '' && groupNames(current()).includes(group)
        ? { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(current(), group) }
        : undefined,
    resources: (group, version) => {
      const gv = current().find((each) => each.group === group && each.version === version);
      if (gv === undefined) return undefined;
      return {
        kind: 'APIResourceList',
        ...(group === '' ? {} : { apiVersion: 'v1' }),
        groupVersion: groupVersion(gv),
        resources: gv.resources.map((resource) => apiResource(gv, resource)),
      };
    },
    aggregated: (root, version) => {
      const all = current();
      const key = `${root}/${version}`;
      let document = documents.get(key);
      if (document === undefined) {
        document = aggregate(all, root, version);
        documents.set(key, document);
      }
      return document;
    },
  };
}

function groupNames(all: readonly GroupVersion[]): string[] {
  return [...new Set(all.map(({ group }) => group))].filter((group) => group !== '');
}

/** Custom groups all have the same priority, and here, unlike in the list of groups, their names decide. */
function inAggregatedOrder(all: readonly GroupVersion[]): string[] {
  const isCustom = (group: string): boolean =>
    all.every((gv) => gv.group !== group || gv.resources[0]?.custom !== undefined);
  const names = groupNames(all);
  return [
    ...names.filter((group) => !isCustom(group)),
    ...names.filter((group) => isCustom(group)).sort(),
  ];
}

function groupVersion({ group, version }: { group: string; version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

function apiGroup(all: readonly GroupVersion[], group: string): Record<string, unknown> {
  const versions = all
    .filter((gv) => gv.group === group)
    .map((gv) => ({ groupVersion: groupVersion(gv), version: gv.version }));
  return { name: group, versions, preferredVersion: versions[0] };
}

function apiResource(gv: GroupVersion, resource: ResourceData): Record<string, unknown> {
  return {
    name: resource.name,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    ...(resource.group === undefined ? {} : { group: resource.group }),
    ...(resource.version === undefined ? {} : { version: resource.version }),
    kind: resource.kind,
    verbs: resource.verbs,
    ...(resource.shortNames === undefined ? {} : { shortNames: resource.shortNames }),
    ...(resource.categories === undefined ? {} : { categories: resource.categories }),
    ...(resource.name.includes('/') ||
    !resource.verbs.includes('list') ||
    resource.custom?.storageVersion === ''
      ? {}
      : { storageVersionHash: storageVersionHash(gv, resource) }),
  };
}

/** Upstream's fingerprint of the version a kind is stored in. */
function storageVersionHash(gv: GroupVersion, resource: ResourceData): string {
  const stored = STORED_ELSEWHERE[`${groupVersion(gv)}/${resource.name}`] ?? {
    group: gv.group,
    version: resource.custom?.storageVersion ?? gv.version,
  };
  return createHash('sha256')
    .update(`${stored.group}/${stored.version}/${resource.kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}

const STORED_ELSEWHERE: Readonly<Record<string, { group: string; version: string }>> = {
  'events.k8s.io/v1/events': { group: '', version: 'v1' },
  'autoscaling/v1/horizontalpodautoscalers': { group: 'autoscaling', version: 'v2' },
};

function aggregate(
  all: readonly GroupVersion[],
  root: 'api' | 'apis',
  version: 'v2' | 'v2beta1',
): AggregatedDocument {
  const groups = root === 'api' ? [''] : inAggregatedOrder(all);
  const document = {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map((group) => ({
      metadata: group === '' ? {} : { name: group },
      versions: all
        .filter((gv) => gv.group === group)
        .map((gv) => ({
          version: gv.version,
          resources: discoveryResources(gv),
          freshness: 'Current',
        })),
    })),
  };
  const bytes = Buffer.from(`${JSON.stringify(document)}\n`);
  const etag = `"${createHash('sha512').update(bytes).digest('hex').toUpperCase()}"`;
  return { bytes, etag };
}

function discoveryResources(gv: GroupVersion): unknown[] {
  return gv.resources
    .filter(({ name }) => !name.includes('/'))
    .map((resource) => {
      const subs = gv.resources.filter(({ name }) => name.startsWith(`${resource.name}/`));
      return {
        resource: resource.name,
        responseKind: responseKind(gv, resource),
        scope: resource.namespaced ? 'Namespaced' : 'Cluster',
        singularResource: resource.singular,
        verbs: resource.verbs,
        ...(resource.shortNames === undefined ? {} : { shortNames: resource.shortNames }),
        ...(resource.categories === undefined ? {} : { categories: resource.categories }),
        ...(subs.length === 0
          ? {}
          : {
              subresources: subs.map((sub) => ({
                subresource: sub.name.slice(resource.name.length + 1),
                responseKind: responseKind(gv, sub),
                verbs: sub.verbs,
              })),
            }),
      };
    });
}

function responseKind(gv: GroupVersion, resource: ResourceData): unknown {
  // Empty stands for the group and version the resource is served in.
  const { group = gv.group, version = gv.version, kind } = resource;
  const own = group === gv.group && version === gv.version && resource.custom === undefined;
  return own ? { group: '', version: '', kind } : { group, version, kind };
}
