import { type FieldError, invalid, isValidPercent } from '@flotilla/machinery';
import type { IntOrString } from './api-values.ts';
import { invalidEach, nonNegative } from './support.ts';

/** A number that is not negative, or a percentage. */
export function intOrPercentErrors(value: IntOrString, path: string): FieldError[] {
  return typeof value === 'string'
    ? invalidEach(path, value, isValidPercent(value))
    : nonNegative(value, path);
}

/** The number itself, or the number before the percent sign; 0 for anything else. */
export function intOrPercentValue(value: IntOrString): number {
  if (typeof value === 'number') return value;
  if (isValidPercent(value).length === 0) return Number(value.slice(0, -1));
  return /^[+-]?[0-9]+$/.test(value) ? Number(value) : 0;
}

/** A percentage may not exceed the whole. */
export function wholeErrors(value: IntOrString, path: string): FieldError[] {
  const tooMuch =
    typeof value === 'string' && value.endsWith('%') && intOrPercentValue(value) > 100;
  return tooMuch ? [invalid(path, value, 'must not be greater than 100%')] : [];
}
