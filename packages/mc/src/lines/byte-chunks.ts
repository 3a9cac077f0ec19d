/** Fewer, larger writes cost less. */
const CHUNK = 64 * 1024;

/** Gathers bytes into chunks of at least 64 KiB. */
export class ByteChunks {
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  #pending: Buffer[] = [];
  #length = 0;

  constructor(write: (bytes: Uint8Array) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves at once unless a chunk is full. */
  readonly add = async (bytes: Buffer): Promise<void> => {
    this.#pending.push(bytes);
    this.#length += bytes.length;
    if (this.#length >= CHUNK) await this.flush();
  };

  /** Writes what is there. */
  readonly flush = async (): Promise<void> => {
    if (this.#length === 0) return;
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#length = 0;
    await this.#write(bytes);
  };
}
