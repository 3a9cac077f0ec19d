import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { usedBytes } from './data-file.ts';

/** The file grows in steps of this size, so that most commits find their room. */
const STEP_BYTES = 1 << 20;
/** Pages a commit may take beside those of its records: branches of the trees, lmdb's list of free pages. */
const SPARE_PAGES = 16;
const ZEROS = Buffer.alloc(256 << 10);

/**
 * Makes room in the data file before lmdb needs it.
 *
 * lmdb 3.5.6 overruns a buffer of its own while it words the error of a failed write, and takes the process with it.
 * So the disk is asked by us: zeros are written behind the last page in use, where a full disk answers with an
 * ordinary error, and lmdb then only writes where there is room already.
 */
export class FileReserve {
  readonly #fd: number;
  readonly #pageSize: number;

  constructor(dir: string, pageSize: number) {
    this.#fd = openSync(join(dir, 'data.mdb'), 'r+');
    this.#pageSize = pageSize;
  }

  /** Makes sure that records of these sizes can be written; throws what the disk answers when they cannot. */
  ensure(sizes: readonly number[]): void {
    const page = this.#pageSize;
    // Every record may change a page of its own, and large ones lie on pages of their own.
    const pages = sizes.reduce((sum, size) => sum + 1 + Math.ceil(size / page), SPARE_PAGES);
    const wanted = usedBytes(this.#fd) + pages * page;
    let { size } = fstatSync(this.#fd);
    if (size >= wanted) return;
    const end = Math.ceil(wanted / STEP_BYTES) * STEP_BYTES;
    try {
      while (size < end) {
        size += writeSync(this.#fd, ZEROS, 0, Math.min(ZEROS.length, end - size), size);
      }
    } catch (error) {
      // A nearly full disk may still have taken what this commit needs; more would have been a convenience.
      if (size < wanted) throw error;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}
