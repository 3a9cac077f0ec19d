const KUBE_VERSION = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const STAGES: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };

/**
 * Compares versions as clients prefer them: stable before beta before alpha, newer before older, and names of another
 * form last, by the alphabet. Sorts the most wanted first.
 */
export function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  const left = parse(a);
  const right = parse(b);
  if (left === undefined || right === undefined) {
    if (left === undefined && right === undefined) return a < b ? -1 : 1;
    return left === undefined ? 1 : -1;
  }
  for (const [index, part] of left.entries()) {
    const difference = (right[index] ?? 0) - part;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Stage, major, minor: in the order they count. */
function parse(version: string): number[] | undefined {
  const match = KUBE_VERSION.exec(version);
  if (match === null) return undefined;
  const [, major = '0', stage, minor = '0'] = match;
  return [stage === undefined ? 2 : (STAGES[stage] ?? 0), Number(major), Number(minor)];
}
