import { deepEqual } from '../../values/deep-equal.ts';
import { escapeProperty, unescapeProperty } from '../escaping.ts';
import type { OwnEquality } from './equality.ts';
import { celEquals } from './equality.ts';
import { jsonOfValue } from './json.ts';
import { CelFault, CelList, CelMap, CelOpaque, type CelValue } from './value.ts';
import { spend } from './work.ts';

/** Turns data into a value; what it makes of nested data it makes when that is read. */
export type Adapter = (data: unknown) => CelValue;

const NO_OVERLOAD = new CelFault('no such overload');

/** Data of an array schema. */
export class SchemaList extends CelList implements OwnEquality {
  protected readonly data: readonly unknown[];
  protected readonly item: Adapter;

  constructor(data: readonly unknown[], item: Adapter) {
    super();
    this.data = data;
    this.item = item;
  }

  get size(): number {
    return this.data.length;
  }

  override get raw(): readonly unknown[] {
    return this.data;
  }

  at(index: number): CelValue {
    return this.item(this.data[index]);
  }

  equalTo(other: CelValue): boolean | CelFault {
    if (!(other instanceof CelList)) return NO_OVERLOAD;
    if (this.size !== other.size) return false;
    spend(this.size);
    for (let i = 0; i < this.size; i++) {
      const equal = celEquals(this.at(i), other.at(i));
      if (equal !== true) return equal;
    }
    return true;
  }
}

/** Data of an array of list type set: equal whatever the order, and joined without repetition. */
export class SchemaSet extends SchemaList {
  #members(): Set<unknown> {
    spend(this.size);
    return new Set(this.data);
  }

  override equalTo(other: CelValue): boolean | CelFault {
    if (!(other instanceof CelList)) return NO_OVERLOAD;
    if (this.size !== other.size) return false;
    const members = this.#members();
    for (const value of other) if (!members.has(plain(value))) return false;
    return true;
  }

  plus(other: CelList): CelValue {
    const members = this.#members();
    spend(4 * (this.size + other.size));
    const joined = [...this.data];
    for (const value of other) {
      const data = plain(value);
      if (members.has(data)) continue;
      members.add(data);
      joined.push(data);
    }
    return new SchemaSet(joined, this.item);
  }
}

/** Numbers are told apart by value, not by how JSON data happens to hold them. */
function plain(value: CelValue): unknown {
  const data = jsonOfValue(value);
  return typeof data === 'bigint' && Number.isSafeInteger(Number(data)) ? Number(data) : data;
}

/** Data of an array of list type map: elements are told apart by their keys. */
export class SchemaMapList extends SchemaList {
  readonly #keys: readonly string[];

  constructor(data: readonly unknown[], item: Adapter, keys: readonly string[]) {
    super(data, item);
    this.#keys = keys;
  }

  #keyOf(element: unknown): string {
    if (typeof element !== 'object' || element === null) return JSON.stringify(String(element));
    const fields = new Map(Object.entries(element));
    return JSON.stringify(this.#keys.map((key) => String(fields.get(key) ?? null)));
  }

  override equalTo(other: CelValue): boolean | CelFault {
    if (!(other instanceof CelList)) return NO_OVERLOAD;
    if (this.size !== other.size) return false;
    spend(4 * this.size);
    const elements = new Map(this.data.map((element) => [this.#keyOf(element), element]));
    for (const value of other) {
      const key = this.#keyOf(jsonOfValue(value));
      if (!elements.has(key)) return false;
      const equal = celEquals(this.item(elements.get(key)), value);
      if (equal !== true) return equal;
    }
    return true;
  }

  plus(other: CelList): CelValue {
    spend(4 * (this.size + other.size));
    const joined = [...this.data];
    const places = new Map(joined.map((element, index) => [this.#keyOf(element), index]));
    for (const value of other) {
      const data = jsonOfValue(value);
      const place = places.get(this.#keyOf(data));
      if (place === undefined) joined.push(data);
      else joined[place] = data;
    }
    return new SchemaMapList(joined, this.item, this.#keys);
  }
}

/** What is known of an object's members. */
export interface ObjectShape {
  /** Adapters of declared properties, where the object has such. */
  readonly properties: ReadonlyMap<string, Adapter> | undefined;
  /** The adapter of all other members, where the object is a map. */
  readonly additional: Adapter | undefined;
}

/** Data of an object schema; declared properties are read by their escaped names. */
export class SchemaMap extends CelMap implements OwnEquality {
  readonly #data: Readonly<Record<string, unknown>>;
  readonly #shape: ObjectShape;

  constructor(data: Readonly<Record<string, unknown>>, shape: ObjectShape) {
    super();
    this.#data = data;
    this.#shape = shape;
  }

  get size(): number {
    return this.#names().length;
  }

  override get raw(): Readonly<Record<string, unknown>> {
    return this.#data;
  }

  #names(): string[] {
    const names = Object.keys(this.#data);
    spend(names.length);
    return names;
  }

  #adapter(name: string): Adapter | undefined {
    return this.#shape.properties ? this.#shape.properties.get(name) : this.#shape.additional;
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return NO_OVERLOAD;
    const isObject = this.#shape.properties !== undefined;
    const name = isObject ? unescapeProperty(key) : key;
    if (name === undefined || !Object.hasOwn(this.#data, name)) return undefined;
    const data = this.#data[name];
    // A nullable property that is null is as good as absent.
    if (isObject && data === null) return undefined;
    return this.#adapter(name)?.(data);
  }

  *keys(): IterableIterator<CelValue> {
    const isObject = this.#shape.properties !== undefined;
    for (const name of this.#names()) {
      if (this.#adapter(name)) yield isObject ? (escapeProperty(name) ?? name) : name;
    }
  }

  equalTo(other: CelValue): boolean | CelFault {
    if (!(other instanceof CelMap)) return NO_OVERLOAD;
    if (this.size !== other.size) return false;
    for (const name of this.#names()) {
      const equal = this.#equalMember(name, other);
      if (equal !== true) return equal;
    }
    return true;
  }

  #equalMember(name: string, other: CelMap): boolean | CelFault {
    if (!this.#adapter(name)) {
      // Members that no schema describes are compared as they are.
      if (!(other instanceof SchemaMap)) return NO_OVERLOAD;
      if (!other.raw || !Object.hasOwn(other.raw, name)) return true;
      spend(JSON.stringify(this.#data[name], bigintText)?.length ?? 0);
      return deepEqual(this.#data[name], other.raw[name]);
    }
    const mine = this.get(name);
    const theirs = other.get(name);
    if (mine === undefined || theirs === undefined) return mine === theirs;
    return celEquals(mine, theirs);
  }
}

const bigintText = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

/** Data without a schema that only equality can look into. */
export class PreservedData extends CelOpaque {
  readonly typeName = 'unknown';
  readonly #data: unknown;

  constructor(data: unknown) {
    super();
    this.#data = data;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof PreservedData && deepEqual(this.#data, other.#data);
  }
}
