/**
 * Cuts `a,b*,{c,d}-e,/f{1,2}/` at the commas between patterns: those inside braces, brackets and regular expressions
 * belong to them.
 */
export function splitPatterns(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest !== '') {
    const end = endOfPattern(rest);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end + 1);
  }
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

function endOfPattern(text: string): number {
  const expression = /^\s*\/(?:\\.|[^\\/])+\/(?=\s*(?:,|$))/.exec(text)?.[0];
  if (expression !== undefined) return expression.length;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '\\') index += 1;
    else if (character === '{' && text.includes('}', index)) depth += 1;
    else if (character === '}' && depth > 0) depth -= 1;
    else if (character === ',' && depth === 0) return index;
  }
  return text.length;
}
