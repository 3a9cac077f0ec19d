/** A message in protobuf's text format: each field with all its values, in order. */
export type TextMessage = ReadonlyMap<string, readonly TextValue[]>;

/** A value: bytes stay as one character each, words and numbers as they are written. */
export type TextValue =
  | { readonly kind: 'message'; readonly message: TextMessage }
  | { readonly kind: 'string'; readonly bytes: Uint8Array }
  | { readonly kind: 'scalar'; readonly text: string };

const SKIPPED = /(?:\s+|#[^\n]*)+/y;
const WORD = /[-+]?[A-Za-z0-9_.+-]+/y;
const STRING = /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/y;
const EXTENSION = /\[[^\]]*\]/y;

/** Reads a message; only what conformance files use is understood. */
export function readTextproto(source: string): TextMessage {
  const reader = new Reader(source);
  return reader.message('');
}

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  #take(pattern: RegExp): string | undefined {
    SKIPPED.lastIndex = this.#at;
    this.#at += SKIPPED.exec(this.#source)?.[0].length ?? 0;
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #accept(character: string): boolean {
    SKIPPED.lastIndex = this.#at;
    this.#at += SKIPPED.exec(this.#source)?.[0].length ?? 0;
    if (!this.#source.startsWith(character, this.#at)) return false;
    this.#at += character.length;
    return true;
  }

  #isAtEnd(): boolean {
    return this.#accept('') && this.#at >= this.#source.length;
  }

  message(close: string): TextMessage {
    const fields = new Map<string, TextValue[]>();
    while (close === '' ? !this.#isAtEnd() : !this.#accept(close)) {
      const name = this.#take(EXTENSION) ?? this.#take(WORD);
      if (name === undefined) {
        throw new Error(`Cannot read a field at offset ${this.#at}: no name`);
      }
      this.#accept(':');
      const known = fields.get(name) ?? [];
      if (this.#accept('[')) {
        while (!this.#accept(']')) {
          known.push(this.#value());
          this.#accept(',');
        }
      } else {
        known.push(this.#value());
      }
      fields.set(name, known);
      if (!this.#accept(',')) this.#accept(';');
    }
    return fields;
  }

  #value(): TextValue {
    if (this.#accept('{')) return { kind: 'message', message: this.message('}') };
    if (this.#accept('<')) return { kind: 'message', message: this.message('>') };
    let bytes: number[] | undefined;
    for (let part = this.#take(STRING); part !== undefined; part = this.#take(STRING)) {
      bytes = [...(bytes ?? []), ...unescapeText(part.slice(1, -1))];
    }
    if (bytes) return { kind: 'string', bytes: Uint8Array.from(bytes) };
    const text = this.#take(WORD);
    if (text === undefined) throw new Error(`Cannot read a value at offset ${this.#at}`);
    return { kind: 'scalar', text };
  }
}

const SIMPLE: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
};

function unescapeText(text: string): number[] {
  const encoder = new TextEncoder();
  const out: number[] = [];
  const pieces =
    /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))|[^\\]+/g;
  for (const [whole, octal, hex, short, long, letter] of text.matchAll(pieces)) {
    const unicode = short ?? long;
    if (octal !== undefined) out.push(Number.parseInt(octal, 8) & 0xff);
    else if (hex !== undefined) out.push(Number.parseInt(hex, 16));
    else if (unicode !== undefined) {
      out.push(...encoder.encode(String.fromCodePoint(Number.parseInt(unicode, 16))));
    } else if (letter !== undefined) {
      out.push(...(SIMPLE[letter] === undefined ? encoder.encode(letter) : [SIMPLE[letter]]));
    } else {
      out.push(...encoder.encode(whole));
    }
  }
  return out;
}

/** The messages under a field. */
export const messages = (message: TextMessage, field: string): TextMessage[] =>
  (message.get(field) ?? []).flatMap((value) => (value.kind === 'message' ? [value.message] : []));

/** The text under a field; undefined where there is none. */
export function text(message: TextMessage, field: string): string | undefined {
  const value = message.get(field)?.[0];
  if (value?.kind === 'string') return new TextDecoder().decode(value.bytes);
  return value?.kind === 'scalar' ? value.text : undefined;
}
