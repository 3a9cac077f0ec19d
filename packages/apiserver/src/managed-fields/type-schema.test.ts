import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { MergeSchema } from '@flotilla/machinery/apply';
import { typeTables } from '../codec/type-tables.ts';
import { storedDocuments } from '../openapi/stored-documents.ts';
import { mergeSchemaOfType } from './type-schema.ts';

interface OpenApi {
  readonly $ref?: string;
  readonly allOf?: readonly OpenApi[];
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, OpenApi>>;
  readonly additionalProperties?: OpenApi;
  readonly items?: OpenApi;
  readonly [extension: `x-kubernetes-${string}`]: unknown;
}

test('every kind merges as upstream’s OpenAPI says', () => {
  const documents = storedDocuments(join(FLOTILLA_DATA, 'openapi'));
  const problems: string[] = [];
  let kinds = 0;
  for (const document of documents.v3().values()) {
    const content = documents.read(document, { ending: 'json', gzip: false }).toString();
    const schemas = (JSON.parse(content).components?.schemas ?? {}) as Record<string, OpenApi>;
    for (const [name, schema] of Object.entries(schemas)) {
      for (const gvk of (schema['x-kubernetes-group-version-kind'] ?? []) as Gvk[]) {
        const type = name.includes('.meta.v1.') ? undefined : typeTables().kind(gvk);
        if (type === undefined) continue;
        kinds += 1;
        compare(mergeSchemaOfType(type), schema, {
          path: `${gvk.group}/${gvk.version} ${gvk.kind}`,
          schemas,
          seen: new Set(),
          problems,
        });
      }
    }
  }

  assert.ok(kinds > 100, `only ${kinds} kinds were looked at`);
  assert.deepEqual([...new Set(problems)], []);
});

interface Gvk {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface Walk {
  readonly path: string;
  readonly schemas: Readonly<Record<string, OpenApi>>;
  readonly seen: Set<string>;
  readonly problems: string[];
}

function compare(ours: MergeSchema, theirs: OpenApi, walk: Walk): void {
  const ref = theirs.$ref ?? theirs.allOf?.[0]?.$ref;
  const name = ref?.split('/').at(-1) ?? '';
  const target = walk.schemas[name];
  if (target !== undefined) {
    if (walk.seen.has(name)) return;
    const override = theirs['x-kubernetes-map-type'];
    const merged =
      override === undefined ? target : { ...target, 'x-kubernetes-map-type': override };
    compare(ours, special(name, merged), { ...walk, seen: new Set([...walk.seen, name]) });
    return;
  }
  const [mine, wanted] = [formOf(ours), openApiForm(theirs)];
  if (mine !== wanted) {
    walk.problems.push(`${walk.path}: ${mine} instead of ${wanted}`);
    return;
  }
  for (const [field, member] of Object.entries(theirs.properties ?? {})) {
    const own = ours.map?.field(field);
    const path = `${walk.path}.${field}`;
    if (own === undefined) walk.problems.push(`${path} is missing`);
    else compare(own.schema, member, { ...walk, path });
  }
  if (theirs.additionalProperties !== undefined && ours.map?.others !== undefined) {
    compare(ours.map.others(), theirs.additionalProperties, { ...walk, path: `${walk.path}.*` });
  }
  if (theirs.items !== undefined && ours.list !== undefined) {
    const items = ours.list.items();
    for (const key of ours.list.keys) {
      const own = items.map?.field(key)?.default;
      const element = resolved(theirs.items, walk);
      const wantedDefault = element.properties?.[key]?.default;
      if (own !== wantedDefault) {
        walk.problems.push(
          `${walk.path}: key ${key} counts as ${String(own)}, not ${String(wantedDefault)}`,
        );
      }
    }
    compare(items, theirs.items, { ...walk, path: `${walk.path}[]` });
  }
}

function resolved(schema: OpenApi, { schemas }: Walk): OpenApi {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  return ref === undefined ? schema : (schemas[ref.split('/').at(-1) ?? ''] ?? schema);
}

/** Types whose schema upstream knows by heart. */
function special(name: string, schema: OpenApi): OpenApi {
  if (name.endsWith('api.resource.Quantity')) return { type: 'string', format: 'quantity' };
  if (name.endsWith('runtime.RawExtension')) return { 'x-kubernetes-raw': true };
  return schema;
}

function formOf({ scalar, list, map }: MergeSchema): string {
  if (scalar !== undefined && list !== undefined) return map?.atomic === true ? 'raw' : 'any';
  if (scalar !== undefined) return scalar;
  if (list !== undefined)
    return list.atomic ? 'atomic list' : `list by ${list.keys.join() || 'value'}`;
  return map?.atomic === true ? 'atomic map' : 'map';
}

function openApiForm(schema: OpenApi): string {
  if (schema['x-kubernetes-raw'] === true) return 'raw';
  switch (schema.type) {
    case undefined:
      return 'any';
    case 'integer':
    case 'number':
      return 'numeric';
    case 'boolean':
      return 'boolean';
    case 'string':
      return ['', 'byte'].includes(schema.format ?? '') ? 'string' : 'untyped';
    case 'array':
      return listForm(schema);
    default:
      return schema['x-kubernetes-map-type'] === 'atomic' ? 'atomic map' : 'map';
  }
}

function listForm(schema: OpenApi): string {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'map') return `list by ${(schema['x-kubernetes-list-map-keys'] as string[]).join()}`;
  if (type === 'set') return 'list by value';
  if (type === 'atomic') return 'atomic list';
  const strategy = schema['x-kubernetes-patch-strategy'];
  if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return 'atomic list';
  return `list by ${(schema['x-kubernetes-patch-merge-key'] as string | undefined) ?? 'value'}`;
}
