import type { Json } from '../object.ts';
import { strictlyEqual } from '../patch/strictly-equal.ts';
import { isJsonObject } from '../values/json-kind.ts';
import { memberNode, type SchemaNode } from './node.ts';

/**
 * A value beside the one it replaces, as far as the schema tells which one that is: members of objects by name, items
 * of lists only where the list is a map. What did not change is not held against an update.
 */
export class Correlation {
  readonly #value: unknown;
  readonly #old: unknown;
  readonly #node: SchemaNode;
  #children: Map<string | number, Correlation | undefined> | undefined;
  #mapList: MapList | undefined;
  #equal: boolean | undefined;

  constructor(value: unknown, old: unknown, node: SchemaNode) {
    this.#value = value;
    this.#old = old;
    this.#node = node;
  }

  /** The pair below a member; undefined when it is new, gone, or not described by the schema. */
  key(name: string): Correlation | undefined {
    const cached = this.#children?.get(name);
    if (cached !== undefined) return cached;
    if (!isJsonObject(this.#value) || !isJsonObject(this.#old)) return undefined;
    if (!Object.hasOwn(this.#value, name) || !Object.hasOwn(this.#old, name)) return undefined;
    const node = memberNode(this.#node, name);
    if (node === undefined) return undefined;
    return this.#keep(name, new Correlation(this.#value[name], this.#old[name], node));
  }

  /** The pair of an item of a list that is a map; undefined for all other lists. */
  index(position: number): Correlation | undefined {
    const cached = this.#children?.get(position);
    if (cached !== undefined) return cached;
    if (!Array.isArray(this.#value) || !Array.isArray(this.#old)) return undefined;
    if (this.#node.listType !== 'map' || this.#node.items === undefined) return undefined;
    this.#mapList ??= new MapList(this.#old, this.#node);
    const item: unknown = this.#value[position];
    const old = this.#mapList.like(item);
    if (old === undefined) return undefined;
    return this.#keep(position, new Correlation(item, old, this.#node.items));
  }

  /** Whether nothing changed; an object with members the schema does not describe always counts as changed. */
  equal(): boolean {
    this.#equal ??= this.#compare();
    return this.#equal;
  }

  #keep(name: string | number, pair: Correlation): Correlation {
    this.#children ??= new Map();
    this.#children.set(name, pair);
    return pair;
  }

  #compare(): boolean {
    const value = this.#value;
    const old = this.#old;
    if (Array.isArray(value)) return Array.isArray(old) && this.#compareItems(value, old);
    if (!isJsonObject(value)) return value === old;
    if (!isJsonObject(old)) return false;
    const keys = Object.keys(value);
    if (keys.length !== Object.keys(old).length) return false;
    return keys.every((key) => this.key(key)?.equal() === true);
  }

  #compareItems(value: readonly unknown[], old: readonly unknown[]): boolean {
    if (value.length !== old.length) return false;
    if (this.#node.listType !== 'map') return strictlyEqual(value, old);
    return value.every((_, position) => this.index(position)?.equal() === true);
  }
}

/** Finds items of a list by the keys that identify them. */
export class MapList {
  readonly #node: SchemaNode;
  readonly #byKey = new Map<string, Json>();

  constructor(items: readonly unknown[], node: SchemaNode) {
    this.#node = node;
    if (node.type !== 'array' || node.listType !== 'map' || node.listKeys.length === 0) return;
    for (const item of items) {
      const key = this.#keyOf(item);
      if (key !== undefined && isJsonObject(item) && !this.#byKey.has(key)) {
        this.#byKey.set(key, item);
      }
    }
  }

  /** The first item with the same keys as `item`. */
  like(item: unknown): Json | undefined {
    if (this.#byKey.size === 0) return undefined;
    const key = this.#keyOf(item);
    return key === undefined ? undefined : this.#byKey.get(key);
  }

  #keyOf(item: unknown): string | undefined {
    if (!isJsonObject(item)) return undefined;
    let key = '';
    for (const name of this.#node.listKeys) {
      const value = Object.hasOwn(item, name) ? item[name] : undefined;
      if (value === undefined || value === null || typeof value === 'object') return undefined;
      key += `\0${typeof value === 'string' ? `"${value}` : String(value)}`;
    }
    return key;
  }
}
