import type { GroupKind, Json, KubeObject } from '@flotilla/machinery';
import type { KindBehaviour } from '../kinds/behaviour.ts';

/** What a patch made of an object, and how it came about. */
export interface PatchResult {
  readonly result: unknown;
  /** The patch itself when it was a strategic merge; its errors are worded differently. */
  readonly strategicPatch?: Json;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  readonly strict: readonly string[];
}

/** A patched object, and what is to be said about unknown fields. */
export interface DecodedPatch {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

/** One column of a kind's table, as the real server describes it. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
}

/** A path below an object, such as `status` or `scale`. */
export interface SubresourceDef {
  readonly name: string;
  readonly kind: string;
  /** Group and version of the subresource's kind, where they differ from the resource's. */
  readonly group: string;
  readonly version: string;
  readonly verbs: readonly string[];
}

/** Everything the handlers need to know about one served resource. */
export interface ResourceDef {
  readonly group: string;
  readonly version: string;
  /** `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly resource: string;
  readonly kind: string;
  readonly listKind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: ReadonlyMap<string, SubresourceDef>;
  readonly behaviour: KindBehaviour;
  /** The kind as validation errors name it: the stored one's where versions differ in group. */
  readonly errorKind: GroupKind;
  /** Key prefix of all objects, such as `core/pods/`; shared by versions of one kind. */
  readonly prefix: string;
  /** True for kinds of Kubernetes itself, whose list items carry no kind and apiVersion. */
  readonly builtIn: boolean;
  /** What the stored bytes of an object begin with: `{"kind":"Pod","apiVersion":"v1",`. */
  readonly typeMetaBytes: Buffer;
  /** Set when this version is not the stored one. */
  readonly conversion?: {
    readonly fromStored: (object: KubeObject) => KubeObject;
    readonly toStored: (object: KubeObject) => KubeObject;
  };
  readonly columns: () => readonly Column[];
  /** The form that is stored and sent: Go's field order, zero values where Go writes them, nothing unknown. */
  readonly canonicalize: (object: KubeObject) => KubeObject;
  /** The canonical form of what is about to be stored. */
  readonly storedForm: (object: KubeObject) => KubeObject;
  /** Applies a strategic merge patch by the merge keys of the kind. */
  readonly strategicMerge: (object: KubeObject, patch: Json) => Json;
  /** The object's bytes as they are, without touching its resourceVersion. */
  readonly encode: (object: KubeObject) => Buffer;
  /** Reads the result of a patch back into the canonical form; 422 when it no longer fits the kind. */
  readonly decodePatched: (patched: PatchResult) => DecodedPatch;
}

/** The storage key of one object. */
export function keyOf(def: ResourceDef, namespace: string, name: string): string {
  return def.namespaced ? `${def.prefix}${namespace}/${name}` : `${def.prefix}${name}`;
}

/** The prefix all keys of a listing share. */
export function rangePrefix(def: ResourceDef, namespace: string): string {
  return def.namespaced && namespace !== '' ? `${def.prefix}${namespace}/` : def.prefix;
}

/** The Go package upstream keeps a group's types in, as some errors print it. */
export function goPackage(group: string): string {
  return group === '' ? 'core' : (group.split('.')[0] ?? '');
}

/** Group and resource as errors name them. */
export function groupResource(def: ResourceDef): { group: string; resource: string } {
  return { group: def.group, resource: def.resource };
}
