import { spend } from './work.ts';

/** How many code points a string has, which is its size in CEL. */
export function codePointLength(text: string): number {
  spend(text.length >> 4);
  let count = text.length;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xdc00) count--;
  return count;
}

/** Whether every UTF-16 unit is a code point of its own, so that indices are the same. */
export function hasOnlyUnits(text: string): boolean {
  spend(text.length >> 4);
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xf800) === 0xd800) return false;
  return true;
}

/** Compares as Go does, by UTF-8 bytes, which is the order of code points. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates stand for code points above all other units.
    const highX = (x & 0xf800) === 0xd800;
    const highY = (y & 0xf800) === 0xd800;
    if (highX !== highY) return highX ? 1 : -1;
    return x < y ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}
