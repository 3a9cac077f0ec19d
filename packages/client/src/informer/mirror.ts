import { type KubeObject, keyOfObject } from '@flotilla/machinery';
import type { WatchEvent } from '../client.ts';
import { Delivery, type Notice } from './delivery.ts';
import type { Subscriber } from './informer.ts';
import { ObjectStore } from './object-store.ts';
import { isNoNewer } from './resource-version.ts';

/**
 * The store and those who follow it. Whatever the network makes of events, it only moves forward: an event that is not
 * newer than the newest one so far is a repetition, or late.
 */
export class Mirror<T extends KubeObject> {
  readonly objects = new ObjectStore<T>();
  readonly #deliveries = new Set<Delivery<T>>();
  readonly #report: (error: unknown) => void;
  #resourceVersion: string | undefined;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** Of the newest event or list; undefined before the first list. */
  get resourceVersion(): string | undefined {
    return this.#resourceVersion;
  }

  /** Takes over one event of a watch that began at `resourceVersion`. */
  apply({ type, object }: WatchEvent<T>): void {
    const { uid, resourceVersion } = object.metadata;
    const stored = this.objects.get(keyOfObject(object));
    // Some servers outside Kubernetes give a deletion no version of its own.
    const isPlainDeletion =
      type === 'DELETED' &&
      stored?.metadata.uid === uid &&
      stored?.metadata.resourceVersion === resourceVersion;
    const isStale = isNoNewer(resourceVersion, this.#resourceVersion);
    if (isStale && !isPlainDeletion) return;
    if (type === 'DELETED') this.#remove(stored, object);
    else if (type !== 'BOOKMARK') this.#put(stored, object, false);
    if (!isStale) this.#resourceVersion = resourceVersion ?? this.#resourceVersion;
  }

  /** Takes over a whole list, which the caller gives up; what it lacks was deleted unseen. */
  replace(listed: ObjectStore<T>, resourceVersion: string): void {
    const isInitial = this.#resourceVersion === undefined;
    this.#resourceVersion = resourceVersion;
    if (this.objects.isEmpty) {
      // Most lists are the first one, and large: nothing is copied, and nobody may be there to be told.
      this.objects.adopt(listed);
      if (this.#deliveries.size === 0) return;
      for (const object of listed.list()) this.#tell({ type: 'added', object, isInitial });
      return;
    }
    for (const stored of this.objects.list()) {
      if (listed.get(keyOfObject(stored)) === undefined) this.#remove(stored, undefined);
    }
    for (const object of listed.list()) {
      const stored = this.objects.get(keyOfObject(object));
      if (stored === undefined || !isSameState(stored, object))
        this.#put(stored, object, isInitial);
    }
  }

  subscribe(subscriber: Subscriber<T>): Disposable {
    const delivery = new Delivery(subscriber, this.#report);
    for (const object of this.objects.list()) {
      delivery.push({ type: 'added', object, isInitial: true });
    }
    this.#deliveries.add(delivery);
    return {
      [Symbol.dispose]: () => {
        this.#deliveries.delete(delivery);
        delivery[Symbol.dispose]();
      },
    };
  }

  /** Tells of every object once more, but not to those who have not heard everything yet: reminders must not pile up. */
  resync(): void {
    for (const delivery of this.#deliveries) {
      if (delivery.isBehind) continue;
      for (const object of this.objects.list()) {
        delivery.push({ type: 'updated', object, before: object });
      }
    }
  }

  #put(stored: T | undefined, object: T, isInitial: boolean): void {
    this.objects.set(object);
    if (stored === undefined) {
      this.#tell({ type: 'added', object, isInitial });
    } else if (stored.metadata.uid === object.metadata.uid) {
      this.#tell({ type: 'updated', object, before: stored });
    } else {
      // Deleted and created again, and the deletion was never seen.
      this.#tell({ type: 'deleted', object: stored, isFinalStateUnknown: true });
      this.#tell({ type: 'added', object, isInitial: false });
    }
  }

  #remove(stored: T | undefined, final: T | undefined): void {
    if (stored === undefined) return;
    this.objects.delete(stored);
    const isFinal = final !== undefined && final.metadata.uid === stored.metadata.uid;
    this.#tell({
      type: 'deleted',
      object: isFinal ? final : stored,
      isFinalStateUnknown: !isFinal,
    });
  }

  #tell(notice: Notice<T>): void {
    for (const delivery of this.#deliveries) delivery.push(notice);
  }
}

/** Collects a list that comes as events. */
export function stage<T extends KubeObject>(
  staging: ObjectStore<T>,
  { type, object }: WatchEvent<T>,
): void {
  const version = object.metadata.resourceVersion;
  const staged = staging.get(keyOfObject(object))?.metadata.resourceVersion;
  if (staged !== version && isNoNewer(version, staged)) return;
  if (type === 'DELETED') staging.delete(object);
  else staging.set(object);
}

function isSameState(a: KubeObject, b: KubeObject): boolean {
  return (
    a.metadata.uid === b.metadata.uid &&
    a.metadata.resourceVersion !== undefined &&
    a.metadata.resourceVersion === b.metadata.resourceVersion
  );
}
