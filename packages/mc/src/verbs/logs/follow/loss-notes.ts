import { TransportError } from '@flotilla/client';
import type { Io } from '../../../io.ts';
import { printableLine } from '../../../text/printable.ts';

/** Tells on stderr that a cluster, or one of its logs, is lost and being tried again: once, until it is back. */
export class LossNotes {
  readonly #cluster: string;
  readonly #io: Pick<Io, 'err'>;
  readonly #lost = new Set<string>();

  constructor(cluster: string, io: Pick<Io, 'err'>) {
    this.#cluster = cluster;
    this.#io = io;
  }

  /** What keeps us from the server keeps us from all of its logs. */
  lost(log: string, error: unknown): void {
    const key = error instanceof TransportError ? '' : log;
    if (this.#lost.has(key)) return;
    this.#lost.add(key);
    const message = error instanceof Error ? error.message : String(error);
    this.#io.err(`${printableLine(`${this.#cluster}: ${message}; retrying`)}\n`);
  }

  back(log: string): void {
    this.#lost.delete('');
    this.#lost.delete(log);
  }
}
