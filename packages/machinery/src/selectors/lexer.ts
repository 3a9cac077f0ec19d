/** What a piece of a label selector is. */
export type TokenKind =
  | ')'
  | ','
  | '!'
  | '=='
  | '='
  | '>'
  | 'in'
  | '<'
  | '!='
  | 'notin'
  | '('
  | 'identifier'
  | 'end';

/** One piece of a label selector, with the text it was read from. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const SYMBOLS: readonly TokenKind[] = ['==', '!=', '=', '!', '(', ')', ',', '>', '<'];

/** Splits a label selector into tokens; the last one is always the end. A NUL character ends it, as upstream. */
export function tokenize(selector: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  for (;;) {
    while (isSpace(selector.charCodeAt(position))) position++;
    if (position >= selector.length || selector.charCodeAt(position) === 0) {
      tokens.push({ kind: 'end', text: '' });
      return tokens;
    }
    const symbol = SYMBOLS.find((candidate) => selector.startsWith(candidate, position));
    const text = symbol ?? readWord(selector, position);
    position += text.length;
    tokens.push({ kind: symbol ?? wordKind(text), text });
    // Upstream's reader has already taken the character after a token when it sees that it is NUL.
    if (selector.charCodeAt(position) === 0) position++;
  }
}

function wordKind(word: string): TokenKind {
  return word === 'in' || word === 'notin' ? word : 'identifier';
}

function readWord(selector: string, start: number): string {
  let end = start;
  while (end < selector.length && !endsWord(selector.charCodeAt(end))) end++;
  return selector.slice(start, end);
}

function endsWord(code: number): boolean {
  return code === 0 || isSpace(code) || '=!(),><'.includes(String.fromCharCode(code));
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a;
}
