/** Go's unicode.IsSpace. */
const SPACES = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const LIST = /^(?:\d+\.?|-|\*)[\t\n\f\r ]/;

/**
 * Breaks a text into lines of at most `limit` bytes as kubectl's older form of explanations does: lines that belong
 * together are joined; code, empty lines, lists and what follows a colon keep their own.
 */
export function wrapParagraphs(text: string, limit: number): string[] {
  const wrapped: string[] = [];
  let line: string[] = [];
  let length = 0;
  let lastWord = '';
  const flush = (): void => {
    if (line.length === 0) return;
    wrapped.push(line.join(' '));
    line = [];
    length = 0;
    lastWord = '';
  };
  for (const source of text.split('\n')) {
    const words = source.split(SPACES).filter((word) => word !== '');
    if (source.startsWith('    ')) {
      flush();
      wrapped.push(source);
      continue;
    }
    if (wrapped.length > 0 && words.length === 0) {
      flush();
      wrapped.push('');
      continue;
    }
    if (lastWord.endsWith(':') || words.length === 0 || LIST.test(source.trim())) flush();
    for (const word of words) {
      const size = Buffer.byteLength(word);
      if (line.length > 0 && length + 1 + size > limit) flush();
      length += size + (line.length === 0 ? 0 : 1);
      line.push(word);
      lastWord = word;
    }
  }
  flush();
  return wrapped;
}
