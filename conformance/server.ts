import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';

const ANSWER_MS = 90_000;

/** A Kubernetes API server to put questions to, and who asks. */
export interface Server {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  readonly ca: string;
}

/** What goes on the wire; `token: undefined` asks anonymously. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes?: Buffer | undefined;
  readonly token?: string | undefined;
}

/** What came back, unchanged. */
export interface WireAnswer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** A watch being read: its answer's head, and the lines so far. */
export interface OpenWatch {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly lines: string[];
  /** Resolves once `done` says so, the stream ends, or the time is over; says whether it ended. */
  readonly collect: (done: () => boolean, timeoutMs: number) => Promise<boolean>;
  readonly close: () => void;
}

/** Sends requests to one server over kept connections. */
export interface Connection {
  readonly server: Server;
  readonly send: (wire: WireRequest) => Promise<WireAnswer>;
  readonly watch: (wire: WireRequest) => Promise<OpenWatch>;
  readonly close: () => void;
}

/** Opens the way to a server; nothing is dialled before the first request. */
export function connect(server: Server): Connection {
  const agent = new Agent({ keepAlive: true, ca: server.ca, maxSockets: 64 });
  const base = new URL(server.url);
  const prefix = base.pathname.replace(/\/$/, '');

  function start(wire: WireRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const outgoing = request({
        agent,
        host: base.hostname,
        port: base.port,
        method: wire.method,
        path: prefix + wire.path,
        headers: {
          'user-agent': 'conformance',
          ...(wire.token === undefined ? {} : { authorization: `Bearer ${wire.token}` }),
          ...(wire.bytes === undefined ? {} : { 'content-length': String(wire.bytes.length) }),
          ...wire.headers,
        },
        timeout: ANSWER_MS,
      });
      outgoing.on('response', resolve);
      outgoing.on('error', reject);
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
      outgoing.end(wire.bytes);
    });
  }

  async function send(wire: WireRequest): Promise<WireAnswer> {
    const incoming = await start(wire);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    return {
      code: incoming.statusCode ?? 0,
      headers: incoming.headers,
      bytes: Buffer.concat(chunks),
    };
  }

  async function watch(wire: WireRequest): Promise<OpenWatch> {
    return readLines(await start(wire));
  }

  return { server, send, watch, close: () => agent.destroy() };
}

function readLines(incoming: IncomingMessage): OpenWatch {
  const lines: string[] = [];
  let rest = '';
  let ended = false;
  let wake = () => {};
  incoming.setEncoding('utf8');
  incoming.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.filter((line) => line !== ''));
    wake();
  });
  const end = () => {
    if (rest !== '') lines.push(rest);
    rest = '';
    ended = true;
    wake();
  };
  incoming.on('end', end);
  incoming.on('error', end);

  const collect = (done: () => boolean, timeoutMs: number): Promise<boolean> =>
    new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        wake = () => {};
        resolve(ended);
      };
      const timer = setTimeout(finish, timeoutMs);
      wake = () => {
        if (ended || done()) finish();
      };
      wake();
    });

  return {
    code: incoming.statusCode ?? 0,
    headers: incoming.headers,
    lines,
    collect,
    close: () => incoming.destroy(),
  };
}
