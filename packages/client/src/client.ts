import type { Kind, KubeObject, ObjectKey, ObjectMeta } from '@flotilla/machinery';
import type { Transport, WireRequest } from './transport.ts';

/** What every call may be given. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

/** What every write may be given. */
export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  /** `status`, `scale`, `eviction`, …: the write goes there. */
  readonly subresource?: string;
}

/** Which objects. */
export interface Selection {
  /** Undefined means all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** How to get. */
export interface GetOptions extends CallOptions {
  readonly subresource?: string;
  readonly resourceVersion?: string;
  /** True asks for the metadata alone: the object is a PartialObject. @default false */
  readonly metadataOnly?: boolean;
}

/** How to list. */
export interface ListOptions extends CallOptions, Selection {
  /** Objects per request. @default 500 */
  readonly pageSize?: number;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  /** Asks for PartialObjectMetadata: the objects have their metadata and nothing else. @default false */
  readonly metadataOnly?: boolean;
}

/** How to watch. */
export interface WatchOptions extends CallOptions, Selection {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  /** @default true */
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  /** After which the server ends the watch. */
  readonly timeoutSeconds?: number;
  /** Longest silence, after which the connection counts as dead; see `Timeouts`. @default 0 */
  readonly idleMs?: number;
  /** Asks for PartialObjectMetadata: the objects have their metadata and nothing else. @default false */
  readonly metadataOnly?: boolean;
}

/** A list as the server gives it. */
export interface ObjectList<T extends KubeObject = KubeObject> {
  readonly metadata: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: T[];
}

/** What a watch tells. ERROR is thrown as a StatusError instead. */
export interface WatchEvent<T extends KubeObject = KubeObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

/** An object of which only the metadata was asked for. */
export interface PartialObject extends KubeObject {
  metadata: ObjectMeta;
}

/** What of its object each row of a table carries. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** Which rows, and what they carry. */
export interface TableOptions extends ListOptions {
  /** One object instead of a list. */
  readonly name?: string;
  /** Of the one object. */
  readonly subresource?: string | undefined;
  /** @default 'Metadata' */
  readonly includeObject?: IncludeObject;
  /** Of lists: rows need nothing of their objects but the namespace, which makes them much cheaper to read. */
  readonly namespacesOnly?: boolean;
}

/** One column of a table. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, higher ones in wide output. */
  readonly priority: number;
}

/** One object as a table shows it. */
export interface TableRow {
  readonly cells: readonly unknown[];
  readonly object?: PartialObject | null;
  readonly conditions?: readonly unknown[];
}

/** Objects as the server would print them. */
export interface Table {
  readonly metadata: ObjectList['metadata'];
  readonly columnDefinitions: readonly TableColumn[];
  readonly rows: TableRow[];
  /** False when the server answered with plain objects, of which only name and age are known. */
  readonly isFromServer: boolean;
}

/** Changes as rows; columns come with the first of them. */
export interface TableEvent {
  readonly type: WatchEvent['type'];
  readonly table: Table;
}

/** A request to any path, with any JSON. */
export interface RawRequest extends CallOptions {
  /** @default 'GET' */
  readonly method?: WireRequest['method'];
  /** Path with query. */
  readonly path: string;
  readonly body?: unknown;
  /** @default 'application/json' */
  readonly contentType?: string;
  /** @default 'application/json' */
  readonly accept?: string;
}

/** The forms of a patch, by their media type. */
export type PatchType = 'json' | 'merge' | 'strategic';

/** Preconditions and consequences of a delete. */
export interface DeleteOptions extends WriteOptions {
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** Verbs over kinds. What the server refuses is a StatusError with its code, reason and details. */
export interface Client extends AsyncDisposable {
  readonly transport: Transport;
  readonly get: <T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: GetOptions,
  ) => Promise<T>;
  /** Everything that is selected, page by page, as one list. */
  readonly list: <T extends KubeObject>(
    kind: Kind<T>,
    options?: ListOptions,
  ) => Promise<ObjectList<T>>;
  readonly pages: <T extends KubeObject>(
    kind: Kind<T>,
    options?: ListOptions,
  ) => AsyncIterable<ObjectList<T>>;
  readonly watch: <T extends KubeObject>(
    kind: Kind<T>,
    options?: WatchOptions,
  ) => AsyncIterable<WatchEvent<T>>;
  readonly create: <T extends KubeObject>(
    kind: Kind<T>,
    object: T,
    options?: WriteOptions,
  ) => Promise<T>;
  readonly replace: <T extends KubeObject>(
    kind: Kind<T>,
    object: T,
    options?: WriteOptions,
  ) => Promise<T>;
  readonly patch: <T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    patch: { readonly type: PatchType; readonly body: unknown } & WriteOptions,
  ) => Promise<T>;
  /** Server-side apply; `fieldManager` says whose fields these are. */
  readonly apply: <T extends KubeObject>(
    kind: Kind<T>,
    object: T,
    options: WriteOptions & { readonly fieldManager: string; readonly force?: boolean },
  ) => Promise<T>;
  /** The object as it goes, or the Status that the server sent instead. */
  readonly delete: (kind: Kind, key: ObjectKey, options?: DeleteOptions) => Promise<KubeObject>;
  readonly deleteCollection: (kind: Kind, options: Selection & DeleteOptions) => Promise<void>;
  /** What the server would print of the objects; all pages as one table. */
  readonly table: (kind: Kind, options?: TableOptions) => Promise<Table>;
  /** The same page by page, for lists too long to hold; a list that expires on the way ends with 410. */
  readonly tablePages: (
    kind: Kind,
    options?: Omit<TableOptions, 'name' | 'subresource'>,
  ) => AsyncIterable<Table>;
  readonly watchTable: (
    kind: Kind,
    options?: WatchOptions & { readonly includeObject?: IncludeObject },
  ) => AsyncIterable<TableEvent>;
  /** The answer to any request, decoded; a refusal is thrown as for the verbs. */
  readonly raw: (request: RawRequest) => Promise<unknown>;
}
