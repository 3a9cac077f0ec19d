/**
 * The JSON objects that stand one after the other in a text, as `cat a.json b.json` makes it; undefined when it is
 * something else. They are only told apart here, not read.
 */
export function splitJson(text: string): string[] | undefined {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (isText) {
      if (char === '\\') at += 1;
      else if (char === '"') isText = false;
    } else if (char === '{' || char === '[') {
      if (depth === 0 && char === '[') return undefined;
      if (depth === 0) start = at;
      depth += 1;
    } else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth < 0) return undefined;
      if (depth === 0) parts.push(text.slice(start, at + 1));
    } else if (depth === 0 && !/\s/.test(char)) {
      return undefined;
    } else if (char === '"') {
      isText = true;
    }
  }
  return depth === 0 && !isText ? parts : undefined;
}
