import type { Json } from '../object.ts';
import { memberNode, type SchemaNode } from './node.ts';

const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Removes what `node` does not know from `value`, in place; gives the paths of what went, sorted. */
export function pruneValue(value: unknown, node: SchemaNode): string[] {
  const unknown: string[] = [];
  prune(value, node, { path: '', unknown });
  return unknown.length > 1 ? unknown.sort(compareTexts) : unknown;
}

/** Where a walk is, and what it found so far. */
interface Walk {
  readonly path: string;
  readonly unknown: string[];
}

function prune(value: unknown, node: SchemaNode | undefined, walk: Walk): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (typeof item !== 'object' || item === null) continue;
      const below = { path: `${walk.path}[${index}]`, unknown: walk.unknown };
      if (node?.preserve === true) pruneKnown(item, node.items, below);
      else prune(item, node?.items, below);
    }
    return;
  }
  if (node?.preserve === true) pruneKnown(value, node, walk);
  else pruneMembers(value as Json, node, walk);
}

function pruneMembers(value: Json, node: SchemaNode | undefined, walk: Walk): void {
  for (const key of Object.keys(value)) {
    if (node !== undefined) {
      if (node.embedded && metaFields.has(key)) continue;
      const property = node.properties?.get(key);
      if (property !== undefined || node.additional !== undefined) {
        const member = value[key];
        if (typeof member === 'object' && member !== null) {
          // A boolean additionalProperties describes nothing below: upstream empties what is there.
          prune(member, property ?? node.additional?.node, memberWalk(walk, key));
        }
        continue;
      }
    }
    const isTopMeta = walk.path === '' && metaFields.has(key);
    if (!(isTopMeta && node !== undefined)) walk.unknown.push(memberWalk(walk, key).path);
    delete value[key];
  }
}

/** Below x-kubernetes-preserve-unknown-fields nothing is dropped, until a schema says more about a member. */
function pruneKnown(value: object, node: SchemaNode | undefined, walk: Walk): void {
  if (node === undefined) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (typeof item !== 'object' || item === null) continue;
      pruneKnown(item, node.items, { path: `${walk.path}[${index}]`, unknown: walk.unknown });
    }
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    if (node.embedded && metaFields.has(key)) continue;
    if (node.properties?.has(key) === true || node.additional !== undefined) {
      prune(member, memberNode(node, key), memberWalk(walk, key));
    }
  }
}

function memberWalk(walk: Walk, key: string): Walk {
  return { path: walk.path === '' ? key : `${walk.path}.${key}`, unknown: walk.unknown };
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Removes nulls that the schema neither allows nor gives a default for, in place. Nulls in lists stay. */
export function pruneNulls(value: unknown, node: SchemaNode | undefined): void {
  if (node === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (node.items === undefined) return;
    for (const item of value) pruneNulls(item, node.items);
    return;
  }
  if (node.properties === undefined && node.additional?.node === undefined) return;
  const members = value as Json;
  for (const key of Object.keys(members)) {
    const below = memberNode(node, key);
    if (below === undefined) continue;
    if (members[key] === null) {
      if (!below.nullable && below.default === undefined) delete members[key];
    } else {
      pruneNulls(members[key], below);
    }
  }
}
