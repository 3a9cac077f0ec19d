/** Go's unicode.IsSpace, but for the space that is not to be broken at. */
const SPACE = /[\t\v\f\r \u0085\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/**
 * Breaks lines at spaces so that none is longer than `limit` characters, as kubectl does: words that are longer stay
 * whole, spaces where a line is broken are gone, others are kept.
 */
export function wrapText(text: string, limit: number): string {
  let wrapped = '';
  let current = 0;
  let spaces = '';
  let word = '';
  let wordLength = 0;
  const flush = () => {
    current += spaces.length + wordLength;
    wrapped += spaces + word;
    spaces = '';
    word = '';
    wordLength = 0;
  };
  for (const char of text) {
    if (char === '\n') {
      if (word !== '' || current + spaces.length <= limit) flush();
      spaces = '';
      wrapped += char;
      current = 0;
    } else if (SPACE.test(char)) {
      if (spaces === '' || word !== '') flush();
      spaces += char;
    } else {
      word += char;
      wordLength += 1;
      if (current + wordLength + spaces.length > limit && wordLength < limit) {
        wrapped += '\n';
        current = 0;
        spaces = '';
      }
    }
  }
  if (word !== '' || current + spaces.length <= limit) flush();
  return wrapped;
}

/** Moves every line to the right, empty ones as well. */
export function indentText(text: string, spaces: number): string {
  const padding = ' '.repeat(spaces);
  return padding + text.replaceAll('\n', `\n${padding}`);
}
