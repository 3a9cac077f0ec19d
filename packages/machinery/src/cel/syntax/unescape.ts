const SIMPLE: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
  '`': 96,
  '?': 63,
};

/** A literal that cannot be read; its message is cel-go's. */
export class UnescapeError extends Error {}

/** The contents of a literal's text, without quotes, and whether it was raw. */
function contents(literal: string): { body: string; raw: boolean } {
  const raw = /^[rR]/.test(literal);
  const quoted = raw ? literal.slice(1) : literal;
  const triple = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''"));
  const quotes = triple ? 3 : 1;
  return { body: quoted.slice(quotes, quoted.length - quotes).replace(/\r\n?/g, '\n'), raw };
}

/** Reads a string literal. */
export function unescapeString(literal: string): string {
  const { body, raw } = contents(literal);
  if (raw || !body.includes('\\')) return body;
  let out = '';
  readEscapes(body, {
    text: (text) => {
      out += text;
    },
    code: (code) => {
      if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
        throw new UnescapeError('invalid unicode code point');
      }
      out += String.fromCodePoint(code);
    },
    unicode: true,
  });
  return out;
}

/** Reads a bytes literal, whose text after the `b` is given. */
export function unescapeBytes(literal: string): Uint8Array {
  const { body, raw } = contents(literal);
  const encoder = new TextEncoder();
  if (raw || !body.includes('\\')) return encoder.encode(body);
  const out: number[] = [];
  readEscapes(body, {
    text: (text) => out.push(...encoder.encode(text)),
    code: (code) => out.push(code & 0xff),
    unicode: false,
  });
  return Uint8Array.from(out);
}

interface EscapeSink {
  readonly text: (text: string) => void;
  readonly code: (code: number) => void;
  /** Whether `\u` and `\U` are allowed. */
  readonly unicode: boolean;
}

function readEscapes(body: string, sink: EscapeSink): void {
  let pos = 0;
  while (pos < body.length) {
    const slash = body.indexOf('\\', pos);
    if (slash < 0) {
      sink.text(body.slice(pos));
      return;
    }
    if (slash > pos) sink.text(body.slice(pos, slash));
    pos = readEscape(body, slash + 1, sink);
  }
}

function readEscape(body: string, pos: number, sink: EscapeSink): number {
  const letter = body[pos] ?? '';
  const simple = SIMPLE[letter];
  if (simple !== undefined) {
    sink.code(simple);
    return pos + 1;
  }
  const digits = { x: 2, X: 2, u: 4, U: 8 }[letter];
  if (digits !== undefined) {
    const hex = body.slice(pos + 1, pos + 1 + digits);
    if (hex.length < digits || (digits > 2 && !sink.unicode)) {
      throw new UnescapeError('unable to unescape string');
    }
    sink.code(Number.parseInt(hex, 16));
    return pos + 1 + digits;
  }
  const octal = body.slice(pos, pos + 3);
  if (!/^[0-3][0-7]{2}$/.test(octal)) throw new UnescapeError('unable to unescape string');
  sink.code(Number.parseInt(octal, 8));
  return pos + 3;
}
