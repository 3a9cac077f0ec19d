/** One frame, by what its headers say. */
export interface ZstdFrame {
  /** Undefined where the encoder did not know. */
  readonly contentSize: number | undefined;
  readonly windowSize: number;
  readonly blocks: number;
  /** What the blocks can hold at most when they are unpacked. */
  readonly blockBytes: number;
}

const MAGIC = 0xfd2fb528;
const LONGEST_BLOCK = 128 * 1024;
const REPEATED = 1;
const COMPRESSED = 2;

/** Walks over all frames by their headers alone (RFC 8878, 3.1.1); throws where it is no zstd, or cut short. */
export function zstdFrames(input: Uint8Array): ZstdFrame[] {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const frames: ZstdFrame[] = [];
  try {
    for (let at = 0; at < view.byteLength; ) {
      const magic = view.getUint32(at, true);
      if (magic >>> 4 === 0x184d2a5) {
        // A frame to be skipped says how long it is.
        at += 8 + view.getUint32(at + 4, true);
        continue;
      }
      if (magic !== MAGIC) throw new SyntaxError('it is no zstd');
      const { frame, end } = readFrame(view, at + 4);
      if (end > view.byteLength) throw new SyntaxError('it is cut short');
      frames.push(frame);
      at = end;
    }
  } catch (error) {
    // Reading past the end.
    if (error instanceof RangeError) throw new SyntaxError('it is cut short', { cause: error });
    throw error;
  }
  return frames;
}

function readFrame(view: DataView, start: number): { frame: ZstdFrame; end: number } {
  const descriptor = view.getUint8(start);
  const isSingle = (descriptor & 0x20) !== 0;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeAt = start + 1 + (isSingle ? 0 : 1) + dictionaryBytes;
  const contentSize = readSize(view, sizeAt, sizeBytes);
  const windowSize = isSingle ? (contentSize ?? 0) : readWindow(view.getUint8(start + 1));
  let at = sizeAt + sizeBytes;
  let blocks = 0;
  let blockBytes = 0;
  for (let isLast = false; !isLast; blocks++) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    const type = (header >> 1) & 3;
    const size = header >> 3;
    isLast = (header & 1) === 1;
    at += 3 + (type === REPEATED ? 1 : size);
    blockBytes += type === COMPRESSED ? LONGEST_BLOCK : size;
  }
  const end = at + ((descriptor & 4) === 0 ? 0 : 4);
  return { frame: { contentSize, windowSize, blocks, blockBytes }, end };
}

function readWindow(byte: number): number {
  const base = 2 ** (10 + (byte >> 3));
  return base + (base / 8) * (byte & 7);
}

function readSize(view: DataView, at: number, bytes: number): number | undefined {
  if (bytes === 0) return undefined;
  if (bytes === 1) return view.getUint8(at);
  if (bytes === 2) return view.getUint16(at, true) + 256;
  if (bytes === 4) return view.getUint32(at, true);
  return Number(view.getBigUint64(at, true));
}
