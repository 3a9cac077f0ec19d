/** One thing of a list: an object, or a row that stands for one. */
export interface Item<T> {
  /** The same as long as it is the same object; one of the same name that came later has another. */
  readonly uid: string;
  readonly resourceVersion: string;
  readonly value: T;
}

/** A part of a list. */
export interface Page<T> {
  readonly items: readonly Item<T>[];
  /** Of the whole list: where a watch goes on. */
  readonly resourceVersion: string;
}

/** What happened to something. */
export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** What a watch tells; what is not wanted, and bookmarks, only say how far it is. */
export interface WatchedChange<T> {
  readonly resourceVersion: string;
  readonly change?: { readonly type: ChangeType; readonly item: Item<T> } | undefined;
}

/** Something of one cluster that can be listed and then watched. */
export interface Source<T> {
  /** 0 asks for all at once. */
  readonly pages: (pageSize: number, signal: AbortSignal) => AsyncIterable<Page<T>>;
  /** @default 500 */
  readonly pageSize?: number | undefined;
  readonly watch: (resourceVersion: string, signal: AbortSignal) => AsyncIterable<WatchedChange<T>>;
}
