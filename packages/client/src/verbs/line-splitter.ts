import { TransportError } from '../transport-error.ts';

const NEWLINE = 0x0a;

/** Cuts a stream into lines wherever its chunks end. */
export interface LineSplitter {
  /** The lines that this chunk completes. */
  readonly push: (chunk: Buffer) => Buffer[];
  /** What follows the last newline. */
  readonly rest: () => Buffer;
}

/** Makes a splitter that refuses lines longer than `maxBytes`. */
export function lineSplitter(maxBytes: number): LineSplitter {
  let parts: Buffer[] = [];
  let length = 0;
  const check = (bytes: number) => {
    if (bytes <= maxBytes) return;
    throw new TransportError(
      'too-large',
      `Cannot read a line of the stream: it is longer than ${maxBytes} bytes`,
    );
  };
  const take = (end: Buffer) => {
    check(length + end.length);
    const line = length === 0 ? end : Buffer.concat([...parts, end]);
    parts = [];
    length = 0;
    return line;
  };
  return {
    push: (chunk) => {
      const lines: Buffer[] = [];
      let start = 0;
      for (;;) {
        const end = chunk.indexOf(NEWLINE, start);
        if (end === -1) break;
        lines.push(take(chunk.subarray(start, end)));
        start = end + 1;
      }
      if (start < chunk.length) {
        parts.push(chunk.subarray(start));
        length += chunk.length - start;
        check(length);
      }
      return lines;
    },
    rest: () => take(Buffer.alloc(0)),
  };
}
