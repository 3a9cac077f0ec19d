import type { GroupKind, Json, KubeObject } from '@flotilla/machinery';
import type { MergeSchema } from '@flotilla/machinery/apply';
import type { KindBehaviour } from '../kinds/behaviour.ts';

/** What a patch made of an object, and how it came about. */
export interface PatchResult {
  readonly result: unknown;
  /** The patch itself when it was a strategic merge; its errors are worded differently. */
  readonly strategicPatch?: Json;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  readonly strict: readonly string[];
  /** True when it was merged by an apply, and not read as a text would be: nulls are kept, integers cut to their bits. */
  readonly wasApplied?: boolean;
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
  readonly description?: string;
}

/** A request body, before it is read. */
export interface BodyToRead {
  readonly contentType: string | undefined;
  readonly body: Buffer;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
}

/** How objects get from the store to the version a request speaks, and back. */
export interface Conversion {
  readonly fromStored: (object: KubeObject) => KubeObject;
  readonly toStored: (object: KubeObject) => KubeObject;
  /**
   * Set where some stored bytes are served as they are: those of writes after this revision. Older ones were written
   * under another schema or in another version.
   */
  readonly freshAfter?: () => number;
  /** Told of every write of this definition as it gets its revision, before anyone can read it. */
  readonly written?: (revision: number) => void;
  /** Set where somebody else converts: many objects at once, in their order. Then the other two must not be called. */
  readonly remote?: {
    readonly fromStored: (objects: readonly KubeObject[]) => Promise<KubeObject[]>;
    readonly toStored: (object: KubeObject) => Promise<KubeObject>;
  };
  /** An object in another version just as its converter leaves it: what that version does not know is still there. */
  readonly between?: (object: KubeObject, apiVersion: string) => Promise<KubeObject>;
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
  /** Set when stored bytes are not always what this version serves. */
  readonly conversion?: Conversion;
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
  /** Reads a request body, where the type tables do not know the kind. */
  readonly readBody?: (body: BodyToRead) => DecodedPatch;
  /** How objects of the kind are merged when they are applied. @default as they come */
  readonly mergeSchema?: () => MergeSchema;
  /** An object of the kind with nothing in it, never changed by anyone. @default apiVersion and kind alone */
  readonly emptyObject?: () => KubeObject;
  /** The same kind in another version that is served; undefined when there is none. */
  readonly inVersion?: (apiVersion: string) => ResourceDef | undefined;
  /** A warning for every request to this version. */
  readonly deprecation?: string;
  /** True while the kind itself is going away: nothing is created any more. */
  readonly isTerminating?: boolean;
  /** Counts a create under way until the result is called: the kind does not go before its last object is known. */
  readonly beginCreate?: () => () => void;
  /** Has the listener called once when this definition is no longer served; the result forgets the listener. */
  readonly onReplaced?: (listener: () => void) => () => void;
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
function goPackage(group: string): string {
  return group === '' ? 'core' : (group.split('.')[0] ?? '');
}

/** The Go type upstream holds an object or a list of the kind in, as some errors print it. */
export function goType(def: ResourceDef, isList = false): string {
  if (!def.builtIn) return isList ? '*unstructured.UnstructuredList' : '*unstructured.Unstructured';
  return `*${goPackage(def.group)}.${isList ? def.listKind : def.kind}`;
}

/** Group and resource as errors name them. */
export function groupResource(def: ResourceDef): { group: string; resource: string } {
  return { group: def.group, resource: def.resource };
}
