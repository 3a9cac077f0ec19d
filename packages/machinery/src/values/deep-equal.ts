/**
 * Whether two pieces of JSON data mean the same to Kubernetes. Absent, null and the empty list are alike, as nil and
 * empty slices are in Go; an empty object is not the same as none, because `emptyDir: {}` says something. (Empty maps
 * are not written by canonical objects, so the difference between a map and a struct does not arise.)
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  // Each entry is a pair still to compare; a stack of our own, because nesting may be thousands deep.
  const pending: unknown[] = [a, b];
  while (pending.length > 0) {
    const right = pending.pop();
    const left = pending.pop();
    if (left === right) continue;
    if (isNothing(left) || isNothing(right)) {
      if (isNothing(left) && isNothing(right)) continue;
      return false;
    }
    if (typeof left !== 'object' || typeof right !== 'object') {
      if (sameNumber(left, right)) continue;
      return false;
    }
    if (!pushMembers(left as object, right as object, pending)) return false;
  }
  return true;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function sameNumber(a: unknown, b: unknown): boolean {
  if (typeof a === 'bigint' && typeof b === 'number') return Number.isInteger(b) && BigInt(b) === a;
  if (typeof a === 'number' && typeof b === 'bigint') return sameNumber(b, a);
  return false;
}

function pushMembers(left: object, right: object, pending: unknown[]): boolean {
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return false;
    for (let i = 0; i < left.length; i++) pending.push(left[i], right[i]);
    return true;
  }
  const a = left as Record<string, unknown>;
  const b = right as Record<string, unknown>;
  for (const key of Object.keys(a)) {
    if (Object.hasOwn(b, key)) pending.push(a[key], b[key]);
    else if (!isNothing(a[key])) return false;
  }
  for (const key of Object.keys(b)) {
    if (!Object.hasOwn(a, key) && !isNothing(b[key])) return false;
  }
  return true;
}
