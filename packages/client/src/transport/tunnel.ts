import type { Socket } from 'node:net';
import { TransportError } from '../transport-error.ts';
import { MalformedAnswer, parseHead } from './answer-head.ts';
import { printable } from './endpoint.ts';
import type { ProxyServer } from './proxy-choice.ts';
import { stateOf } from './socket-fault.ts';
import { type ByteReader, socks5Handshake } from './socks5.ts';

/** Where a tunnel shall lead. */
export interface TunnelTarget {
  readonly host: string;
  readonly port: number;
}

const HEAD_BYTES = 64 * 1024;

/** Has the proxy at the other end of `socket` connect it to the target. */
export async function openTunnel(
  socket: Socket,
  proxy: ProxyServer,
  target: TunnelTarget,
): Promise<void> {
  const bytes = new SocketBytes(socket);
  try {
    const problem =
      proxy.kind === 'socks5'
        ? await socks5Handshake(bytes, target, proxy.user)
        : await connectHandshake(bytes, proxy, target);
    if (problem !== undefined) throw proxyFault(proxy, target, problem);
  } catch (error) {
    if (error instanceof TransportError) throw error;
    throw proxyFault(proxy, target, error);
  } finally {
    bytes.release();
  }
}

/** The value of Proxy-Authorization, where the proxy's URL names a user. */
export function proxyAuthorization({ user }: ProxyServer): string | undefined {
  if (user === undefined) return undefined;
  return `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`;
}

function proxyFault(proxy: ProxyServer, target: TunnelTarget, problem: unknown): TransportError {
  const state =
    typeof problem === 'string'
      ? problem
      : problem instanceof MalformedAnswer
        ? `it does not answer as an HTTP proxy does (${problem.message})`
        : stateOf(problem);
  return new TransportError(
    'proxy',
    `Cannot connect to "${authority(target)}" through the proxy "${proxy.url}": ${state}`,
    { cause: problem instanceof Error ? problem : undefined, wasNotSent: true },
  );
}

async function connectHandshake(
  bytes: SocketBytes,
  proxy: ProxyServer,
  target: TunnelTarget,
): Promise<string | undefined> {
  const authorization = proxyAuthorization(proxy);
  const auth = authorization === undefined ? '' : `Proxy-Authorization: ${authorization}\r\n`;
  const to = authority(target);
  bytes.write(Buffer.from(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n${auth}\r\n`, 'latin1'));
  const head = await bytes.readHead();
  const { status } = parseHead(head);
  if (status >= 200 && status < 300) return undefined;
  if (status === 407) {
    return authorization === undefined
      ? 'it wants a user and a password (put them into the proxy URL)'
      : 'it refused the user and password of the proxy URL';
  }
  const [line = ''] = head.toString('latin1').split('\r\n');
  return `it answered ${printable(line.replace(/^HTTP\/1\.\d /, ''), 100)}`;
}

function authority({ host, port }: TunnelTarget): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Reads a socket by the number of bytes, and leaves it as it was. */
class SocketBytes implements ByteReader {
  readonly #socket: Socket;
  #waiting: { resolve: () => void; reject: (error: unknown) => void } | undefined;
  #failure: unknown;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('readable', this.#wake);
    socket.on('error', this.#fail);
    socket.on('close', this.#closed);
    socket.on('end', this.#closed);
  }

  readonly write = (bytes: Buffer): void => void this.#socket.write(bytes);

  readonly read = async (count: number): Promise<Buffer> => {
    for (;;) {
      if (count === 0) return Buffer.alloc(0);
      const bytes = this.#socket.read(count) as Buffer | null;
      if (bytes?.length === count) return bytes;
      await this.#more();
    }
  };

  /** Up to the empty line; not a byte more, for the rest is the server's. */
  async readHead(): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let length = 0;
    for (;;) {
      const bytes = this.#socket.read() as Buffer | null;
      if (bytes === null) {
        await this.#more();
        continue;
      }
      pieces.push(bytes);
      length += bytes.length;
      const all = pieces.length === 1 ? bytes : Buffer.concat(pieces);
      const end = all.indexOf('\r\n\r\n');
      if (end >= 0) {
        if (end + 4 < all.length) this.#socket.unshift(all.subarray(end + 4));
        return all.subarray(0, end);
      }
      if (length > HEAD_BYTES) throw new MalformedAnswer('its headers never end');
      if (pieces.length > 64) pieces.splice(0, pieces.length, all);
    }
  }

  release(): void {
    this.#socket.off('readable', this.#wake);
    this.#socket.off('error', this.#fail);
    this.#socket.off('close', this.#closed);
    this.#socket.off('end', this.#closed);
  }

  #more(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) reject(this.#failure as Error);
      else this.#waiting = { resolve, reject };
    });
  }

  readonly #wake = (): void => {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve();
  };

  readonly #fail = (error: unknown): void => {
    this.#failure ??= error;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(this.#failure);
  };

  readonly #closed = (): void =>
    this.#fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
}
