import { CelMap, CelUint, type CelValue } from './value.ts';

type Key = string | boolean | bigint | number;

/** Keys that compare equal share one form: 1, 1u and 1.0 are one key. */
function keyOf(key: CelValue): Key | undefined {
  switch (typeof key) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return key;
    case 'number':
      return Number.isInteger(key) ? BigInt(key) : key;
    default:
      return key instanceof CelUint ? key.value : undefined;
  }
}

/** A map of values that already exist. */
export class ValueMap extends CelMap {
  readonly #entries = new Map<Key, readonly [CelValue, CelValue]>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: CelValue): CelValue | undefined {
    const found = keyOf(key);
    return found === undefined ? undefined : this.#entries.get(found)?.[1];
  }

  *keys(): IterableIterator<CelValue> {
    for (const [key] of this.#entries.values()) yield key;
  }

  /** Whether the key could be set; only scalars can be keys. */
  set(key: CelValue, value: CelValue): boolean {
    const found = keyOf(key);
    if (found === undefined) return false;
    this.#entries.set(found, [key, value]);
    return true;
  }

  delete(key: CelValue): void {
    const found = keyOf(key);
    if (found !== undefined) this.#entries.delete(found);
  }
}

/** A map whose values are computed when they are first read, such as a policy's variables. */
export class LazyMap extends CelMap {
  readonly #makers: ReadonlyMap<string, () => CelValue>;
  readonly #values = new Map<string, CelValue>();

  constructor(makers: ReadonlyMap<string, () => CelValue>) {
    super();
    this.#makers = makers;
  }

  get size(): number {
    return this.#makers.size;
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return undefined;
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const made = this.#makers.get(key)?.();
    if (made !== undefined) this.#values.set(key, made);
    return made;
  }

  keys(): IterableIterator<CelValue> {
    return this.#makers.keys();
  }
}
