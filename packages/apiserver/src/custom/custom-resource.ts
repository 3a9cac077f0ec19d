import { encodeJson, type KubeObject } from '@flotilla/machinery';
import { type MergeSchema, mergeSchemaOfStructural } from '@flotilla/machinery/apply';
import { typeTables } from '../codec/type-tables.ts';
import { patchTypeUnsupported } from '../handlers/unsupported.ts';
import { mergeSchemaOfType } from '../managed-fields/type-schema.ts';
import type { Conversion, ResourceDef, SubresourceDef } from '../resources/resource.ts';
import {
  type CrdVersion,
  type CustomResourceDefinition,
  hasCondition,
  isNamespaced,
} from './crd.ts';
import { customBehaviour, tableColumns } from './custom-behaviour.ts';
import { customForm } from './custom-form.ts';
import { deprecationOf } from './deprecation.ts';
import type { ObjectShape } from './object-shape.ts';
import { readCustomBody } from './read-body.ts';
import { readPatched } from './read-patched.ts';

/** What requests to a custom kind may be. */
export const CUSTOM_VERBS: readonly string[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];

/** What requests to the status or scale of one may be. */
export const SUBRESOURCE_VERBS: readonly string[] = ['get', 'patch', 'update'];

/** Everything the handlers need to know about one version of a custom kind. */
export function customResource(
  crd: CustomResourceDefinition,
  version: CrdVersion,
  { shape, conversion }: { shape: ObjectShape; conversion: Conversion },
): ResourceDef {
  const { group } = crd.spec;
  // The accepted names count: a CRD that asks for others may be in conflict.
  const names = crd.status?.acceptedNames ?? crd.spec.names;
  const { kind, plural: resource } = names;
  const apiVersion = `${group}/${version.name}`;
  const gvk = { group, version: version.name, kind };
  const namespaced = isNamespaced(crd);
  const deprecation = deprecationOf(crd, version);
  let columns: ReturnType<typeof tableColumns> | undefined;
  let mergeSchema: MergeSchema | undefined;
  return {
    group,
    version: version.name,
    apiVersion,
    resource,
    kind,
    listKind: names.listKind ?? `${kind}List`,
    singular: names.singular ?? '',
    namespaced,
    verbs: CUSTOM_VERBS,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    subresources: subresourcesOf(version, gvk),
    behaviour: customBehaviour(version, shape, { namespaced }),
    errorKind: { group, kind },
    prefix: `${group}/${resource}/`,
    builtIn: false,
    typeMetaBytes: Buffer.from(`{"apiVersion":"${apiVersion}","kind":"${kind}",`),
    conversion,
    columns: () => {
      columns ??= tableColumns(version);
      return columns;
    },
    mergeSchema: () => {
      mergeSchema ??= mergeSchemaOfStructural(version.schema?.openAPIV3Schema, {
        metadata: mergeSchemaOfType(typeTables().struct('meta/v1.ObjectMeta')),
        preserveUnknownFields: crd.spec.preserveUnknownFields === true,
      });
      return mergeSchema;
    },
    canonicalize: customForm,
    storedForm: customForm,
    // Only a Go type says what the merge keys of lists are.
    strategicMerge: () => {
      throw patchTypeUnsupported({ builtIn: false });
    },
    encode: (object: KubeObject) => Buffer.from(encodeJson(object)),
    decodePatched: (patched) => readPatched(gvk, shape, patched),
    readBody: (body) => readCustomBody(gvk, shape, body),
    ...(deprecation === undefined ? {} : { deprecation }),
    isTerminating: hasCondition(crd, 'Terminating'),
  };
}

function subresourcesOf(
  { subresources }: CrdVersion,
  gvk: { group: string; version: string; kind: string },
): Map<string, SubresourceDef> {
  const found = new Map<string, SubresourceDef>();
  if (subresources?.status !== undefined) {
    found.set('status', { name: 'status', ...gvk, verbs: SUBRESOURCE_VERBS });
  }
  if (subresources?.scale !== undefined) {
    const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    found.set('scale', { name: 'scale', ...scale, verbs: SUBRESOURCE_VERBS });
  }
  return found;
}
