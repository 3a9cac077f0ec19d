/** Where a value stands among the kinds of values, in upstream's order; numbers of both kinds compare by value. */
function kindRank(value: unknown): number {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 0;
    case 'string':
      return 1;
    case 'boolean':
      return 2;
    default:
      return Array.isArray(value) ? 3 : value === null ? 5 : 4;
  }
}

/** Upstream's order of JSON values; texts compare by their bytes in UTF-8. */
export function compareValues(a: unknown, b: unknown): number {
  const kinds = kindRank(a) - kindRank(b);
  if (kinds !== 0) return kinds;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (isMap(a) && isMap(b)) return compareMaps(a, b);
  if (a === b || a === null) return 0;
  return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0;
}

const SURROGATE = /[\uD800-\uDFFF]/;

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  if (SURROGATE.test(a) || SURROGATE.test(b)) return compareLists(runesOf(a), runesOf(b));
  return a < b ? -1 : 1;
}

/** UTF-8 keeps the order of code points, which UTF-16 does not. */
function runesOf(text: string): number[] {
  return Array.from(text, (char) => char.codePointAt(0) ?? 0);
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let i = 0; i < a.length && i < b.length; i += 1) {
    const order = compareValues(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareMaps(a: Readonly<Record<string, unknown>>, b: typeof a): number {
  const left = Object.keys(a).sort(compareTexts);
  const right = Object.keys(b).sort(compareTexts);
  for (let i = 0; i < left.length && i < right.length; i += 1) {
    const name = left[i] as string;
    const names = compareTexts(name, right[i] as string);
    if (names !== 0) return names;
    const order = compareValues(a[name], b[name]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Whether a value is a JSON object. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a number, text or truth value. */
export function isScalar(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}

/** Whether two values are the same to upstream's merge: null is not absent, numbers compare by value. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return typeof a !== typeof b && isNumber(a) && isNumber(b) && Number(a) === Number(b);
  }
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameValue(item, b[i]));
  }
  if (Array.isArray(b)) return false;
  return sameMembers(a as Record<string, unknown>, b as Record<string, unknown>);
}

function sameMembers(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  let count = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !sameValue(a[key], b[key])) return false;
    count += 1;
  }
  for (const _ in b) count -= 1;
  return count === 0;
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}
