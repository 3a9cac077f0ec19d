import type { Sink } from './exchange.ts';

/** What HTTP/1.1 responses and HTTP/2 streams have in common. */
export interface Outlet {
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  destroy(error?: Error): unknown;
  readonly destroyed: boolean;
  readonly writableLength: number;
  readonly writableEnded: boolean;
  once(event: 'drain' | 'close', listener: () => void): unknown;
}

/** A streaming answer breaks off: its client lags too far behind. */
class ClientTooSlow extends Error {
  constructor() {
    super('Cannot go on with the stream: its client reads too slowly');
    this.name = 'ClientTooSlow';
  }
}

/** Lets a handler write to a socket without knowing the protocol. Writes after the end are dropped. */
export class OutletSink implements Sink {
  readonly #outlet: Outlet;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  get buffered(): number {
    return this.#outlet.writableLength;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#outlet.destroyed || this.#outlet.writableEnded) return false;
    return this.#outlet.write(chunk);
  }

  end(): void {
    if (!this.#outlet.destroyed && !this.#outlet.writableEnded) this.#outlet.end();
  }

  destroy(): void {
    this.#outlet.destroy(new ClientTooSlow());
  }

  onDrain(listener: () => void): void {
    this.#outlet.once('drain', listener);
  }

  onClose(listener: () => void): void {
    if (this.#outlet.destroyed) queueMicrotask(listener);
    else this.#outlet.once('close', listener);
  }
}
