import { DELIMITED } from './wire.ts';

/** Collects the bytes of one protobuf message. */
export class MessageSink {
  readonly #chunks: Buffer[] = [];
  #small: number[] = [];

  varint(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0 && value <= 0x7fffffff) {
      let rest = value;
      while (rest > 0x7f) {
        this.#small.push((rest & 0x7f) | 0x80);
        rest >>>= 7;
      }
      this.#small.push(rest);
      return;
    }
    // Negative numbers are written as 64-bit two's complement.
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 0x7fn) {
      this.#small.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.#small.push(Number(rest));
  }

  tag(number: number, wireType: number): void {
    this.varint(number * 8 + wireType);
  }

  double(value: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    this.#push(bytes);
  }

  /** A length-delimited field. */
  field(number: number, bytes: Buffer): void {
    this.tag(number, DELIMITED);
    this.varint(bytes.length);
    this.#push(bytes);
  }

  text(number: number, text: string): void {
    this.field(number, Buffer.from(text));
  }

  bytes(): Buffer {
    this.#push(Buffer.alloc(0));
    return Buffer.concat(this.#chunks);
  }

  #push(bytes: Buffer): void {
    if (this.#small.length > 0) {
      this.#chunks.push(Buffer.from(this.#small));
      this.#small = [];
    }
    if (bytes.length > 0) this.#chunks.push(bytes);
  }
}
