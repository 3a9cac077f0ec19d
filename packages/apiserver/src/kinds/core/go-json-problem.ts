/** What Go's JSON decoder says about a text that should hold an object; clients see these words in refusals. */

const END = 'unexpected end of JSON input';
const SPACE = new Set([' ', '\t', '\r', '\n']);
const LITERALS: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };

/** Go reads a space after the end, which breaks words, numbers and escapes but nothing else. */
const SPLITS_WORDS = /^in (?!string literal)|decimal point/;

class JsonProblem extends Error {}

/** Why a text is not a JSON object (or null), in Go's words; undefined when it is one. */
export function goJsonObjectProblem(text: string): string | undefined {
  const scanner = { text, position: 0 };
  try {
    skipSpace(scanner);
    const start = text[scanner.position];
    value(scanner);
    skipSpace(scanner);
    if (scanner.position < text.length) unexpected(scanner, 'after top-level value');
    return typeProblem(start);
  } catch (error) {
    if (error instanceof JsonProblem) return error.message;
    throw error;
  }
}

interface Scanner {
  readonly text: string;
  position: number;
}

function typeProblem(start: string | undefined): string | undefined {
  if (start === '{' || start === 'n') return undefined;
  const type =
    start === '['
      ? 'array'
      : start === '"'
        ? 'string'
        : start === 't' || start === 'f'
          ? 'bool'
          : 'number';
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

function value(scanner: Scanner): void {
  skipSpace(scanner);
  const char = scanner.text[scanner.position] ?? '';
  if (char === '{') object(scanner);
  else if (char === '[') array(scanner);
  else if (char === '"') string(scanner);
  else if (char === '-' || /\d/.test(char)) number(scanner);
  else if (LITERALS[char] !== undefined) literal(scanner, LITERALS[char]);
  else unexpected(scanner, 'looking for beginning of value');
}

function literal(scanner: Scanner, word: string): void {
  for (const [index, char] of [...word].entries()) {
    if (scanner.text[scanner.position] !== char) {
      // The first character chose the word, so a difference is always further in.
      unexpected(scanner, `in literal ${word} (expecting '${word[index]}')`);
    }
    scanner.position++;
  }
}

function object(scanner: Scanner): void {
  scanner.position++;
  skipSpace(scanner);
  if (scanner.text[scanner.position] === '}') {
    scanner.position++;
    return;
  }
  for (;;) {
    skipSpace(scanner);
    if (scanner.text[scanner.position] !== '"') {
      unexpected(scanner, 'looking for beginning of object key string');
    }
    string(scanner);
    skipSpace(scanner);
    if (scanner.text[scanner.position] !== ':') unexpected(scanner, 'after object key');
    scanner.position++;
    value(scanner);
    skipSpace(scanner);
    const next = scanner.text[scanner.position];
    if (next !== ',' && next !== '}') unexpected(scanner, 'after object key:value pair');
    scanner.position++;
    if (next === '}') return;
  }
}

function array(scanner: Scanner): void {
  scanner.position++;
  skipSpace(scanner);
  if (scanner.text[scanner.position] === ']') {
    scanner.position++;
    return;
  }
  for (;;) {
    value(scanner);
    skipSpace(scanner);
    const next = scanner.text[scanner.position];
    if (next !== ',' && next !== ']') unexpected(scanner, 'after array element');
    scanner.position++;
    if (next === ']') return;
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
