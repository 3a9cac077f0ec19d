import {
  compareQuantities,
  type FieldError,
  formatQuantity,
  invalid,
  negativeDetail,
  parseQuantity,
  quantityMilliValue,
  quantitySign,
  quantityValue,
  scaledQuantityValue,
} from '@flotilla/machinery';
import { isIntegerResource } from './resource-names.ts';

/** Amounts by the name of what they measure, as objects hold them. */
export type ResourceList = Record<string, string>;

/** The amount of one resource. Names come from clients, and every object seems to have a `constructor`. */
export function amountOf(list: ResourceList | null | undefined, name: string): string | undefined {
  return list != null && Object.hasOwn(list, name) ? list[name] : undefined;
}

const MILLI = -3;

/** Canonical texts that can stand for less than a thousandth: micro, nano, fractions, negative exponents. */
const MAYBE_FINE = /[un.]|e-/i;

/** Nothing is measured finer than a thousandth: finer amounts are rounded up. */
export function roundResources(list: ResourceList | undefined): void {
  for (const [name, text] of Object.entries(list ?? {})) {
    if (!MAYBE_FINE.test(text)) continue;
    const quantity = parseQuantity(text);
    if (quantity.scale >= MILLI || list === undefined) continue;
    const { format } = quantity;
    const unscaled = scaledQuantityValue(quantity, MILLI);
    list[name] = formatQuantity({ unscaled, scale: MILLI, format });
  }
}

/** Negative, zero or positive as the first amount is less than, equal to or more than the second. */
export function compareAmounts(a: string, b: string): number {
  return compareQuantities(parseQuantity(a), parseQuantity(b));
}

/** An amount that may be zero but not less. */
export function validateNonnegativeAmount(text: string, path: string): FieldError[] {
  return quantitySign(parseQuantity(text)) < 0 ? [invalid(path, text, negativeDetail)] : [];
}

/** An amount that must be more than zero. */
export function validatePositiveAmount(text: string, path: string): FieldError[] {
  return quantitySign(parseQuantity(text)) > 0
    ? []
    : [invalid(path, text, 'must be greater than zero')];
}

/** An amount of some resource: not negative, and whole where the resource comes in pieces. */
export function validateAmount(resource: string, text: string, path: string): FieldError[] {
  const errors = validateNonnegativeAmount(text, path);
  if (isIntegerResource(resource) && quantityMilliValue(parseQuantity(text)) % 1000n !== 0n) {
    errors.push(invalid(path, text, 'must be an integer'));
  }
  return errors;
}

/** An amount that is not negative, shown as a whole number. */
export function validateBasicAmount(text: string, path: string): FieldError[] {
  const value = quantityValue(parseQuantity(text));
  return value < 0n ? [invalid(path, value, 'must be a valid resource quantity')] : [];
}

/** True when an amount of bytes is not a whole number. */
export function isFractionOfByte(text: string | undefined): boolean {
  return text !== undefined && quantityMilliValue(parseQuantity(text)) % 1000n !== 0n;
}
