// The libraries that upstream patches with read only those maps that a patch leads through, and write them anew by
// their keys; what is in between stays as it was. Clients see the order in errors that quote the result.

/** The result of a JSON patch with the maps on the way to what its operations name in order of their keys. */
export function orderJsonPatched(result: unknown, operations: unknown): unknown {
  const walked = new Set<unknown>([result]);
  for (const operation of Array.isArray(operations) ? operations : []) {
    for (const pointer of [operation?.path, operation?.from]) {
      if (typeof pointer === 'string') addWalked(walked, result, pointer);
    }
  }
  return rebuilt(walked, result);
}

/** The result of a merge patch with the maps that the patch has, too, in order of their keys. */
export function orderMerged(result: unknown, patch: unknown): unknown {
  if (Array.isArray(result) && Array.isArray(patch)) {
    return result.map((each, index) => orderMerged(each, patch[index]));
  }
  if (!isMap(result) || !isMap(patch)) return result;
  return byKeys(result, (value, key) =>
    Object.hasOwn(patch, key) ? orderMerged(value, patch[key]) : value,
  );
}

/** The last part of a pointer is only looked up: what it names is not read. */
function addWalked(walked: Set<unknown>, root: unknown, pointer: string): void {
  let current = root;
  for (const part of pointer.split('/').slice(1, -1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return;
    current = (current as Record<string, unknown>)[key];
    walked.add(current);
  }
}

function rebuilt(walked: ReadonlySet<unknown>, value: unknown): unknown {
  if (!walked.has(value)) return value;
  if (Array.isArray(value)) return value.map((each) => rebuilt(walked, each));
  return isMap(value) ? byKeys(value, (each) => rebuilt(walked, each)) : value;
}

function byKeys(
  map: Readonly<Record<string, unknown>>,
  change: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
  const keys = Object.keys(map).sort();
  return Object.fromEntries(keys.map((key) => [key, change(map[key], key)]));
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
