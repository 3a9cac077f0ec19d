import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '@flotilla/machinery';
import type { Seeded } from '@flotilla/machinery/testing';
import { areBodyChunks, frameSplitter, isBodyFrame, isWholeRequest } from './frames.ts';

/** What happens to one connection. */
export type LinkFault = 'drop' | 'end' | 'truncate' | 'delay' | 'duplicate' | 'half-open';

/** What a link is made from. */
export interface LinkOptions {
  readonly client: TLSSocket;
  readonly server: TLSSocket;
  /** Another connection to the same server. */
  readonly dial: () => TLSSocket;
  readonly random: Seeded;
  readonly clock: Clock;
  readonly onStruck: (fault: LinkFault) => void;
  readonly onClose: () => void;
}

const LONGEST_DELAY_MS = 30;

/** One connection through the proxy, and what is done to it. */
export class Link {
  readonly #options: LinkOptions;
  readonly #isH2: boolean;
  readonly #split = frameSplitter();
  /** Waits for bytes to do it to. */
  #armed: 'truncate' | 'duplicate' | undefined;
  #delayMs = 0;
  #isDeaf = false;
  #isOver = false;
  /** What is sent in each direction comes after what was sent before. */
  #up: Promise<void> = Promise.resolve();
  #down: Promise<void> = Promise.resolve();

  constructor(options: LinkOptions) {
    this.#options = options;
    const { client, server } = options;
    this.#isH2 = client.alpnProtocol === 'h2';
    client.on('data', (bytes: Buffer) => this.#fromClient(bytes));
    server.on('data', (bytes: Buffer) => this.#fromServer(bytes));
    client.on('error', () => this.close());
    client.on('close', () => this.close());
    // A dead network tells nobody that the other side is gone.
    const serverLeft = (): void => {
      if (!this.#isDeaf) void this.#down.then(() => this.close());
    };
    server.on('error', serverLeft);
    server.on('close', serverLeft);
  }

  /** Whether it still carries anything. */
  get isAlive(): boolean {
    return !this.#isOver && !this.#isDeaf;
  }

  strike(fault: LinkFault): void {
    const { client, onStruck } = this.#options;
    switch (fault) {
      case 'truncate':
      case 'duplicate':
        this.#armed = fault;
        return;
      case 'drop':
        // In the middle of whatever is under way, without a word.
        client.destroy();
        this.close();
        break;
      case 'end':
        // As politely as a server that shuts down.
        client.end();
        this.close();
        break;
      case 'delay':
        this.#delayMs = 1 + this.#options.random.below(LONGEST_DELAY_MS);
        break;
      case 'half-open':
        this.#isDeaf = true;
        this.#options.server.destroy();
        break;
    }
    onStruck(fault);
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.client.destroySoon();
    this.#options.server.destroy();
    this.#options.onClose();
  }

  #fromClient(bytes: Buffer): void {
    const { server } = this.#options;
    if (this.#armed === 'duplicate' && !this.#isH2 && isWholeRequest(bytes)) {
      this.#struck('duplicate');
      this.#up = this.#up.then(() => this.#sendElsewhere(bytes));
    }
    this.#up = this.#send(this.#up, server, bytes);
  }

  #fromServer(bytes: Buffer): void {
    const { client, random } = this.#options;
    if (this.#armed === 'truncate') {
      this.#struck('truncate');
      this.#down = this.#send(this.#down, client, bytes.subarray(0, random.below(bytes.length)));
      void this.#down.then(() => this.close());
      this.#isDeaf = true;
      return;
    }
    for (const part of this.#isH2 ? this.#split(bytes) : [bytes]) {
      this.#down = this.#send(this.#down, client, part);
      if (this.#armed === 'duplicate' && (this.#isH2 ? isBodyFrame : areBodyChunks)(part)) {
        this.#struck('duplicate');
        this.#down = this.#send(this.#down, client, part);
      }
    }
  }

  #struck(fault: LinkFault): void {
    this.#armed = undefined;
    this.#options.onStruck(fault);
  }

  async #send(before: Promise<void>, to: Duplex, bytes: Buffer): Promise<void> {
    if (this.#isDeaf || bytes.length === 0) return before;
    await before;
    if (this.#delayMs > 0) {
      await this.#options.clock.wait(this.#delayMs);
    }
    if (!to.writable) return;
    await new Promise<void>((resolve) => {
      to.write(bytes, () => resolve());
    });
  }

  /** The server gets the same request from another connection first; its answer is nobody's. */
  #sendElsewhere(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => {
      const other = this.#options.dial();
      const done = (): void => {
        other.destroy();
        resolve();
      };
      other.once('secureConnect', () => other.write(bytes));
      other.once('data', done);
      other.once('error', done);
      other.once('close', done);
    });
  }
}
