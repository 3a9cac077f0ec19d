import { GoNumber, goSprint, goTypeName, plainValue } from '../go/values.ts';

/** Whether a value equals one of others. Throws where Go refuses to compare. */
export function isEqual(value: unknown, others: readonly unknown[]): boolean {
  if (others.length === 0) throw new TypeError('missing argument for comparison');
  return others.some((other) => isSame(value ?? undefined, other ?? undefined));
}

/** Whether the first of two values is less. Throws where Go refuses to compare. */
export function isLess(left: unknown, right: unknown): boolean {
  const kind = basicKind(left ?? undefined);
  const other = basicKind(right ?? undefined);
  if (kind === undefined || other === undefined) throw new TypeError('invalid type for comparison');
  if (kind !== other) throw incompatible(left, right);
  if (kind === 'bool') throw new TypeError('invalid type for comparison');
  return (plainValue(left) as number) < (plainValue(right) as number);
}

function isSame(left: unknown, right: unknown): boolean {
  const kind = basicKind(left);
  if (kind !== basicKind(right)) {
    // Nothing equals nothing but nothing.
    if (left === undefined || right === undefined) return false;
    throw incompatible(left, right);
  }
  // biome-ignore lint/suspicious/noDoubleEquals: integers of both forms are compared by value
  if (kind !== undefined) return plainValue(left) == plainValue(right);
  if (left === undefined || right === undefined) return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) {
    throw new TypeError(
      `non-comparable types ${goSprint(left)}: ${goTypeName(left)}, ${goTypeName(right)}: ${goSprint(right)}`,
    );
  }
  throw new TypeError(`non-comparable type ${goSprint(right)}: ${goTypeName(right)}`);
}

function incompatible(left: unknown, right: unknown): TypeError {
  return new TypeError(
    `incompatible types for comparison: ${goTypeName(left)} and ${goTypeName(right)}`,
  );
}

function basicKind(value: unknown): 'bool' | 'int' | 'float' | 'string' | undefined {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    case 'bigint':
      return 'int';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float';
    default:
      if (!(value instanceof GoNumber)) return undefined;
      return value.type === 'float64' ? 'float' : 'int';
  }
}
