import { internalError, type Json, type KubeObject, ParseError } from '@flotilla/machinery';
import { canonicalize } from '../../codec/canonical.ts';
import { notRegistered } from '../../codec/scheme.ts';
import { withTypeMeta } from '../../codec/type-meta.ts';
import { typeTables } from '../../codec/type-tables.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import type { Kind } from './equivalents.ts';

/** An object as it goes over the wire, whatever was done to it in memory. */
export function wireForm(
  object: KubeObject | undefined,
  kind: Kind,
  def: ResourceDef,
): KubeObject | undefined {
  if (object === undefined) return undefined;
  const type = typeTables().kind(kind);
  if (type !== undefined) {
    return withTypeMeta(canonicalize(type, object) as unknown as Json, kind);
  }
  return kind.kind === def.kind ? def.canonicalize(object) : object;
}

/** The scheme upstream reads patched objects with; clients see it in errors. */
const SCHEME = 'pkg/runtime/scheme.go:110';

/** Reads what a webhook made of an object back into its kind, with the kind's defaults. */
export function readBack(patched: unknown, kind: Kind, def: ResourceDef): KubeObject {
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  const { kind: name = '', apiVersion: version = '' } = (patched ?? {}) as Record<string, string>;
  if (name !== kind.kind || version !== apiVersion) {
    const [group = '', own] = version.split('/');
    const found =
      own === undefined
        ? { group: '', version: group, kind: name }
        : { group, version: own, kind: name };
    throw internalError(notRegistered(found, SCHEME).message);
  }
  try {
    const object = wireForm(patched as KubeObject, kind, def) as KubeObject;
    if (kind.kind === def.kind) def.behaviour.defaults?.(object);
    return object;
  } catch (error) {
    if (error instanceof ParseError) throw internalError(error.message);
    throw error;
  }
}

/** Makes one object's content another's, for everyone who holds on to it. */
export function replaceContent(target: KubeObject, source: KubeObject): void {
  for (const field of Object.keys(target)) delete target[field];
  Object.assign(target, source);
}
