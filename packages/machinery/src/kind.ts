import type { KubeObject } from './object.ts';

/** What is served under one path: enough to build every URL of a resource, and the type of its objects. */
export interface Kind<T extends KubeObject = KubeObject> {
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The path segment, such as `pods`. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Never there; carries the type of the objects. */
  readonly of?: T;
}

/** Describes a kind; the constant is named after its plural: `const Pods = defineKind<Pod>({…})`. */
export function defineKind<T extends KubeObject = KubeObject>(kind: Omit<Kind, 'of'>): Kind<T> {
  return Object.freeze({ ...kind });
}

/** The apiVersion of a kind's objects. */
export function apiVersionOf({ group, version }: Pick<Kind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** An object's place: its name, and its namespace where it has one. */
export interface ObjectKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** `namespace/name`, or the name alone. */
export function formatKey({ namespace, name }: ObjectKey): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** The place of an object. */
export function keyOfObject({ metadata }: Pick<KubeObject, 'metadata'>): ObjectKey {
  const { namespace, name = '' } = metadata;
  return namespace === undefined ? { name } : { namespace, name };
}
