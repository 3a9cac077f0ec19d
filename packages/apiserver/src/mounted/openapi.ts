import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { ServedDocument } from '../openapi/stored-documents.ts';
import type { Mount, MountedResource } from './mount.ts';

/** OpenAPI v3 documents by what follows `/openapi/v3/`. */
export type Documents = ReadonlyMap<string, ServedDocument>;

const METHOD: Readonly<Record<string, string>> = {
  get: 'get',
  list: 'get',
  create: 'post',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
};
/** Verbs of a collection; all others are of one object. */
const OF_COLLECTION = new Set(['list', 'create', 'deletecollection']);
const ACTION: Readonly<Record<string, string>> = { create: 'post', update: 'put' };

/** Adds the documents of mounted groups to those there are; each is written once, when it is first asked for. */
export function createMountedDocuments(): (
  mounts: readonly Mount[],
  others: Documents,
) => Documents {
  const written = new WeakMap<Mount, ServedDocument>();
  return (mounts, others) => {
    if (mounts.length === 0) return others;
    const documents = new Map(others);
    for (const mount of mounts) {
      const document = written.get(mount) ?? documentOf(mount);
      written.set(mount, document);
      documents.set(`apis/${mount.group}/${mount.version}`, document);
    }
    return documents;
  };
}

function documentOf(mount: Mount): ServedDocument {
  const bytes = Buffer.from(JSON.stringify(describe(mount)));
  return {
    hash: createHash('sha512').update(bytes).digest('hex').toUpperCase(),
    read: ({ gzip }) => (gzip ? gzipSync(bytes) : bytes),
  };
}

/** What the group serves: its paths, and the kinds it gave schemas for. */
function describe(mount: Mount): Record<string, unknown> {
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.fromEntries(mount.resources.flatMap((resource) => pathsOf(mount, resource))),
    components: { schemas: schemasOf(mount) },
  };
}

function schemasOf(mount: Mount): Record<string, unknown> {
  const { group, version, resources, schemas = {} } = mount;
  const kinds = new Set(resources.map(({ kind }) => kind));
  return Object.fromEntries(
    [...kinds].map((kind) => [
      schemaName(mount, kind),
      {
        type: 'object',
        ...schemas[kind],
        'x-kubernetes-group-version-kind': [{ group, kind, version }],
      },
    ]),
  );
}

/** The group backwards, as names of Java packages are: `com.example.widgets.v1.Widget`. */
function schemaName({ group, version }: Mount, kind: string): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}

function pathsOf(mount: Mount, resource: MountedResource): [string, object][] {
  const { group, version } = mount;
  const [name = '', subresource] = resource.name.split('/');
  const place = resource.namespaced ? 'namespaces/{namespace}/' : '';
  const collection = `/apis/${group}/${version}/${place}${name}`;
  const one = `${collection}/{name}`;
  if (subresource !== undefined) {
    return [[`${one}/${subresource}`, operations(mount, resource, () => true)]];
  }
  const paths: [string, object][] = [
    [collection, operations(mount, resource, (verb) => OF_COLLECTION.has(verb))],
    [one, operations(mount, resource, (verb) => !OF_COLLECTION.has(verb))],
  ];
  if (resource.namespaced && resource.verbs.includes('list')) {
    const everywhere = `/apis/${group}/${version}/${name}`;
    paths.push([everywhere, operations(mount, resource, (verb) => verb === 'list')]);
  }
  return paths.filter(([, item]) => Object.keys(item).length > 0);
}

function operations(
  mount: Mount,
  { verbs, kind }: MountedResource,
  isWanted: (verb: string) => boolean,
): Record<string, unknown> {
  const { group, version } = mount;
  const schema = { $ref: `#/components/schemas/${schemaName(mount, kind)}` };
  return Object.fromEntries(
    verbs
      .filter((verb) => isWanted(verb) && METHOD[verb] !== undefined)
      .map((verb) => [
        METHOD[verb],
        {
          responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } },
          'x-kubernetes-action': ACTION[verb] ?? verb,
          'x-kubernetes-group-version-kind': { group, version, kind },
        },
      ]),
  );
}
