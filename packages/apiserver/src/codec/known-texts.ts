import { canonicalQuantity, canonicalTime } from '@flotilla/machinery';

const MAX_KNOWN = 4096;
const knownQuantities = new Map<string, string>();

/** A quantity in canonical form; clusters use few different ones, so their forms are remembered. */
export function quantityText(text: string): string {
  let known = knownQuantities.get(text);
  if (known === undefined) {
    known = canonicalQuantity(text);
    if (knownQuantities.size >= MAX_KNOWN) knownQuantities.clear();
    knownQuantities.set(text, known);
  }
  return known;
}

/** Days up to 28 exist in every month, so a time that looks like this needs no calendar. */
const PLAIN_TIME =
  /^(?!0001)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** A time in canonical form; nearly every time arrives in it. */
export function timeInSeconds(text: string): string | null {
  return PLAIN_TIME.test(text) ? text : canonicalTime(text);
}
