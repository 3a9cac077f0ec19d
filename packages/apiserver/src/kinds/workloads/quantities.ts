/** Quantities as objects hold them: canonical text. */
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  isFractionalQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
} from '@flotilla/machinery';
import type { ResourceList } from './api-values.ts';

/** True for text that reads as a quantity. */
export function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch {
    return false;
  }
}

/** Negative, zero or positive, as `a` is less than, equal to or more than `b`. */
export function compareQuantityTexts(a: string, b: string): number {
  return compareQuantities(parseQuantity(a), parseQuantity(b));
}

/** The sum of two quantities. */
export function addQuantityTexts(a: string, b: string): string {
  return formatQuantity(addQuantities(parseQuantity(a), parseQuantity(b)));
}

/** True when a quantity is not a whole number. */
export function fractionalQuantity(text: string): boolean {
  return isFractionalQuantity(parseQuantity(text));
}

/** True when `size` is a positive whole number that divides the quantity. */
export function quantityIsMultiple(quantity: string, size: string): boolean {
  if (compareQuantityTexts(size, '0') <= 0 || fractionalQuantity(size)) return false;
  return quantityValue(parseQuantity(quantity)) % quantityValue(parseQuantity(size)) === 0n;
}

/** Resource amounts finer than a thousandth are rounded up, because nothing counts finer. */
export function roundUpList(list: ResourceList | null | undefined): void {
  for (const [name, text] of Object.entries(list ?? {})) {
    if (list == null || !isFinerThanMilli(text)) continue;
    list[name] = canonicalQuantity(`${quantityMilliValue(parseQuantity(text))}m`);
  }
}

/** Rounds up both requests and limits. */
export function roundUpResources(
  resources: { limits?: ResourceList; requests?: ResourceList } | null | undefined,
): void {
  roundUpList(resources?.limits);
  roundUpList(resources?.requests);
}

function isFinerThanMilli(text: string): boolean {
  // Canonical text shows it: only these suffixes and exponents go below a thousandth.
  return /[nu]$/.test(text) || /[eE]-/.test(text);
}
