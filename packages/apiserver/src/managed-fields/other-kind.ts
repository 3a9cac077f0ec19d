import type { KubeObject } from '@flotilla/machinery';
import { type GroupVersionKind, typeTables } from '../codec/type-tables.ts';
import type { ResourceDef } from '../resources/resource.ts';
import { mergeSchemaOfType } from './type-schema.ts';

/** The kind of a subresource that is not the resource's own, as far as keeping track of its fields goes. */
export function otherKind(def: ResourceDef, gvk: GroupVersionKind): ResourceDef {
  const { conversion: _conversion, ...rest } = def;
  const type = typeTables().kind(gvk);
  if (type === undefined) throw new Error(`Cannot use kind "${gvk.kind}": no table has it`);
  const { group, version, kind } = gvk;
  const apiVersion = `${group}/${version}`;
  return {
    ...rest,
    group,
    version,
    apiVersion,
    kind,
    builtIn: true,
    mergeSchema: () => mergeSchemaOfType(type),
    emptyObject: () => ({ ...(type.zero() as KubeObject), kind, apiVersion }),
    inVersion: () => undefined,
  };
}
