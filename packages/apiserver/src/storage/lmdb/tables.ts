import type { Database, RootDatabase, RootDatabaseOptions, Transaction } from 'lmdb';

/** A table of records by their full key. */
export type Table = Database<Buffer, string>;

/** The tables of one environment. */
export interface Tables {
  readonly root: RootDatabase<Buffer, string>;
  readonly objects: Table;
  readonly log: Table;
  readonly meta: Table;
}

/** Names the read transaction a read goes through. */
export interface ReadOptions {
  readonly transaction: Transaction;
}

/** Rows are copied into shared blocks of this size: an allocation per row would halve a list's speed. */
const BLOCK_BYTES = 64 << 10;

/** Copies records out of lmdb's own buffer, which the next read overwrites. */
class RecordCopier {
  #block = Buffer.alloc(0);
  #used = 0;
  /** Long-lived single records do not share blocks, or each would keep a whole block alive. */
  #sharing = false;

  copy(bytes: Uint8Array): Buffer {
    // lmdb gives a large buffer with a `length` of its own: only that much belongs to the record.
    const source = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    const target = this.#allocate(source.length);
    target.set(source);
    return target;
  }

  share<T>(read: () => T): T {
    this.#sharing = true;
    try {
      return read();
    } finally {
      this.#sharing = false;
      this.#block = Buffer.alloc(0);
      this.#used = 0;
    }
  }

  #allocate(length: number): Buffer {
    if (!this.#sharing || length > BLOCK_BYTES / 4) return Buffer.allocUnsafe(length);
    if (this.#used + length > this.#block.length) {
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += length;
    return this.#block.subarray(start, this.#used);
  }
}

const copier = new RecordCopier();

/** Reads many records that will not outlive each other by much. */
export function readingMany<T>(read: () => T): T {
  return copier.share(read);
}

/** Keys as plain UTF-8, so that lmdb's order is the order of bytes. */
const keyEncoder = {
  writeKey(key: string, target: Buffer, start: number): number {
    const end = start + target.write(key, start, 'utf8');
    // A write that does not fit is cut short without a word; lmdb makes room when told.
    if (end > target.length - 4 && end - start < Buffer.byteLength(key)) {
      throw new RangeError('The key does not fit the buffer');
    }
    return end;
  },
  readKey: (source: Buffer, start: number, end: number): string =>
    source.toString('utf8', start, end),
};

const encoder = {
  encode: (record: Buffer): Buffer => record,
  decode: (bytes: Uint8Array): Buffer => copier.copy(bytes),
};

const TABLE_OPTIONS: RootDatabaseOptions = { keyEncoder, encoder };

/** Opens the three tables, making them if they are missing. */
export function openTables(root: RootDatabase<Buffer, string>): Tables {
  const table = (name: string): Table => root.openDB<Buffer, string>(name, { ...TABLE_OPTIONS });
  return { root, objects: table('objects'), log: table('log'), meta: table('meta') };
}
