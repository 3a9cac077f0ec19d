import { GoNumber } from '../go/values.ts';

/** A value as Go sees it when it compares: only values of one kind can be. */
type Basic =
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int'; readonly value: number | bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string };

/** Why two values cannot be compared, in the words of Go's templates. */
export class ComparisonError extends Error {
  override readonly name = 'ComparisonError';
}

/** `left operator right` for `==`, `!=`, `<`, `<=`, `>` and `>=`. */
export function compareValues(left: unknown, operator: string, right: unknown): boolean {
  switch (operator) {
    case '==':
      return isEqual(basicOf(left), basicOf(right));
    case '!=':
      return !isEqual(basicOf(left), basicOf(right));
    case '<':
      return isLess(basicOf(left), basicOf(right));
    case '>=':
      return !isLess(basicOf(left), basicOf(right));
    case '<=':
      return isAtMost(basicOf(left), basicOf(right));
    case '>':
      return !isAtMost(basicOf(left), basicOf(right));
    default:
      throw new ComparisonError(`unrecognized filter operator ${operator}`);
  }
}

function isAtMost(left: Basic, right: Basic): boolean {
  return isLess(left, right) || isEqual(left, right);
}

function isEqual(left: Basic, right: Basic): boolean {
  if (left.kind !== right.kind) throw new ComparisonError('incompatible types for comparison');
  // Integers of both forms are compared by value.
  // biome-ignore lint/suspicious/noDoubleEquals: 1n == 1 is what is meant
  return left.value == right.value;
}

function isLess(left: Basic, right: Basic): boolean {
  if (left.kind !== right.kind) throw new ComparisonError('incompatible types for comparison');
  if (left.kind === 'bool') throw new ComparisonError('invalid type for comparison');
  return left.value < right.value;
}

function basicOf(value: unknown): Basic {
  switch (typeof value) {
    case 'boolean':
      return { kind: 'bool', value };
    case 'string':
      return { kind: 'string', value };
    case 'bigint':
      return { kind: 'int', value };
    case 'number':
      return { kind: Number.isInteger(value) ? 'int' : 'float', value };
    default:
      if (value instanceof GoNumber) {
        return { kind: value.type === 'float64' ? 'float' : 'int', value: value.value };
      }
      throw new ComparisonError('invalid type for comparison');
  }
}
