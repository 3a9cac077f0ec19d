import type { TimedPiece } from '../read-log.ts';

/** Cuts a log after so many bytes of what is shown; kubelets would count the times that nobody sees. */
export class ByteLimit {
  readonly #hasTimestamps: boolean;
  #left: number;

  constructor(bytes: number | undefined, { hasTimestamps }: { readonly hasTimestamps: boolean }) {
    this.#left = bytes ?? Number.POSITIVE_INFINITY;
    this.#hasTimestamps = hasTimestamps;
  }

  get isReached(): boolean {
    return this.#left <= 0;
  }

  /** What may still be shown. */
  take(pieces: readonly TimedPiece[]): readonly TimedPiece[] {
    if (this.#left === Number.POSITIVE_INFINITY) return pieces;
    const kept: TimedPiece[] = [];
    for (const piece of pieces) {
      if (this.#left <= 0) break;
      const { bytes, isEnd, time } = piece;
      const hidden = this.#hasTimestamps || time === undefined ? 0 : time.text.length + 1;
      const size = bytes.length - hidden + (isEnd ? 1 : 0);
      kept.push(
        size <= this.#left
          ? piece
          : { ...piece, bytes: bytes.subarray(0, hidden + this.#left), isEnd: false },
      );
      this.#left -= size;
    }
    return kept;
  }
}
