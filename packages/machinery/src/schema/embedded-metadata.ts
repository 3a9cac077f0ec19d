import type { FieldError } from '../field-error.ts';
import { invalid, required } from '../field-errors.ts';
import { at, child, keyed } from '../field-path.ts';
import { parseGroupVersion } from '../group-version.ts';
import type { Json, ObjectMeta } from '../object.ts';
import { isDNS1035Label } from '../validation/dns-names.ts';
import { validateObjectMeta } from '../validation/object-meta.ts';
import { isJsonObject } from '../values/json-kind.ts';
import { memberNode, type SchemaNode } from './node.ts';
import { sorted } from './sorted-json.ts';
import type { MetadataReader } from './types.ts';

/** What reading embedded metadata needs and collects. */
export interface MetadataWalk {
  readonly readMetadata: MetadataReader | undefined;
  /** True to drop what does not fit instead of refusing the object. */
  readonly drop: boolean;
  readonly unknown: string[];
}

/** Reads apiVersion, kind and metadata of embedded resources in place; gives the first one that does not fit. */
export function readEmbedded(
  value: unknown,
  node: SchemaNode | undefined,
  walk: MetadataWalk & { readonly path: string },
): FieldError | undefined {
  if (node === undefined || !(node.below.embedded || node.embedded)) return undefined;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const problem = readEmbedded(item, node.items, { ...walk, path: at(walk.path, index) });
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  for (const key of Object.keys(value)) {
    const problem = node.embedded ? readTypeMember(value, key, walk) : undefined;
    if (problem !== undefined) return problem;
    const property = node.properties?.get(key);
    const path = property === undefined ? keyed(walk.path, key) : child(walk.path, key);
    const below = readEmbedded(value[key], memberNode(node, key), { ...walk, path });
    if (below !== undefined) return below;
  }
  return undefined;
}

function readTypeMember(
  value: Json,
  key: string,
  walk: MetadataWalk & { readonly path: string },
): FieldError | undefined {
  const member = value[key];
  const path = child(walk.path, key);
  if (key === 'apiVersion' || key === 'kind') {
    if (typeof member === 'string') return undefined;
    if (!walk.drop) return invalid(path, sorted(member), 'must be a string');
    delete value[key];
    return undefined;
  }
  if (key !== 'metadata' || walk.readMetadata === undefined) return undefined;
  const read = walk.readMetadata(member);
  if ('problem' in read) {
    return walk.drop ? undefined : invalid(path, sorted(member), read.problem);
  }
  for (const name of read.unknown) walk.unknown.push(`${path}.${name}`);
  const { metadata } = read;
  if (metadata['creationTimestamp'] === null) delete metadata['creationTimestamp'];
  value[key] = metadata;
  return undefined;
}

/** The errors of embedded resources: they need an apiVersion and a kind, and sound metadata if any. */
export function validateEmbedded(
  value: unknown,
  node: SchemaNode | undefined,
  path = '',
): FieldError[] {
  if (node === undefined || !(node.below.embedded || node.embedded)) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => validateEmbedded(item, node.items, at(path, index)));
  }
  if (!isJsonObject(value)) return [];
  const errors = node.embedded ? validateResource(value, path) : [];
  for (const [key, member] of Object.entries(value)) {
    const property = node.properties?.get(key);
    const memberPath = property === undefined ? keyed(path, key) : child(path, key);
    errors.push(...validateEmbedded(member, memberNode(node, key), memberPath));
  }
  return errors;
}

function validateResource(value: Json, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ['apiVersion', 'kind']) {
    if (!Object.hasOwn(value, key)) errors.push(required(child(path, key)));
  }
  for (const [key, member] of Object.entries(value)) {
    const memberPath = child(path, key);
    if (key === 'apiVersion' || key === 'kind') {
      const problem = key === 'kind' ? kindProblem(member) : apiVersionProblem(member);
      if (problem !== undefined) errors.push(invalid(memberPath, sorted(member), problem));
    } else if (key === 'metadata') {
      errors.push(...validateMetadata(member, memberPath));
    }
  }
  return errors;
}

function apiVersionProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value === '') return 'must not be empty';
  if (parseGroupVersion(value) !== undefined) return undefined;
  return `unexpected GroupVersion string: ${value}`;
}

function kindProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value === '') return 'must not be empty';
  const messages = isDNS1035Label(value.toLowerCase());
  if (messages.length === 0) return undefined;
  return `may have mixed case, but should otherwise match: ${messages.join(',')}`;
}

function validateMetadata(value: unknown, path: string): FieldError[] {
  if (!isMetadata(value)) {
    return value === null ? [] : [invalid(path, sorted(value), 'must be metadata of an object')];
  }
  const named = (value.name ?? '') === '' ? { ...value, name: 'fakename' } : value;
  return validateObjectMeta(named, {
    namespaced: (value.namespace ?? '') !== '',
    nameRule: 'path-segment',
    path,
  });
}

/** Whether the members that validation reads have their types; the server's reader has seen to it before. */
function isMetadata(value: unknown): value is ObjectMeta {
  if (!isJsonObject(value)) return false;
  const isText = (member: unknown) => member === undefined || typeof member === 'string';
  const isTexts = (member: unknown) =>
    member === undefined || (isJsonObject(member) && Object.values(member).every(isText));
  const isList = (member: unknown, isItem: (item: unknown) => boolean) =>
    member === undefined || (Array.isArray(member) && member.every(isItem));
  const { name, generateName, namespace, generation, labels, annotations } = value;
  return (
    [name, generateName, namespace].every(isText) &&
    (generation === undefined || typeof generation === 'number') &&
    [labels, annotations].every(isTexts) &&
    isList(value['ownerReferences'], isJsonObject) &&
    isList(value['finalizers'], (item) => typeof item === 'string') &&
    isList(value['managedFields'], isJsonObject)
  );
}
