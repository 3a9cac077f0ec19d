import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Json } from '@flotilla/machinery';
import {
  definitionName,
  openApiListSchema,
  openApiSchemaV2,
  openApiSchemaV3,
  type PublishedVersion,
} from '@flotilla/machinery/schema';
import type { CrdHolder } from '../custom/crd-holder.ts';
import type { CrdIndex } from '../custom/crd-index.ts';
import type { ResourceDef } from '../resources/resource.ts';
import type { Tenant } from '../storage/store.ts';
import { customPaths, type OpenApiForm } from './custom-paths.ts';
import type { ServedDocument, StoredDocuments } from './stored-documents.ts';
import { definitionsMessage } from './swagger-protobuf.ts';

/** OpenAPI of what a tenant's CRDs define. */
export interface CustomDocuments {
  /** By what follows `/openapi/v3/`. */
  readonly v3: (tenant: Tenant) => ReadonlyMap<string, ServedDocument>;
  /** The whole of version 2; undefined for a tenant without CRDs. */
  readonly v2: (tenant: Tenant) => ServedDocument | undefined;
}

interface Published {
  readonly holder: CrdHolder;
  readonly def: ResourceDef;
}

/** Documents of version 2 kept, in their compressed form: they are large, and asked for by few. */
const KEPT = 4;
/** The built-in document whose schemas custom ones refer to. */
const BASE_DOCUMENT = 'apis/apps/v1';
const BASE_SCHEMAS = [
  'io.k8s.api.autoscaling.v1.Scale',
  'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta',
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Patch',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Status',
];

/**
 * Writes documents when they are read, never when a CRD changes: their hashes say which CRDs they are written from, so
 * that the index of a thousand CRDs costs no more than their names.
 */
export function customDocuments(crds: CrdIndex, stored: StoredDocuments): CustomDocuments {
  const seen = new Map<
    Tenant,
    { revision: number; documents: ReadonlyMap<string, ServedDocument> }
  >();
  const wholes = new Map<string, Buffer>();
  let base: Json | undefined;
  const baseSchemas = (): Json => {
    base ??= readBase(stored);
    return base;
  };

  const groups = (tenant: Tenant): Map<string, Published[]> => {
    const found = new Map<string, Published[]>();
    for (const holder of crds.all(tenant)) {
      for (const { name } of holder.crd().spec.versions) {
        const def = holder.find(name);
        if (def === undefined) continue;
        const key = `apis/${def.apiVersion}`;
        found.set(key, [...(found.get(key) ?? []), { holder, def }]);
      }
    }
    return found;
  };

  return {
    v3: (tenant) => {
      const revision = crds.revision(tenant);
      const known = seen.get(tenant);
      if (known?.revision === revision) return known.documents;
      const documents = new Map<string, ServedDocument>();
      for (const [name, published] of groups(tenant)) {
        documents.set(name, {
          hash: hashOf(published),
          read: ({ gzip }) => {
            const bytes = Buffer.from(JSON.stringify(documentV3(published, baseSchemas())));
            return gzip ? gzipSync(bytes) : bytes;
          },
        });
      }
      if (documents.size > 0) seen.set(tenant, { revision, documents });
      else seen.delete(tenant);
      return documents;
    },
    v2: (tenant) => {
      const published = [...groups(tenant).values()].flat();
      if (published.length === 0) return undefined;
      const hash = hashOf(published);
      return {
        hash,
        read: ({ ending, gzip }) => {
          const key = `${ending} ${hash}`;
          let bytes = wholes.get(key);
          if (bytes === undefined) {
            const write = ending === 'json' ? documentV2 : protobufV2;
            bytes = gzipSync(write(published, stored), { level: 1 });
            wholes.set(key, bytes);
            for (const oldest of wholes.keys()) {
              if (wholes.size <= KEPT) break;
              wholes.delete(oldest);
            }
          }
          return gzip ? bytes : gunzipSync(bytes);
        },
      };
    },
  };
}

function hashOf(published: readonly Published[]): string {
  const hash = createHash('sha512');
  for (const { holder, def } of published) {
    const { metadata, status } = holder.crd();
    const names = status?.acceptedNames ?? {};
    hash.update(JSON.stringify([metadata.uid, holder.changedAt(), def.apiVersion, names]));
  }
  return hash.digest('hex').toUpperCase();
}

function documentV3(published: readonly Published[], base: Json): Json {
  const schemas: Json = { ...base };
  const paths: Json = {};
  for (const each of published) addTo({ schemas, paths }, each, 'v3');
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' },
    paths,
    components: { schemas },
  };
}

/** Everything there is in one document, as version 2 wants it. */
function documentV2(published: readonly Published[], stored: StoredDocuments): Buffer {
  const whole = JSON.parse(
    stored.read(stored.v2(), { ending: 'json', gzip: false }).toString(),
  ) as { paths: Json; definitions: Json };
  const added = { schemas: {} as Json, paths: {} as Json };
  for (const each of published) addTo(added, each, 'v2');
  const document = {
    ...whole,
    paths: { ...added.paths, ...whole.paths },
    definitions: { ...added.schemas, ...whole.definitions },
  };
  return Buffer.from(JSON.stringify(document));
}

/** The same in protobuf, as far as definitions go: nobody who reads it looks at paths of custom kinds. */
function protobufV2(published: readonly Published[], stored: StoredDocuments): Buffer {
  const added = { schemas: {} as Json, paths: {} as Json };
  for (const each of published) addTo(added, each, 'v2');
  const whole = stored.read(stored.v2(), { ending: 'pb', gzip: false });
  return Buffer.concat([whole, definitionsMessage(added.schemas)]);
}

function addTo(
  { schemas, paths }: { schemas: Json; paths: Json },
  { holder, def }: Published,
  form: OpenApiForm,
): void {
  const { spec } = holder.crd();
  const version = spec.versions.find(({ name }) => name === def.version);
  const published: PublishedVersion = {
    group: def.group,
    version: def.version,
    kind: def.kind,
    listKind: def.listKind,
    schema: version?.schema?.openAPIV3Schema,
    ...(spec.preserveUnknownFields === undefined
      ? {}
      : { preserveUnknownFields: spec.preserveUnknownFields }),
    ...(version?.selectableFields === undefined
      ? {}
      : { selectableFields: version.selectableFields }),
  };
  const names = {
    kind: definitionName(published),
    list: definitionName({ ...published, kind: def.listKind }),
  };
  schemas[names.kind] = form === 'v3' ? openApiSchemaV3(published) : openApiSchemaV2(published);
  schemas[names.list] = openApiListSchema(published, names.kind, form);
  Object.assign(paths, customPaths({ def, names }, form));
}

/** The schemas of built-in types that custom documents refer to, and what those refer to. */
function readBase(stored: StoredDocuments): Json {
  const document = stored.v3().get(BASE_DOCUMENT);
  if (document === undefined) return {};
  const text = stored.read(document, { ending: 'json', gzip: false }).toString();
  const { schemas } = (JSON.parse(text) as { components: { schemas: Json } }).components;
  const wanted: Json = {};
  const add = (name: string): void => {
    if (Object.hasOwn(wanted, name) || !Object.hasOwn(schemas, name)) return;
    wanted[name] = schemas[name];
    const references = JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/([^"]+)"/g);
    for (const [, reference = ''] of references) add(reference);
  };
  for (const name of BASE_SCHEMAS) add(name);
  return wanted;
}
