import { invalid } from '../../field-errors.ts';
import { formatFloat } from '../../go/format-float.ts';
import type { JsonSchemaProps } from '../types.ts';
import { type Check, fail, fieldOf, type Run } from './run.ts';

const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 63n - 1n;
const MAX_JSON_FLOAT = 2 ** 53 - 1;
const EPSILON = 1e-9;

/** Whether Go would hold the number as an int64. */
export function isInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** Whether a float64 is as good as an integer to JSON schemas. */
export function isIntegral(value: number): boolean {
  if (Math.abs(value) > MAX_JSON_FLOAT) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  if (value < 0 || whole === 0) return false;
  const difference = Math.abs(value - whole);
  return difference / (Math.abs(value) + Math.abs(whole)) < EPSILON;
}

/** The limits of numbers; undefined when the schema has none. */
export function numberCheck(schema: JsonSchemaProps): Check | undefined {
  const { multipleOf, minimum, maximum } = schema;
  const checks: Check[] = [];
  if (multipleOf !== undefined) checks.push(multipleCheck(Number(multipleOf)));
  if (minimum !== undefined) {
    const isExclusive = schema.exclusiveMinimum === true;
    checks.push(limitCheck(Number(minimum), { isExclusive, isMaximum: false }));
  }
  if (maximum !== undefined) {
    const isExclusive = schema.exclusiveMaximum === true;
    checks.push(limitCheck(Number(maximum), { isExclusive, isMaximum: true }));
  }
  if (checks.length === 0) return undefined;
  return (value, path, run) => {
    for (const check of checks) check(value, path, run);
  };
}

function limitCheck(
  limit: number,
  { isExclusive, isMaximum }: { isExclusive: boolean; isMaximum: boolean },
): Check {
  const whole = toInt64(limit);
  const words = isMaximum
    ? `should be less than ${isExclusive ? '' : 'or equal to '}`
    : `should be greater than ${isExclusive ? '' : 'or equal to '}`;
  const isBeyond = (value: number | bigint, bound: number | bigint) => {
    if (isExclusive && value === bound) return true;
    // Numbers and bigints compare exactly with each other.
    return isMaximum
      ? value > bound || (isExclusive && value >= bound)
      : value < bound || (isExclusive && value <= bound);
  };
  return (value, path, run) => {
    const number = value as number | bigint;
    const isWhole = isInteger(number);
    if (!isBeyond(number, isWhole ? whole : limit)) return;
    const shown = isWhole ? String(whole) : formatFloat(limit);
    fail(run, () => invalid(fieldOf(run, path), number, `${path} in body ${words}${shown}`));
  };
}

function multipleCheck(factor: number): Check {
  const whole = toInt64(factor);
  return (value, path, run) => {
    const number = value as number | bigint;
    if (isInteger(number)) {
      if (whole <= 0n) mustBePositive(whole, path, run);
      else if (BigInt(number) % whole !== 0n) notMultiple(String(whole), number, { path, run });
      return;
    }
    if (factor <= 0) {
      mustBePositive(factor, path, run);
      return;
    }
    const times = factor < 1 ? (1 / factor) * Number(number) : Number(number) / factor;
    if (!isIntegral(times)) notMultiple(formatFloat(factor), number, { path, run });
  };
}

function mustBePositive(factor: number | bigint, path: string, run: Run): void {
  const detail = `factor MultipleOf declared for ${path} must be positive: ${String(factor)}`;
  fail(run, () => invalid(fieldOf(run, path), factor, detail));
}

function notMultiple(
  factor: string,
  value: number | bigint,
  { path, run }: { path: string; run: Run },
): void {
  const detail = `${path} in body should be a multiple of ${factor}`;
  fail(run, () => invalid(fieldOf(run, path), value, detail));
}

/** What Go's conversion makes of a float64; out of range it is the smallest int64 on the usual machines. */
function toInt64(value: number): bigint {
  if (!Number.isFinite(value)) return MIN_INT;
  const whole = BigInt(Math.trunc(value));
  return whole < MIN_INT || whole > MAX_INT ? MIN_INT : whole;
}
