import assert from 'node:assert/strict';
import type { Informer } from '@flotilla/client';
import { formatKey, type KubeObject, keyOfObject } from '@flotilla/machinery';

/** What a subscriber makes of what it is told. */
export interface Followed {
  readonly informer: Informer;
  /** Objects by key, as the subscriber has them. */
  readonly view: ReadonlyMap<string, KubeObject>;
  /** Contradictions between what it was told and what it had. */
  readonly contradictions: readonly string[];
}

/** Subscribes to an informer and believes every word. */
export function follow<T extends KubeObject>(informer: Informer<T>): Followed {
  const view = new Map<string, KubeObject>();
  const contradictions: string[] = [];
  const keyOf = (object: KubeObject): string => formatKey(keyOfObject(object));
  informer.subscribe({
    added: (object) => {
      if (view.has(keyOf(object))) contradictions.push(`added twice: ${keyOf(object)}`);
      view.set(keyOf(object), object);
    },
    updated: (object, before) => {
      if (view.get(keyOf(object)) !== before) {
        contradictions.push(`updated from something else: ${keyOf(object)}`);
      }
      view.set(keyOf(object), object);
    },
    deleted: (object) => {
      if (!view.delete(keyOf(object))) contradictions.push(`deleted twice: ${keyOf(object)}`);
    },
  });
  return { informer: informer as unknown as Informer, view, contradictions };
}

/** Fails unless store and subscriber have exactly these objects. */
export function assertHolds({ informer, view, contradictions }: Followed, objects: KubeObject[]) {
  const expected = byKey(objects);
  assert.deepEqual(byKey(informer.list()), expected);
  assert.deepEqual(byKey([...view.values()]), expected);
  assert.deepEqual(contradictions, []);
}

function byKey(objects: readonly KubeObject[]): Record<string, KubeObject> {
  const entries = objects.map((object): [string, KubeObject] => [
    formatKey(keyOfObject(object)),
    object,
  ]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
