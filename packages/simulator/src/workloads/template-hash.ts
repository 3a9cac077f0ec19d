/** The letters and digits of upstream's generated names: no vowels, so that no word comes out. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * A short name for a template, such as `7d4f8c5b9`. Which one differs from upstream's, whose hash is over the memory of a
 * Go program; it is found again by comparing templates, never by computing it anew.
 */
export function templateHash(template: unknown, collisionCount = 0): string {
  const text = canonical(template) + (collisionCount > 0 ? String(collisionCount) : '');
  return [...String(fnv1a(text))]
    .map((digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length] ?? '')
    .join('');
}

/** JSON with the keys of objects in order, so that equal values have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.join(',')}}`;
}

/** FNV-1a, 32 bits. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash >>> 0;
}
