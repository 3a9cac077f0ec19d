import { decompress } from 'fzstd';
import { type ZstdFrame, zstdFrames } from './frames.ts';

/** How much more than its result a decoder may have to write or move: encoders may make blocks smaller than they could be. */
const MOST_WORK = 16;

/**
 * Reads what zstd wrote, unless it would be larger than `most` bytes, or take the memory or the time of something much
 * larger. What it says of itself is weighed before anything is made room for.
 */
export function decodeZstd(input: Uint8Array, most: number): Uint8Array {
  const frames = zstdFrames(input);
  const total = (of: (frame: ZstdFrame) => number) =>
    frames.reduce((sum, frame) => sum + of(frame), 0);
  const isTooMuch =
    total(({ contentSize, blockBytes }) => contentSize ?? blockBytes) > most ||
    frames.some(({ windowSize }) => windowSize > most) ||
    total(({ blockBytes }) => blockBytes) > most * MOST_WORK ||
    // Where the size is not known, the decoder moves its whole window with every block.
    total(({ contentSize, blocks, windowSize }) =>
      contentSize === undefined ? blocks * windowSize : 0,
    ) >
      most * MOST_WORK * MOST_WORK;
  if (isTooMuch) throw new RangeError(`it is larger than ${most} bytes`);
  return decompress(input);
}
