import {
  CelDuration,
  CelFault,
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from './value.ts';

import { spend } from './work.ts';

/** JSON data as a value, without a schema: whole numbers are ints, others doubles. */
export function valueOfJson(data: unknown): CelValue {
  switch (typeof data) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return data;
    case 'number':
      return Number.isInteger(data) ? BigInt(data) : data;
    case 'object':
      if (data === null) return null;
      if (Array.isArray(data)) return new JsonList(data);
      if (isValue(data)) return data;
      return new JsonMap(data as Record<string, unknown>);
    default:
      return new CelFault(`unsupported conversion to ref.Val: (${typeof data})`);
  }
}

function isValue(data: object): data is CelValue & object {
  return (
    data instanceof CelList ||
    data instanceof CelMap ||
    data instanceof CelUint ||
    data instanceof CelTimestamp ||
    data instanceof CelDuration ||
    data instanceof Uint8Array ||
    data instanceof CelOptional ||
    data instanceof CelTypeValue ||
    data instanceof CelOpaque ||
    data instanceof CelFault
  );
}

/** An array of JSON, whose elements become values when they are read. */
export class JsonList extends CelList {
  readonly #data: readonly unknown[];

  constructor(data: readonly unknown[]) {
    super();
    this.#data = data;
  }

  get size(): number {
    return this.#data.length;
  }

  override get raw(): readonly unknown[] {
    return this.#data;
  }

  at(index: number): CelValue {
    return valueOfJson(this.#data[index]);
  }
}

/** An object of JSON, whose members become values when they are read. */
export class JsonMap extends CelMap {
  readonly #data: Readonly<Record<string, unknown>>;

  constructor(data: Readonly<Record<string, unknown>>) {
    super();
    this.#data = data;
  }

  get size(): number {
    return this.#names().length;
  }

  override get raw(): Readonly<Record<string, unknown>> {
    return this.#data;
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.#data, key)) return undefined;
    return valueOfJson(this.#data[key]);
  }

  *keys(): IterableIterator<CelValue> {
    yield* this.#names();
  }

  #names(): string[] {
    const names = Object.keys(this.#data);
    spend(names.length);
    return names;
  }
}

/** A value as plain JSON, as an expression's result is stored; undefined where it has no JSON. */
export function jsonOfValue(value: CelValue): unknown {
  if (value instanceof CelList) return value.raw ?? [...value].map(jsonOfValue);
  if (value instanceof CelMap) {
    if (value.raw) return value.raw;
    const out: Record<string, unknown> = {};
    for (const key of value.keys()) {
      const name = key instanceof CelUint ? key.value : key;
      out[String(name)] = jsonOfValue(value.get(key) as CelValue);
    }
    return out;
  }
  if (value instanceof CelUint) return value.value;
  if (value instanceof CelOptional) {
    return value.value === undefined ? null : jsonOfValue(value.value);
  }
  return typeof value === 'object' && value !== null ? undefined : value;
}
