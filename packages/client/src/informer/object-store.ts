import type { KubeObject, ObjectKey } from '@flotilla/machinery';
import type { IndexValues } from './informer.ts';

interface Index<T extends KubeObject> {
  readonly valuesOf: IndexValues<T>;
  readonly found: Map<string, Set<T>>;
}

/**
 * Objects by namespace and name, and by any number of indexes. Two levels of maps hold no string of their own:
 * keys are those of the objects.
 */
export class ObjectStore<T extends KubeObject> {
  #namespaces = new Map<string, Map<string, T>>();
  readonly #indexes = new Map<string, Index<T>>();

  get({ namespace = '', name }: ObjectKey): T | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  get isEmpty(): boolean {
    return this.#namespaces.size === 0;
  }

  /** Takes over all that another store has, which must not be used again, in place of what is here. */
  adopt(other: ObjectStore<T>): void {
    this.#namespaces = other.#namespaces;
    for (const index of this.#indexes.values()) {
      index.found.clear();
      for (const object of this.list()) put(index, object);
    }
  }

  /** Puts an object in the place of the one with its key. */
  set(object: T): void {
    const { namespace = '', name = '' } = object.metadata;
    let names = this.#namespaces.get(namespace);
    if (names === undefined) {
      names = new Map();
      this.#namespaces.set(namespace, names);
    }
    const before = names.get(name);
    names.set(name, object);
    for (const index of this.#indexes.values()) {
      if (before !== undefined) take(index, before);
      put(index, object);
    }
  }

  /** Takes away the object with the key of this one. */
  delete(object: T): void {
    const { namespace = '', name = '' } = object.metadata;
    const names = this.#namespaces.get(namespace);
    const before = names?.get(name);
    if (names === undefined || before === undefined) return;
    names.delete(name);
    if (names.size === 0) this.#namespaces.delete(namespace);
    for (const index of this.#indexes.values()) take(index, before);
  }

  list(namespace?: string): T[] {
    if (namespace !== undefined) return [...(this.#namespaces.get(namespace)?.values() ?? [])];
    const all: T[] = [];
    for (const names of this.#namespaces.values())
      for (const object of names.values()) all.push(object);
    return all;
  }

  byIndex(name: string, value: string): T[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new Error(`Cannot look into index "${name}": there is none`);
    return [...(index.found.get(value) ?? [])];
  }

  addIndex(name: string, valuesOf: IndexValues<T>): void {
    const known = this.#indexes.get(name);
    if (known?.valuesOf === valuesOf) return;
    if (known !== undefined)
      throw new Error(`Cannot add index "${name}": another one has its name`);
    const index: Index<T> = { valuesOf, found: new Map() };
    for (const object of this.list()) put(index, object);
    this.#indexes.set(name, index);
  }
}

function put<T extends KubeObject>({ valuesOf, found }: Index<T>, object: T): void {
  for (const value of valuesOf(object)) {
    const objects = found.get(value);
    if (objects === undefined) found.set(value, new Set([object]));
    else objects.add(object);
  }
}

function take<T extends KubeObject>({ valuesOf, found }: Index<T>, object: T): void {
  for (const value of valuesOf(object)) {
    const objects = found.get(value);
    objects?.delete(object);
    if (objects?.size === 0) found.delete(value);
  }
}
