/** Whether a value is a JSON object: not null, not a list. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What Go's decoder calls a JSON value in its errors. */
export function goJsonKind(
  value: unknown,
): 'object' | 'array' | 'string' | 'number' | 'bool' | 'null' {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'object';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' || typeof value === 'bigint' ? 'number' : 'string';
}
