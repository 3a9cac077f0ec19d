import type { ParseError } from '../parse-error.ts';
import { setOwn } from '../values/own-key.ts';
import { readNumber } from './json-number.ts';
import { readString } from './json-string.ts';
import { unexpectedByte, unexpectedInToken } from './syntax-error.ts';

const MAX_DUPLICATES = 100;

/** Instead of a value: a container was opened, and what is in it comes first. */
const OPENED = Symbol('opened');

/** A container that is being filled. */
interface Frame {
  readonly list: unknown[] | undefined;
  readonly members: Record<string, unknown>;
  /** The key whose value is being read. */
  key: string;
}

/**
 * Reads JSON byte by byte as Go's scanner does, with its error texts, without recursion, reporting keys that stand
 * twice. About ten times slower than the native parser, so used only where that one is not enough.
 */
export class CarefulParser {
  readonly duplicates: string[] = [];
  readonly #bytes: Uint8Array;
  readonly #maxDepth: number;
  readonly #frames: Frame[] = [];
  #position = 0;
  #numberError: ParseError | undefined;

  constructor(bytes: Uint8Array, maxDepth: number) {
    this.#bytes = bytes;
    this.#maxDepth = maxDepth;
  }

  parse(): unknown {
    let value = this.#beginValue();
    while (this.#frames.length > 0) {
      value = value === OPENED ? this.#firstValue() : this.#addAndContinue(value);
    }
    this.#skipSpace();
    if (this.#position < this.#bytes.length) throw this.#unexpected('after top-level value');
    // Go checks the whole text before it converts numbers, so syntax errors come first.
    if (this.#numberError !== undefined) throw this.#numberError;
    return value;
  }

  /** Reads a value, or opens a container and returns OPENED. */
  #beginValue(): unknown {
    const byte = this.#nextByte();
    switch (byte) {
      case 0x7b:
      case 0x5b:
        return this.#open(byte === 0x5b);
      case 0x22:
        return this.#string();
      case 0x74:
        return this.#literal('true', true);
      case 0x66:
        return this.#literal('false', false);
      case 0x6e:
        return this.#literal('null', null);
      default:
        if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) return this.#number();
        throw this.#unexpected('looking for beginning of value');
    }
  }

  #open(isList: boolean): typeof OPENED {
    if (this.#frames.length === this.#maxDepth) throw this.#unexpected('exceeded max depth');
    this.#position++;
    this.#frames.push({ list: isList ? [] : undefined, members: {}, key: '' });
    return OPENED;
  }

  /** After an opening brace or bracket. */
  #firstValue(): unknown {
    const frame = this.#top();
    const byte = this.#nextByte();
    if (byte === (frame.list === undefined ? 0x7d : 0x5d)) return this.#close(frame);
    if (frame.list === undefined) this.#readKey(frame);
    return this.#beginValue();
  }

  #addAndContinue(value: unknown): unknown {
    const frame = this.#top();
    if (frame.list === undefined) setOwn(frame.members, frame.key, value);
    else frame.list.push(value);
    const byte = this.#nextByte();
    if (byte === 0x2c) {
      this.#position++;
      if (frame.list === undefined) {
        this.#nextByte();
        this.#readKey(frame);
      }
      return this.#beginValue();
    }
    if (byte === (frame.list === undefined ? 0x7d : 0x5d)) return this.#close(frame);
    throw this.#unexpected(
      frame.list === undefined ? 'after object key:value pair' : 'after array element',
    );
  }

  #close(frame: Frame): unknown {
    this.#position++;
    this.#frames.pop();
    return frame.list ?? frame.members;
  }

  #readKey(frame: Frame): void {
    if (this.#bytes[this.#position] !== 0x22) {
      throw this.#unexpected('looking for beginning of object key string');
    }
    frame.key = this.#string();
    if (this.#nextByte() !== 0x3a) throw this.#unexpected('after object key');
    this.#position++;
    if (Object.hasOwn(frame.members, frame.key)) this.#reportDuplicate();
  }

  #reportDuplicate(): void {
    if (this.duplicates.length >= MAX_DUPLICATES) return;
    let path = '';
    for (const frame of this.#frames) {
      if (frame.list !== undefined) path += `[${frame.list.length}]`;
      else path += path === '' ? frame.key : `.${frame.key}`;
    }
    if (!this.duplicates.includes(path)) this.duplicates.push(path);
  }

  #string(): string {
    const { text, end } = readString(this.#bytes, this.#position);
    this.#position = end;
    return text;
  }

  #number(): number | bigint {
    const { value, end, error } = readNumber(this.#bytes, this.#position);
    this.#position = end;
    this.#numberError ??= error;
    return value;
  }

  #literal<T>(word: string, value: T): T {
    for (let i = 1; i < word.length; i++) {
      if (this.#bytes[++this.#position] !== word.charCodeAt(i)) {
        const byte = this.#bytes[this.#position];
        throw unexpectedInToken(byte, `in literal ${word} (expecting '${word[i]}')`);
      }
    }
    this.#position++;
    return value;
  }

  #top(): Frame {
    const frame = this.#frames.at(-1);
    if (frame === undefined) throw new Error('Cannot continue JSON: no container is open');
    return frame;
  }

  /** The next byte that is no space, without taking it. */
  #nextByte(): number {
    this.#skipSpace();
    const byte = this.#bytes[this.#position];
    if (byte === undefined) throw unexpectedByte(undefined, '');
    return byte;
  }

  #skipSpace(): void {
    for (;;) {
      const byte = this.#bytes[this.#position];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.#position++;
    }
  }

  #unexpected(context: string): ParseError {
    return unexpectedByte(this.#bytes[this.#position], context);
  }
}
