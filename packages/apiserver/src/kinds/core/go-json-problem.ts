/** What Go's JSON decoder says about a text that should hold an object; clients see these words in refusals. */

const END = 'unexpected end of JSON input';
const MAX_DEPTH = 10_000;
const SPACE = new Set([' ', '\t', '\r', '\n']);
const LITERALS: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };

/** Go reads a space after the end, which breaks words, numbers and escapes but nothing else. */
const SPLITS_WORDS = /^in (?!string literal)|decimal point/;

class JsonProblem extends Error {}

interface Scanner {
  readonly text: string;
  position: number;
}

/** Why a text is not a JSON object (or null), in Go's words; undefined when it is one. */
export function goJsonObjectProblem(text: string): string | undefined {
  const scanner = { text, position: 0 };
  try {
    skipSpace(scanner);
    const start = text[scanner.position];
    document(scanner);
    if (scanner.position < text.length) unexpected(scanner, 'after top-level value');
    return typeProblem(start);
  } catch (error) {
    if (error instanceof JsonProblem) return error.message;
    throw error;
  }
}

function typeProblem(start: string | undefined): string | undefined {
  if (start === '{' || start === 'n') return undefined;
  const types: Readonly<Record<string, string>> = {
    '[': 'array',
    '"': 'string',
    t: 'bool',
    f: 'bool',
  };
  const type = types[start ?? ''] ?? 'number';
  return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
}

function unexpected(scanner: Scanner, context: string): never {
  const char = scanner.text[scanner.position] ?? (SPLITS_WORDS.test(context) ? ' ' : undefined);
  if (char === undefined) throw new JsonProblem(END);
  throw new JsonProblem(`invalid character ${quoteChar(char)} ${context}`);
}

function quoteChar(char: string): string {
  if (char === "'") return "'\\''";
  if (char === '"') return "'\"'";
  const short = JSON.stringify(char).slice(1, -1);
  const control = /^\\u00([0-9a-f]{2})$/.exec(short);
  return `'${control === null ? short : `\\x${control[1]}`}'`;
}

function skipSpace(scanner: Scanner): void {
  while (SPACE.has(scanner.text[scanner.position] ?? '')) scanner.position++;
}

/** The character that comes next, spaces aside. */
function peek(scanner: Scanner): string | undefined {
  skipSpace(scanner);
  return scanner.text[scanner.position];
}

/** One value and the space after it; `open` holds the brackets around the current place, innermost last. */
function document(scanner: Scanner): void {
  const open: ('{' | '[')[] = [];
  for (;;) {
    const char = peek(scanner);
    if (char === '{' || char === '[') {
      if (open.length >= MAX_DEPTH) unexpected(scanner, 'exceeded max depth');
      open.push(char);
      scanner.position++;
      if (peek(scanner) !== (char === '{' ? '}' : ']')) {
        if (char === '{') key(scanner);
        continue;
      }
    } else scalar(scanner, char);
    if (closeFinished(scanner, open)) return;
  }
}

/** Leaves every bracket that ends here and moves on to the next member; true when all are left. */
function closeFinished(scanner: Scanner, open: ('{' | '[')[]): boolean {
  // A bracket that was empty is still to be closed, and so is none after a scalar.
  for (let inside = open.at(-1); inside !== undefined; inside = open.at(-1)) {
    const next = peek(scanner);
    const end = inside === '{' ? '}' : ']';
    if (next === ',') {
      scanner.position++;
      if (inside === '{') key(scanner);
      return false;
    }
    if (next !== end) {
      unexpected(scanner, inside === '{' ? 'after object key:value pair' : 'after array element');
    }
    scanner.position++;
    open.pop();
  }
  skipSpace(scanner);
  return true;
}

function key(scanner: Scanner): void {
  if (peek(scanner) !== '"') unexpected(scanner, 'looking for beginning of object key string');
  string(scanner);
  if (peek(scanner) !== ':') unexpected(scanner, 'after object key');
  scanner.position++;
}

function scalar(scanner: Scanner, char = ''): void {
  const word = LITERALS[char];
  if (char === '"') string(scanner);
  else if (char === '-' || /\d/.test(char)) number(scanner);
  else if (word !== undefined) literal(scanner, word);
  else unexpected(scanner, 'looking for beginning of value');
}

function literal(scanner: Scanner, word: string): void {
  for (const char of word) {
    if (scanner.text[scanner.position] !== char) {
      unexpected(scanner, `in literal ${word} (expecting '${char}')`);
    }
    scanner.position++;
  }
}

function string(scanner: Scanner): void {
  scanner.position++;
  for (;;) {
    const char = scanner.text[scanner.position];
    if (char === undefined || char < ' ') unexpected(scanner, 'in string literal');
    scanner.position++;
    if (char === '"') return;
    if (char === '\\') escapeCode(scanner);
  }
}

function escapeCode(scanner: Scanner): void {
  const char = scanner.text[scanner.position] ?? '';
  if (char === '' || !'bfnrt\\/"u'.includes(char)) unexpected(scanner, 'in string escape code');
  scanner.position++;
  if (char !== 'u') return;
  for (let digit = 0; digit < 4; digit++) {
    if (!/[0-9a-fA-F]/.test(scanner.text[scanner.position] ?? '')) {
      unexpected(scanner, 'in \\u hexadecimal character escape');
    }
    scanner.position++;
  }
}

function number(scanner: Scanner): void {
  if (scanner.text[scanner.position] === '-') scanner.position++;
  if (scanner.text[scanner.position] === '0') scanner.position++;
  else digits(scanner, 'in numeric literal');
  if (scanner.text[scanner.position] === '.') {
    scanner.position++;
    digits(scanner, 'after decimal point in numeric literal');
  }
  if (/[eE]/.test(scanner.text[scanner.position] ?? '')) {
    scanner.position++;
    if (/[+-]/.test(scanner.text[scanner.position] ?? '')) scanner.position++;
    digits(scanner, 'in exponent of numeric literal');
  }
}

function digits(scanner: Scanner, context: string): void {
  if (!/\d/.test(scanner.text[scanner.position] ?? '')) unexpected(scanner, context);
  while (/\d/.test(scanner.text[scanner.position] ?? '')) scanner.position++;
}
