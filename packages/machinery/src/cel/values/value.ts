/** Anything that an expression can yield. */
export type CelValue =
  | null
  | boolean
  /** An int. */
  | bigint
  /** A double. */
  | number
  | string
  | Uint8Array
  | CelUint
  | CelTimestamp
  | CelDuration
  | CelList
  | CelMap
  | CelOptional
  | CelTypeValue
  | CelOpaque
  | CelFault;

/** An unsigned 64-bit integer, which ints and doubles must not be mistaken for. */
export class CelUint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** A point in time between the years 1 and 9999, to the nanosecond. */
export class CelTimestamp {
  /** Whole seconds since 1970, rounded down. */
  readonly seconds: number;
  readonly nanos: number;
  constructor(seconds: number, nanos: number) {
    this.seconds = seconds;
    this.nanos = nanos;
  }
}

/** A span of time in nanoseconds, within 64 bits as in Go. */
export class CelDuration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A list; elements are made when they are asked for. */
export abstract class CelList {
  abstract readonly size: number;
  /** The element at an index that is within the size. */
  abstract at(index: number): CelValue;
  /** The JSON data behind the list, where it comes from JSON. */
  get raw(): readonly unknown[] | undefined {
    return undefined;
  }
  *[Symbol.iterator](): IterableIterator<CelValue> {
    for (let i = 0; i < this.size; i++) yield this.at(i);
  }
}

/** A map, or an object whose fields are read by name. */
export abstract class CelMap {
  abstract readonly size: number;
  /** The value of a key; undefined where there is none. */
  abstract get(key: CelValue): CelValue | undefined;
  abstract keys(): IterableIterator<CelValue>;
  /** The JSON data behind the map, where it comes from JSON. */
  get raw(): Readonly<Record<string, unknown>> | undefined {
    return undefined;
  }
}

/** A value that may be absent. */
export class CelOptional {
  static readonly none: CelOptional = new CelOptional(undefined);
  readonly value: CelValue | undefined;
  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** A type as a value. */
export class CelTypeValue {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A value of a library's own type, such as a quantity. */
export abstract class CelOpaque {
  abstract readonly typeName: string;
  /** How large it counts in costs; absent is one. */
  get size(): number | undefined {
    return undefined;
  }
  abstract equals(other: CelOpaque): boolean | CelFault;
}

/** An error as a value, so that `||` and `&&` can absorb it without the price of an exception. */
export class CelFault {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}
