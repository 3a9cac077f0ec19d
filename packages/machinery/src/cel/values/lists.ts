import { CelList, type CelValue } from './value.ts';

/** A list of values that already exist. */
export class ValueList extends CelList {
  readonly values: CelValue[];

  constructor(values: CelValue[]) {
    super();
    this.values = values;
  }

  get size(): number {
    return this.values.length;
  }

  at(index: number): CelValue {
    return this.values[index] as CelValue;
  }
}

/** Two lists one after the other; joining copies nothing, as its cost of one says. */
export class JoinedList extends CelList {
  readonly size: number;
  readonly #left: CelList;
  readonly #right: CelList;

  constructor(left: CelList, right: CelList) {
    super();
    this.#left = left;
    this.#right = right;
    this.size = left.size + right.size;
  }

  at(index: number): CelValue {
    const { size } = this.#left;
    return index < size ? this.#left.at(index) : this.#right.at(index - size);
  }
}

export const emptyList = new ValueList([]);
