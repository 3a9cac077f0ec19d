import type { IncomingHttpHeaders } from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import { Agent, request as requestH1 } from 'node:https';
import type { Readable } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';

/** How to reach a server and be its admin. */
export interface Target {
  readonly port: number;
  readonly ca: string;
  readonly token: string;
}

/** What is sent beside method and path. */
export interface Sent {
  readonly body?: object | string | Buffer;
  /** @default application/json where there is a body */
  readonly type?: string;
  /** Leaves out the length of the body. */
  readonly isUndeclared?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The head of an answer whose body is still coming. */
export interface Opened {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/** The protocols every server of ours speaks. */
export type Protocol = 'h1' | 'h2';

/** Both of them, for tests that try each. */
export const PROTOCOLS: readonly Protocol[] = ['h1', 'h2'];

/** One client on connections of its own. */
export interface Client extends Disposable {
  /** `send('POST /api/v1/namespaces', {body})`. */
  readonly send: (request: string, sent?: Sent) => Promise<Answer>;
  readonly open: (request: string, sent?: Sent) => Promise<Opened>;
  /** Breaks every connection off. */
  readonly close: () => void;
}

/** Makes a client; it connects when first used. */
export function connectClient(target: Target, protocol: Protocol = 'h2'): Client {
  const { open, close } = protocol === 'h1' ? overH1(target) : overH2(target);
  return {
    open,
    close,
    send: async (request, sent) => {
      const { status, headers, body } = await open(request, sent);
      return { status, headers, body: await readAll(body) };
    },
    [Symbol.dispose]: close,
  };
}

interface Wire {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

function wireOf(target: Target, request: string, sent: Sent): Wire {
  const space = request.indexOf(' ');
  const { body } = sent;
  const isBytes = typeof body === 'string' || Buffer.isBuffer(body);
  const bytes = body === undefined ? undefined : Buffer.from(isBytes ? body : JSON.stringify(body));
  return {
    method: request.slice(0, space),
    path: request.slice(space + 1),
    body: bytes,
    headers: {
      authorization: `Bearer ${target.token}`,
      ...(bytes === undefined ? {} : { 'content-type': sent.type ?? 'application/json' }),
      ...(bytes === undefined || sent.isUndeclared
        ? {}
        : { 'content-length': String(bytes.length) }),
      ...sent.headers,
    },
  };
}

type Transport = Pick<Client, 'open' | 'close'>;

function overH1(target: Target): Transport {
  const agent = new Agent({ keepAlive: true, ca: target.ca });
  return {
    close: () => agent.destroy(),
    open: (request, sent = {}) => {
      const { body, ...wire } = wireOf(target, request, sent);
      return new Promise((resolve, reject) => {
        const chunked = sent.isUndeclared ? { 'transfer-encoding': 'chunked' } : {};
        const headers = { ...wire.headers, ...chunked };
        const options = { host: '127.0.0.1', port: target.port, agent, ...wire, headers };
        const call = requestH1(options, (answer) =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: answer }),
        );
        call.on('error', reject);
        call.end(body);
      });
    },
  };
}

function overH2(target: Target): Transport {
  let current: ClientHttp2Session | undefined;
  const session = (): ClientHttp2Session => {
    if (current === undefined || current.closed || current.destroyed) {
      current = connectH2(target);
    }
    return current;
  };
  return {
    close: () => current?.destroy(),
    open: (request, sent = {}) => {
      const { method, path, headers, body } = wireOf(target, request, sent);
      return new Promise((resolve, reject) => {
        const stream = session().request(
          { ':method': method, ':path': path, ...headers },
          { endStream: body === undefined },
        );
        stream.once('response', (answer) =>
          resolve({ status: answer[':status'] ?? 0, headers: answer, body: stream }),
        );
        stream.on('error', reject);
        stream.once('close', () => reject(new Error('Cannot finish: the stream was closed')));
        if (body !== undefined) stream.end(body);
      });
    },
  };
}

/** An HTTP/2 connection roomy enough for bodies that are too large on purpose. */
export function connectH2(target: Target): ClientHttp2Session {
  const session = connect(`https://127.0.0.1:${target.port}`, {
    ca: target.ca,
    maxSessionMemory: 100,
    // So that it is the server who refuses.
    maxSendHeaderBlockLength: 4 << 20,
    settings: { initialWindowSize: 4 << 20 },
  });
  // Requests hear of it themselves.
  session.on('error', () => {});
  return session;
}

/** A bare TLS connection, for clients that do not follow the rules. */
export async function connectSocket(target: Target, protocol = 'http/1.1'): Promise<TLSSocket> {
  const socket = connectTls({
    host: '127.0.0.1',
    port: target.port,
    ca: target.ca,
    ALPNProtocols: [protocol],
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  return socket;
}

/** The whole of a body; rejects when it breaks off. */
export async function readAll(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** An answer as the object it is. */
export function objectOf<T = Record<string, unknown>>(answer: Answer): T {
  return JSON.parse(answer.body.toString()) as T;
}

/** The parts of a Status tests look at. */
export interface StatusBody {
  readonly kind: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly code: number;
}
