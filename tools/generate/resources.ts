import type { Ask } from './real-server.ts';

/** One resource or subresource, as discovery tells it. */
export interface ResourceRow {
  readonly name: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Of the kind, where it is not the group version that serves the resource. */
  readonly group?: string;
  readonly version?: string;
}

/** A served group version; `preferred` marks the one that clients use when they name none. */
export interface GroupVersionRow {
  readonly group: string;
  readonly version: string;
  readonly preferred: boolean;
  readonly resources: readonly ResourceRow[];
}

interface ApiGroups {
  readonly groups: readonly {
    readonly name: string;
    readonly versions: readonly { readonly groupVersion: string; readonly version: string }[];
    readonly preferredVersion: { readonly version: string };
  }[];
}

interface ApiResources {
  readonly resources: readonly (Omit<ResourceRow, 'singular'> & {
    readonly singularName: string;
  })[];
}

/** Every group version of a server, in the server's own order. */
export async function readResources(ask: Ask): Promise<GroupVersionRow[]> {
  const { groups } = (await ask('/apis')) as ApiGroups;
  const named = groups.flatMap(({ name, versions, preferredVersion }) =>
    versions.map(({ version }) => ({
      group: name,
      version,
      preferred: version === preferredVersion.version,
      path: `/apis/${name}/${version}`,
    })),
  );
  const all = [{ group: '', version: 'v1', preferred: true, path: '/api/v1' }, ...named];
  return Promise.all(
    all.map(async ({ path, ...groupVersion }) => {
      const { resources } = (await ask(path)) as ApiResources;
      return { ...groupVersion, resources: resources.map(resourceRow) };
    }),
  );
}

/** Where each listable resource is listed, with its key such as `core/v1/pods`. */
export function listPaths(rows: readonly GroupVersionRow[]): { key: string; path: string }[] {
  return rows.flatMap(({ group, version, resources }) =>
    resources
      .filter(({ verbs }) => verbs.includes('list'))
      .map(({ name }) => ({
        key: `${group === '' ? 'core' : group}/${version}/${name}`,
        path: `${group === '' ? '/api' : `/apis/${group}`}/${version}/${name}`,
      })),
  );
}

/** `resources.json`, one resource per line. */
export function formatResources(rows: readonly GroupVersionRow[]): string {
  const parts = rows.map(({ resources, ...groupVersion }) => {
    const head = JSON.stringify(groupVersion).slice(0, -1);
    const lines = resources.map((row) => `    ${JSON.stringify(row)}`);
    return `  ${head},"resources":[\n${lines.join(',\n')}\n  ]}`;
  });
  return `[\n${parts.join(',\n')}\n]\n`;
}

function resourceRow(resource: ApiResources['resources'][number]): ResourceRow {
  const { name, kind, singularName, namespaced, verbs } = resource;
  const { shortNames, categories, group, version } = resource;
  return {
    name,
    kind,
    singular: singularName,
    namespaced,
    verbs,
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(categories === undefined ? {} : { categories }),
    ...(group === undefined ? {} : { group }),
    ...(version === undefined ? {} : { version }),
  };
}
