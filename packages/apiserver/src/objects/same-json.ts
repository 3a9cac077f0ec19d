/**
 * Whether two custom objects are the same to the byte. Unlike with built-in kinds null, nothing and an empty list are
 * three things: only a schema could tell that they are not meant to be.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  const pending: unknown[] = [a, b];
  while (pending.length > 0) {
    const right = pending.pop();
    const left = pending.pop();
    if (left === right) continue;
    if (typeof left !== 'object' || typeof right !== 'object') return false;
    if (left === null || right === null || Array.isArray(left) !== Array.isArray(right))
      return false;
    const keys = definedKeys(left);
    if (keys.length !== definedKeys(right).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(right, key)) return false;
      pending.push((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]);
    }
  }
  return true;
}

function definedKeys(value: object): string[] {
  return Object.keys(value).filter((key) => (value as Record<string, unknown>)[key] !== undefined);
}
