/** Orders keys as Go's YAML writer does: numbers inside them by value, letters after everything else. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let same = 0;
  while (same < length && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  if (same === length) return a.length - b.length;
  const difference = a.charCodeAt(same) - b.charCodeAt(same);
  // Nearly all keys differ first in a plain letter.
  if (isPlainLetter(a.charCodeAt(same)) && isPlainLetter(b.charCodeAt(same))) return difference;
  return compareCarefully(a, b);
}

function isPlainLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function compareCarefully(a: string, b: string): number {
  const left = Array.from(a);
  const right = Array.from(b);
  for (let i = 0; i < left.length && i < right.length; i++) {
    const x = left[i] as string;
    const y = right[i] as string;
    if (x !== y) return compareFrom(left, right, i);
  }
  return left.length - right.length;
}

/** At the first character in which two keys differ. */
function compareFrom(left: readonly string[], right: readonly string[], start: number): number {
  const x = left[start] as string;
  const y = right[start] as string;
  const isLetterX = isLetter(x);
  const isLetterY = isLetter(y);
  if (isLetterX !== isLetterY) return isLetterX ? 1 : -1;
  if (!isLetterX) {
    const lead = (x === '0' || y === '0') && continuesNumber(left, start) ? '1' : '';
    const digitsX = digitsFrom(left, start);
    const digitsY = digitsFrom(right, start);
    const numberX = BigInt(`${lead}${digitsX}` || '0');
    const numberY = BigInt(`${lead}${digitsY}` || '0');
    if (numberX !== numberY) return numberX < numberY ? -1 : 1;
    if (digitsX.length !== digitsY.length) return digitsX.length - digitsY.length;
  }
  return (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);
}

/** Whether digits other than zero stand right before: then a zero here is part of a number, not its start. */
function continuesNumber(key: readonly string[], start: number): boolean {
  for (let i = start - 1; i >= 0 && /\p{Nd}/u.test(key[i] as string); i--) {
    if (key[i] !== '0') return true;
  }
  return false;
}

function digitsFrom(key: readonly string[], start: number): string {
  let end = start;
  while (/^[0-9]$/.test(key[end] ?? '')) end++;
  return key.slice(start, end).join('');
}

function isLetter(char: string): boolean {
  return /\p{L}/u.test(char);
}
