import { isJsonObject, type Json, parseGroupVersion } from '@flotilla/machinery';
import type { ApiGroup, ApiResource, ApiSurface } from './surface.ts';

/** A group version that has a document of its own in the older form. */
export interface LegacyVersion {
  readonly group: string;
  readonly version: string;
}

/** True for the document that holds everything (v2 and v2beta1 look alike). */
export function isAggregated(document: unknown): document is Json {
  return isJsonObject(document) && document['kind'] === 'APIGroupDiscoveryList';
}

/** Reads the form that has everything in one document. */
export function readAggregated(document: Json): ApiSurface {
  const failed: string[] = [];
  const groups = objects(document['items']).map((item): ApiGroup => {
    const name = text(asJson(item['metadata'])['name']);
    const fresh = objects(item['versions']).filter((version) => {
      // The server behind it did not answer, so the description may be old.
      const isStale = version['freshness'] === 'Stale';
      if (isStale) failed.push(`${name}/${text(version['version'])}`);
      return !isStale;
    });
    return { name, versions: fresh.map((version) => aggregatedVersion(name, version)) };
  });
  return { groups, failed };
}

/** Which group versions an older server has, preferred ones first: /api and /apis differ in form. */
export function readLegacyVersions(document: unknown): LegacyVersion[][] {
  const { versions, groups } = asJson(document);
  if (Array.isArray(versions)) {
    return [versions.map((version) => ({ group: '', version: text(version) }))];
  }
  return objects(groups).map((group) => {
    const preferred = text(asJson(group['preferredVersion'])['version']);
    const names = objects(group['versions']).map(({ version }) => text(version));
    const ordered = [preferred, ...names.filter((name) => name !== preferred)];
    return ordered
      .filter((version) => names.includes(version))
      .map((version) => ({ group: text(group['name']), version }));
  });
}

/** Reads the resources of one group version from an older server. */
export function readLegacyResources(document: unknown): ApiResource[] {
  const { groupVersion, resources } = asJson(document);
  const gv = parseGroupVersion(text(groupVersion));
  if (gv === undefined) return [];
  const all = objects(resources);
  return all
    .filter(({ name }) => !text(name).includes('/'))
    .map((resource): ApiResource => {
      const plural = text(resource['name']);
      const kind = text(resource['kind']);
      return {
        ...gv,
        kind,
        plural,
        namespaced: resource['namespaced'] === true,
        // Servers before 1.27 leave it empty.
        singular: text(resource['singularName']) || kind.toLowerCase(),
        ...names(resource),
        subresources: all
          .map(({ name }) => text(name))
          .filter((name) => name.startsWith(`${plural}/`))
          .map((name) => name.slice(plural.length + 1)),
      };
    });
}

function aggregatedVersion(group: string, { version, resources }: Json): ApiGroup['versions'][0] {
  return {
    version: text(version),
    // A resource without a kind only carries its subresources.
    resources: objects(resources)
      .filter(({ responseKind }) => text(asJson(responseKind)['kind']) !== '')
      .map((resource): ApiResource => {
        const kind = text(asJson(resource['responseKind'])['kind']);
        return {
          group,
          version: text(version),
          kind,
          plural: text(resource['resource']),
          namespaced: resource['scope'] === 'Namespaced',
          singular: text(resource['singularResource']) || kind.toLowerCase(),
          ...names(resource),
          subresources: objects(resource['subresources']).map(({ subresource }) =>
            text(subresource),
          ),
        };
      }),
  };
}

function names({ shortNames, categories, verbs }: Json) {
  return { shortNames: texts(shortNames), categories: texts(categories), verbs: texts(verbs) };
}

function asJson(value: unknown): Json {
  return isJsonObject(value) ? value : {};
}

function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(text) : [];
}
