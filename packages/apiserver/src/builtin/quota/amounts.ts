import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityOf,
} from '@flotilla/machinery';

/** Amounts by resource name (`cpu`, `requests.memory`, `count/secrets`). */
export type Amounts = ReadonlyMap<string, Quantity>;

/** Nothing, in the form that takes on whatever is added to it. */
export const ZERO: Quantity = quantityOf(0);
export const ONE: Quantity = quantityOf(1);

/** Reads what objects say: `{cpu: '100m'}`. */
export function amountsOf(list: Readonly<Record<string, unknown>> | null | undefined): Amounts {
  return new Map(
    Object.entries(list ?? {}).map(([name, value]) => [name, parseQuantity(String(value))]),
  );
}

/** Writes amounts the way objects hold them. */
export function listOf(amounts: Amounts): Record<string, string> {
  return Object.fromEntries([...amounts].map(([name, value]) => [name, formatQuantity(value)]));
}

/** Both together. */
export function sum(...lists: readonly Amounts[]): Amounts {
  const result = new Map<string, Quantity>();
  for (const list of lists) {
    for (const [name, value] of list) {
      const known = result.get(name);
      result.set(name, known === undefined ? value : addQuantities(known, value));
    }
  }
  return result;
}

/** The larger of each. */
export function most(...lists: readonly Amounts[]): Amounts {
  const result = new Map<string, Quantity>();
  for (const list of lists) {
    for (const [name, value] of list) {
      const known = result.get(name);
      if (known === undefined || compareQuantities(value, known) > 0) result.set(name, value);
    }
  }
  return result;
}

/** Those of the given names. */
export function only(amounts: Amounts, names: ReadonlySet<string>): Amounts {
  return new Map([...amounts].filter(([name]) => names.has(name)));
}

/** True when both have the same names and each amount is the same, however it is written. */
export function isSame(a: Amounts, b: Amounts): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([name, value]) => {
    const other = b.get(name);
    return other !== undefined && compareQuantities(value, other) === 0;
  });
}
