import type { Write } from './table/table-options.ts';

/** Fewer, larger writes cost less; a reader that has seen enough is noticed between two of them. */
const CHUNK = 64 * 1024;

/** Gathers text into chunks of at least 64 KiB. */
export class ChunkedWriter {
  readonly #write: Write;
  #pending: string[] = [];
  #length = 0;
  /** Whether anything was ever handed in. */
  hasText = false;

  constructor(write: Write) {
    this.#write = write;
  }

  /** Resolves at once unless a chunk is full. */
  add(text: string): Promise<void> | undefined {
    if (text === '') return undefined;
    this.hasText = true;
    this.#pending.push(text);
    this.#length += text.length;
    return this.#length >= CHUNK ? this.flush() : undefined;
  }

  /** Writes what is there. */
  async flush(): Promise<void> {
    if (this.#length === 0) return;
    const text = this.#pending.join('');
    this.#pending = [];
    this.#length = 0;
    await this.#write(text);
  }
}
