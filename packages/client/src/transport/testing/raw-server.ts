import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** A server of bytes on loopback that behaves as a test tells it. */
export interface RawServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** Every connection so far. */
  readonly sockets: Socket[];
  /** The heads of all requests, as they came. */
  readonly heads: string[];
}

/** What a test does with a request; `count` is its number, from 1. */
export type Behave = (socket: Socket, request: { head: string; count: number }) => void;

/** Starts it. Requests are cut at the empty line; bodies follow in the next one's head. */
export async function startRaw(behave: Behave, tls?: TlsOptions): Promise<RawServer> {
  const sockets: Socket[] = [];
  const heads: string[] = [];
  const accept = (socket: Socket) => {
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (text.length < end + 4 + length) return;
        text = text.slice(end + 4 + length);
        heads.push(head);
        behave(socket, { head, count: heads.length });
      }
    });
  };
  const server: Server = tls === undefined ? createServer(accept) : createTlsServer(tls, accept);
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    sockets,
    heads,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A whole HTTP/1.1 answer. */
export function answer(status: number, body = '', headers: Record<string, string> = {}): string {
  const lines = Object.entries({ 'content-length': String(Buffer.byteLength(body)), ...headers });
  return `HTTP/1.1 ${status} Some Text\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}
