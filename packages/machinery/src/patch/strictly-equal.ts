/** Whether two JSON values are the same in every detail: unlike `deepEqual`, null and empty lists are something. */
export function strictlyEqual(a: unknown, b: unknown): boolean {
  const pending: unknown[] = [a, b];
  while (pending.length > 0) {
    const right = pending.pop();
    const left = pending.pop();
    if (left === right) continue;
    if (typeof left !== 'object' || typeof right !== 'object') return false;
    if (left === null || right === null || Array.isArray(left) !== Array.isArray(right))
      return false;
    const keys = Object.keys(left);
    if (keys.length !== Object.keys(right).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(right, key)) return false;
      pending.push((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]);
    }
  }
  return true;
}
