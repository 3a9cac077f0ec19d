import { connect, type TLSSocket } from 'node:tls';
import type { Target } from './target.ts';

/** Status and size of one answer; the body is counted and dropped. */
export interface RawAnswer {
  readonly status: number;
  readonly bytes: number;
}

const HEADER_END = Buffer.from('\r\n\r\n');

/**
 * One HTTP/1.1 connection that does as little as possible: what it costs, it costs both servers alike, and it must
 * not be what is measured. One request at a time.
 */
export class RawConnection {
  readonly #socket: TLSSocket;
  readonly #target: Target;
  #resolve: ((answer: RawAnswer) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;
  #head: Buffer = Buffer.alloc(0);
  #status = 0;
  #left = -1;
  #chunked = false;
  #bytes = 0;
  #tail = '';

  private constructor(socket: TLSSocket, target: Target) {
    this.#socket = socket;
    this.#target = target;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => this.#reject?.(error));
    socket.on('close', () => this.#reject?.(new Error('connection closed')));
  }

  static open(target: Target): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(
        {
          host: target.host,
          port: target.port,
          ca: target.ca,
          ALPNProtocols: ['http/1.1'],
          servername: 'kubernetes.default.svc',
        },
        () => resolve(new RawConnection(socket, target)),
      );
      socket.once('error', reject);
    });
  }

  send(method: string, path: string, body?: string): Promise<RawAnswer> {
    const head =
      `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${this.#target.token}\r\naccept: application/json\r\n` +
      (body === undefined
        ? '\r\n'
        : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(head);
    });
  }

  close(): void {
    this.#resolve = undefined;
    this.#reject = undefined;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    let rest = chunk;
    if (this.#left < 0 && !this.#chunked) {
      const all = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
      const end = all.indexOf(HEADER_END);
      if (end < 0) {
        this.#head = all;
        return;
      }
      const head = all.toString('latin1', 0, end).toLowerCase();
      this.#head = Buffer.alloc(0);
      this.#status = Number(head.slice(9, 12));
      const length = /content-length: (\d+)/.exec(head)?.[1];
      this.#chunked = length === undefined && head.includes('transfer-encoding: chunked');
      this.#left = this.#chunked ? -1 : Number(length ?? 0);
      this.#bytes = 0;
      this.#tail = '';
      rest = all.subarray(end + 4);
    }
    this.#bytes += rest.length;
    if (this.#chunked) {
      // A chunked body ends with an empty chunk; nothing follows it before we ask again.
      this.#tail = (this.#tail + rest.toString('latin1', Math.max(0, rest.length - 7))).slice(-7);
      if (!this.#tail.endsWith('\r\n0\r\n\r\n') && this.#tail !== '0\r\n\r\n') return;
      this.#chunked = false;
    } else {
      this.#left -= rest.length;
      if (this.#left > 0) return;
    }
    this.#left = -1;
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.({ status: this.#status, bytes: this.#bytes });
  }
}
