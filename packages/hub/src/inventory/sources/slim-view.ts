import type { Informer, Subscriber } from '@flotilla/client';
import type { KubeObject } from '@flotilla/machinery';

/** A cache of others, as the inventory sees it. */
export type SlimView<T extends KubeObject> = Pick<
  Informer<T>,
  'get' | 'list' | 'byIndex' | 'addIndex' | 'subscribe' | 'lastResourceVersion'
>;

/**
 * Shows of each object in a cache only what `slim` leaves. The registration controller has the same objects in memory: a
 * second watch and a second copy of each would cost more than to leave things out at each look.
 */
export function slimView<T extends KubeObject>(
  informer: Informer<T>,
  slim: (object: T) => T,
): SlimView<T> {
  return {
    get: (key) => {
      const found = informer.get(key);
      return found && slim(found);
    },
    list: (namespace) => informer.list(namespace).map(slim),
    byIndex: (name, value) => informer.byIndex(name, value).map(slim),
    addIndex: informer.addIndex,
    subscribe: ({ added, updated, deleted }: Subscriber<T>) =>
      informer.subscribe({
        ...(added && { added: (object, how) => added(slim(object), how) }),
        ...(updated && { updated: (object, before) => updated(slim(object), slim(before)) }),
        ...(deleted && { deleted: (object, how) => deleted(slim(object), how) }),
      }),
    get lastResourceVersion() {
      return informer.lastResourceVersion;
    },
  };
}
