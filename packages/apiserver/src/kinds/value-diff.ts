import { encodeJson } from '@flotilla/machinery';
import { unifiedDiff } from './unified-diff.ts';

/**
 * The unified diff of two values as indented JSON, which upstream puts into messages about immutable fields. The values
 * must have their fields in the order and with the names of upstream's internal types.
 */
export function diffValues(before: unknown, after: unknown): string {
  return unifiedDiff(prettyJson(before), prettyJson(after));
}

/** Pretty JSON as Go's MarshalIndent writes it with one blank per level. */
function prettyJson(value: unknown, indent = ''): string {
  const deeper = `${indent} `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    const items = value.map((item) => `${deeper}${prettyJson(item, deeper)}`);
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return encodeJson(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return '{}';
  const lines = members.map(
    ([key, member]) => `${deeper}${encodeJson(key)}: ${prettyJson(member, deeper)}`,
  );
  return `{\n${lines.join(',\n')}\n${indent}}`;
}
