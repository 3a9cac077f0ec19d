import {
  addQuantities,
  isJsonObject,
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantityOf,
  quantitySign,
  quantityValue,
} from '@flotilla/machinery';

/** What can be measured of a pod or a node. */
export type Measured = 'cpu' | 'memory' | 'swap';

/** How much of it there is; what is missing is not known. */
export type Amounts = Readonly<Partial<Record<Measured, Quantity>>>;

/** Shown for what nobody measured. */
export const UNKNOWN = '<unknown>';
const NOTHING = quantityOf(0);
const MEBIBYTE = 1_048_576n;
const ALL: readonly Measured[] = ['cpu', 'memory', 'swap'];

/** What is measured and shown. */
export function measuredResources(showsSwap: boolean): readonly Measured[] {
  return showsSwap ? ALL : ['cpu', 'memory'];
}

/** Reads a resource list as servers send it; throws ParseError for what is no quantity. */
export function readAmounts(list: unknown): Amounts {
  const amounts: Partial<Record<Measured, Quantity>> = {};
  if (!isJsonObject(list)) return amounts;
  for (const resource of ALL) {
    const text = list[resource];
    if (text !== undefined && text !== null) amounts[resource] = parseQuantity(String(text));
  }
  return amounts;
}

/** All of them together. */
export function sumAmounts(all: Iterable<Amounts>): Amounts {
  const sum: Partial<Record<Measured, Quantity>> = {};
  for (const amounts of all) {
    for (const resource of ALL) {
      const more = amounts[resource];
      if (more !== undefined) sum[resource] = addQuantities(sum[resource] ?? NOTHING, more);
    }
  }
  return sum;
}

/** `12m` of cpu, `34Mi` of anything else. */
export function amountText(resource: Measured, amount: Quantity = NOTHING): string {
  if (resource === 'cpu') return `${quantityMilliValue(amount)}m`;
  return `${quantityValue(amount) / MEBIBYTE}Mi`;
}

/** `12%`, cut and not rounded. */
export function shareText(amount: Quantity = NOTHING, available: Quantity): string {
  if (quantitySign(available) === 0) return '0%';
  const share = Number(quantityMilliValue(amount)) / Number(quantityMilliValue(available));
  return `${Math.trunc(share * 100)}%`;
}

/** What `--sort-by` compares, the most first. */
export function byAmount(resource: 'cpu' | 'memory'): (a: Amounts, b: Amounts) => number {
  const size = ({ [resource]: amount = NOTHING }: Amounts): bigint =>
    resource === 'cpu' ? quantityMilliValue(amount) : quantityValue(amount);
  return (a, b) => {
    const [x, y] = [size(a), size(b)];
    return x > y ? -1 : x < y ? 1 : 0;
  };
}
