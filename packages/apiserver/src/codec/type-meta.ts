import type { Json, KubeObject } from '@flotilla/machinery';
import { formatGroupVersion } from './scheme.ts';
import type { GroupVersionKind } from './type-tables.ts';

/** The object with kind and apiVersion set, and first: clients read them first. */
export function withTypeMeta(object: Json, { kind, ...gv }: GroupVersionKind): KubeObject {
  const apiVersion = formatGroupVersion(gv);
  if (object['kind'] === kind && object['apiVersion'] === apiVersion) return object as KubeObject;
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return { kind, apiVersion, ...rest } as KubeObject;
}
