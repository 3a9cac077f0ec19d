import * as zlib from 'node:zlib';
import { encodeJson, parseJson } from '@flotilla/machinery';
import { decodeZstd } from './zstd/decode-zstd.ts';
import { encodeZstd } from './zstd/encode-zstd.ts';

/** How KubeVela may have packed a list. */
export type Compression = 'gzip' | 'zstd';

/** Ten times what was ever seen; an object of the API can hold thousands of times that once it is packed. */
const LARGEST_BYTES = 32 * 1024 * 1024;

/** Reads `spec.compression.data`: base64 of compressed JSON. Throws, without a word of the content, where it is not that. */
export function unpack(type: Compression, data: string): unknown {
  const packed = Buffer.from(data, 'base64');
  const bytes =
    type === 'gzip'
      ? zlib.gunzipSync(packed, { maxOutputLength: LARGEST_BYTES })
      : decodeZstd(packed, LARGEST_BYTES);
  return parseJson(bytes, { strict: false }).value;
}

/** Writes `spec.compression.data`. */
export function pack(type: Compression, value: unknown): string {
  const bytes = Buffer.from(encodeJson(value));
  const packed = type === 'gzip' ? zlib.gzipSync(bytes) : zstd(bytes);
  return Buffer.from(packed).toString('base64');
}

/** Node's own encoder where there is one: it packs tighter. */
function zstd(bytes: Uint8Array): Uint8Array {
  const { zstdCompressSync } = zlib as { zstdCompressSync?: (input: Uint8Array) => Uint8Array };
  return zstdCompressSync === undefined ? encodeZstd(bytes) : zstdCompressSync(bytes);
}
