import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import type { Access, Credential } from '@flotilla/client';
import { MEMBER_CERT, MEMBER_KEY, STRANGER_CA } from './certificates.ts';

/** A member on loopback that behaves as a test tells it. */
export interface RawMember extends AsyncDisposable {
  readonly access: Access;
  readonly url: string;
  /** `GET /api/v1/pods?limit=500`, in the order they came. */
  readonly requests: string[];
  /** The Authorization header of each of them. */
  readonly authorizations: string[];
  /** Connections that are open now. */
  readonly openConnections: () => number;
}

/** Answers one request; `count` is its number, from 1. */
export type RawAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  count: number,
) => void | Promise<void>;

/** A member over TLS whose answers are the test's. */
export async function startRawMember(answer: RawAnswer): Promise<RawMember> {
  const requests: string[] = [];
  const authorizations: string[] = [];
  const server = createHttpsServer({ cert: MEMBER_CERT, key: MEMBER_KEY }, (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    authorizations.push(request.headers.authorization ?? '');
    response.on('error', () => {});
    void answer(request, response, requests.length);
  });
  server.on('tlsClientError', () => {});
  return { ...(await listen(server, 'https')), requests, authorizations };
}

/** Accepts connections and never says a word, not even of TLS. */
export async function startMuteMember(): Promise<RawMember> {
  const listening = await listen(createServer(), 'https');
  return { ...listening, requests: [], authorizations: [] };
}

/** Where nobody listens: connections are refused. Port 1 is below all that is given out. */
export function refusingMember(): RawMember {
  const url = 'https://127.0.0.1:1';
  return {
    url,
    access: accessTo(url),
    requests: [],
    authorizations: [],
    openConnections: () => 0,
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The same member, trusted by an authority that is not its own. */
export function withWrongCa(access: Access): Access {
  return { ...access, tls: { ca: STRANGER_CA } };
}

/** An access with a token, as tests use it. */
export function accessTo(url: string, changes: Partial<Access> = {}): Access {
  return {
    server: url,
    tls: { ca: MEMBER_CERT },
    credential: bearer('s3cr3t-t0ken'),
    namespace: 'default',
    ...changes,
  };
}

/** A token that never changes. */
export function bearer(token: string): Credential {
  const presented = { authorization: `Bearer ${token}` };
  return { present: async () => presented, refused: async () => false };
}

async function listen(
  server: Server,
  scheme: string,
): Promise<Pick<RawMember, 'url' | 'access' | 'openConnections' | typeof Symbol.asyncDispose>> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const url = `${scheme}://127.0.0.1:${port}`;
  return {
    url,
    access: accessTo(url),
    openConnections: () => sockets.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
