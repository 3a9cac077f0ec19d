import type { Kind, KubeObject, ObjectKey } from '@flotilla/machinery';

/**
 * Who hears of changes. Calls come one after the other, in the order of the server's changes; one that
 * returns a promise holds up the next call to the same subscriber, and nobody else.
 */
export interface Subscriber<T extends KubeObject = KubeObject> {
  /** `isInitial` tells what was there when the subscription began from what came later. */
  readonly added?: (object: T, how: { readonly isInitial: boolean }) => void | Promise<void>;
  /** On a resync, and only then, both are the same object. */
  readonly updated?: (object: T, before: T) => void | Promise<void>;
  /** `object` is the last known state, or the final one where that was seen. */
  readonly deleted?: (object: T, how: Deletion) => void | Promise<void>;
}

/** What is known about a deletion. */
export interface Deletion {
  /** True when it happened out of sight: the object may have changed between what is told and its end. */
  readonly isFinalStateUnknown: boolean;
}

/** The values under which an index finds an object; must say the same whenever it is asked. */
export type IndexValues<T extends KubeObject = KubeObject> = (object: T) => readonly string[];

/** What a server has of one kind, kept up to date. Objects are shared by all who read them: nobody may change them. */
export interface Informer<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  /** Begins, and ends with the signal. Only the first call counts; it resolves when everything has ended. */
  readonly start: (signal: AbortSignal) => Promise<void>;
  /** True once the store has been complete, for good. */
  readonly hasSynced: boolean;
  /** Resolves once the store has been complete; subscribers may still be hearing of it. */
  readonly synced: (signal?: AbortSignal) => Promise<void>;
  readonly get: (key: ObjectKey) => T | undefined;
  /** All objects, or those of a namespace, in no particular order. */
  readonly list: (namespace?: string) => T[];
  readonly byIndex: (name: string, value: string) => T[];
  /** Adding the same function under the same name again does nothing. */
  readonly addIndex: (name: string, valuesOf: IndexValues<T>) => void;
  /** Tells the present state as added, then every change, until disposed of. */
  readonly subscribe: (subscriber: Subscriber<T>) => Disposable;
  /** How far the store has come; undefined before the first list. */
  readonly lastResourceVersion: string | undefined;
}
