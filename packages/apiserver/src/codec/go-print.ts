/** A JSON value as Go's `%v` prints it, for texts that clients see. */
export function goPrint(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goPrint).join(' ')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `map[${members.map(([key, member]) => `${key}:${goPrint(member)}`).join(' ')}]`;
  }
  return typeof value === 'number' ? goNumber(value) : String(value);
}

/** Go prints small exponents from 1e-05 on, with at least two digits; JavaScript from 1e-7, with one. */
function goNumber(value: number): string {
  const size = Math.abs(value);
  const text = size !== 0 && size < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** The Go type a JSON value has once decoded without a type of its own. */
export function goTypeOf(value: unknown): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  return goKindOf(value);
}

/** The kind of that type. */
export function goKindOf(value: unknown): string {
  if (Array.isArray(value)) return 'slice';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      return 'map';
  }
}
