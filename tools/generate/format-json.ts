const WIDTH = 100;

/** JSON whose lines stay short: whatever fits on one line is on one line, so that diffs read well. */
export function formatJson(value: unknown): string {
  return `${layOut(value, '')}\n`;
}

function layOut(value: unknown, indent: string): string {
  const flat = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= WIDTH) {
    return flat;
  }
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${layOut(item, inner)}`);
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${JSON.stringify(name)}:${layOut(member, inner)}`,
  );
  return `{\n${members.join(',\n')}\n${indent}}`;
}
