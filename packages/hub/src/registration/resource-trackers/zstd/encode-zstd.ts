import { bitWriter } from './bit-writer.ts';
import { matchFinder, type Sequence } from './find-matches.ts';
import { fseEncoder } from './fse-encoder.ts';
import {
  literalLengthCode,
  matchLengthCode,
  offsetCode,
  type PredefinedTables,
  predefinedTables,
} from './sequence-codes.ts';

/** The longest block there may be. */
const BLOCK = 128 * 1024;
const RAW = 0;
const COMPRESSED = 2;
const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
/** One segment, its size in four bytes, no checksum, no dictionary. */
const DESCRIPTOR = 0xa0;

/**
 * One zstd frame (RFC 8878). Node has an encoder of its own since 22.15; this one is for those before. It finds
 * repetitions and codes them with the predefined tables, and leaves literals as they are: JSON shrinks to about a sixth.
 */
export function encodeZstd(input: Uint8Array): Uint8Array {
  const { length } = input;
  const parts: Uint8Array[] = [Uint8Array.from([...MAGIC, DESCRIPTOR, ...littleEndian(length, 4)])];
  const matches = matchFinder(input);
  const tables = predefinedTables();
  // An empty input has one empty block: a frame ends with its last block, so there must be one.
  for (let start = 0; start === 0 || start < length; start += BLOCK) {
    const end = Math.min(start + BLOCK, length);
    const { sequences, literals } = matches(start, end);
    const packed = sequences.length === 0 ? undefined : packBlock(sequences, literals, tables);
    const isPacked = packed !== undefined && packed.length < end - start;
    const content = isPacked ? packed : input.subarray(start, end);
    const type = isPacked ? COMPRESSED : RAW;
    const header = (content.length << 3) | (type << 1) | (end === length ? 1 : 0);
    parts.push(Uint8Array.from(littleEndian(header, 3)), content);
  }
  return Buffer.concat(parts);
}

function packBlock(
  sequences: readonly Sequence[],
  literals: Uint8Array,
  tables: PredefinedTables,
): Uint8Array {
  return Buffer.concat([
    Uint8Array.from(literalsHeader(literals.length)),
    literals,
    // All three tables are the predefined ones.
    Uint8Array.from([...sequenceCount(sequences.length), 0]),
    packSequences(sequences, tables),
  ]);
}

/** Literals that are not coded, in the shortest of three forms. */
function literalsHeader(size: number): number[] {
  if (size < 1 << 5) return [size << 3];
  if (size < 1 << 12) return littleEndian((size << 4) | (1 << 2), 2);
  return littleEndian((size << 4) | (3 << 2), 3);
}

function sequenceCount(count: number): number[] {
  if (count < 128) return [count];
  if (count < 0x7f00) return [(count >> 8) + 128, count & 0xff];
  return [255, ...littleEndian(count - 0x7f00, 2)];
}

/** The order is the reader's, backwards: RFC 8878, 3.1.1.3.2.1.2. */
function packSequences(sequences: readonly Sequence[], tables: PredefinedTables): Uint8Array {
  const out = bitWriter();
  const coded = sequences.map(({ literals, distance, length }) => ({
    literals: literalLengthCode(literals),
    match: matchLengthCode(length),
    offset: offsetCode(distance),
  }));
  const addExtra = ({ literals, match, offset }: (typeof coded)[number]) => {
    out.add(literals.extra, literals.bits);
    out.add(match.extra, match.bits);
    out.add(offset.extra, offset.bits);
  };
  const last = coded.pop();
  if (last === undefined) throw new RangeError('Cannot pack a block: it has no sequences');
  const matchLengths = fseEncoder(tables.matchLengths, last.match.code, out);
  const offsets = fseEncoder(tables.offsets, last.offset.code, out);
  const literalLengths = fseEncoder(tables.literalLengths, last.literals.code, out);
  addExtra(last);
  for (const one of coded.toReversed()) {
    offsets.encode(one.offset.code);
    matchLengths.encode(one.match.code);
    literalLengths.encode(one.literals.code);
    addExtra(one);
  }
  matchLengths.flush();
  offsets.flush();
  literalLengths.flush();
  return out.finish();
}

function littleEndian(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, index) => (value >>> (8 * index)) & 0xff);
}
