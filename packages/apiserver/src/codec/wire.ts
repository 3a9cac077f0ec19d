import { isUtf8 } from 'node:buffer';
import { GoDecodeError } from './pass.ts';

/** Protobuf's wire types that Kubernetes messages use. */
export const VARINT = 0;
/** Eight bytes. */
export const FIXED64 = 1;
/** A length, then that many bytes. */
export const DELIMITED = 2;
/** Four bytes. */
export const FIXED32 = 5;

/** Reads protobuf's building blocks from a buffer, never past `end`. */
export class Wire {
  readonly bytes: Buffer;
  at: number;
  /** Where the message being read ends. */
  end: number;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.at = 0;
    this.end = bytes.length;
  }

  /** An unsigned integer; exact up to 2^53, rounded beyond. Fit for tags, lengths and 32-bit numbers. */
  varint(): number {
    const { bytes } = this;
    let value = 0;
    let factor = 1;
    for (let i = 0; i < 10; i += 1) {
      if (this.at >= this.end) throw unexpectedEnd();
      const byte = bytes[this.at] as number;
      this.at += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    throw new GoDecodeError('proto: integer overflow');
  }

  /** A 64-bit integer; a bigint only where a number could not hold it. */
  int64(signed: boolean): number | bigint {
    const start = this.at;
    const value = this.varint();
    if (value <= Number.MAX_SAFE_INTEGER) return value;
    let exact = 0n;
    for (let i = this.at - 1; i >= start; i -= 1) {
      exact = (exact << 7n) | BigInt((this.bytes[i] as number) & 0x7f);
    }
    exact = signed ? BigInt.asIntN(64, exact) : BigInt.asUintN(64, exact);
    const isSafe = exact >= Number.MIN_SAFE_INTEGER && exact <= Number.MAX_SAFE_INTEGER;
    return isSafe ? Number(exact) : exact;
  }

  /** A 32-bit integer; protobuf writes negative ones as 64-bit. */
  int32(): number {
    const value = this.int64(true);
    return typeof value === 'number' && value >= -0x80000000 && value <= 0x7fffffff
      ? value
      : Number(BigInt.asIntN(32, BigInt(value)));
  }

  double(): number {
    const start = this.skipBytes(8);
    return this.bytes.readDoubleLE(start);
  }

  /** Reads a length and checks that so many bytes follow; gives where they end. */
  delimited(): number {
    const length = this.varint();
    if (length > 0x7fffffff)
      throw new GoDecodeError('proto: negative length found during unmarshaling');
    const end = this.at + length;
    if (end > this.end) throw unexpectedEnd();
    return end;
  }

  slice(): Buffer {
    const end = this.delimited();
    const slice = this.bytes.subarray(this.at, end);
    this.at = end;
    return slice;
  }

  string(): string {
    const end = this.delimited();
    const text = this.bytes.toString('utf8', this.at, end);
    // A replacement character is either in the text itself or stands for bytes that are not UTF-8.
    if (text.includes('\ufffd') && !isUtf8(this.bytes.subarray(this.at, end))) {
      throw new GoDecodeError('proto: string field contains invalid UTF-8');
    }
    this.at = end;
    return text;
  }

  /** Steps over a field this build does not know. */
  skip(wireType: number): void {
    if (wireType === VARINT) this.varint();
    else if (wireType === FIXED64) this.skipBytes(8);
    else if (wireType === DELIMITED) this.at = this.delimited();
    else if (wireType === FIXED32) this.skipBytes(4);
    else throw new GoDecodeError(`proto: illegal wireType ${wireType}`);
  }

  /** Steps over bytes and gives where they began. */
  skipBytes(count: number): number {
    const start = this.at;
    if (start + count > this.end) throw unexpectedEnd();
    this.at = start + count;
    return start;
  }
}

function unexpectedEnd(): GoDecodeError {
  return new GoDecodeError('unexpected EOF');
}
