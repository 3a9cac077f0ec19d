import {
  createSecureServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import { serving } from './certificates.ts';

/** A server of HTTP/2 alone, and all that came to it. */
export interface H2Server extends AsyncDisposable {
  readonly url: string;
  readonly sockets: Socket[];
  readonly sessions: Http2Session[];
  readonly streams: ServerHttp2Stream[];
  readonly headers: IncomingHttpHeaders[];
  readonly until: (isSo: () => boolean) => Promise<void>;
}

/** Starts a server whose streams behave as told. */
export async function startH2(
  behave: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void,
  maxConcurrentStreams = 100,
): Promise<H2Server> {
  const sockets: Socket[] = [];
  const sessions: Http2Session[] = [];
  const streams: ServerHttp2Stream[] = [];
  const seen: IncomingHttpHeaders[] = [];
  const server = createSecureServer({
    ...serving(),
    maxSessionMemory: 1000,
    settings: { maxConcurrentStreams },
  });
  server.on('secureConnection', (socket: Socket) => sockets.push(socket));
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, headers) => {
    streams.push(stream);
    seen.push(headers);
    stream.on('error', () => undefined);
    behave(stream, headers);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `https://127.0.0.1:${port}`,
    sockets,
    sessions,
    streams,
    headers: seen,
    until: async (isSo) => {
      while (!isSo()) await new Promise(setImmediate);
    },
    [Symbol.asyncDispose]: async () => {
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
