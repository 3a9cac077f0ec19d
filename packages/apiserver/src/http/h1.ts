import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { badRequest, StatusError } from '@flotilla/machinery';
import { Call, type CallContext, release } from './call.ts';
import type { Connection } from './connections.ts';
import type { ApiRequest, ApiResponse } from './exchange.ts';
import { NO_BODY, readBody } from './request-body.ts';
import { splitTarget } from './request-path.ts';
import {
  bodySize,
  isStream,
  joined,
  SMALL_BODY_BYTES,
  sendGzipped,
  sendPieces,
  setBodyHeaders,
  wantsGzip,
} from './response-body.ts';
import { OutletSink } from './sink.ts';
import { statusAnswer } from './status-answer.ts';

/** How often node:http looks for requests that take too long to arrive. */
const CHECK_MS = 5000;

/** The HTTP/1.1 half of a listener. */
export interface H1Server {
  readonly serve: (connection: Connection) => void;
  readonly close: () => void;
}

/**
 * Takes over a connection whose client asked for another protocol (exec, attach, port-forward).
 * Resolving to an answer refuses; resolving to undefined means the socket is in good hands.
 */
export type UpgradeHandle = (
  request: ApiRequest,
  socket: Duplex,
  head: Buffer,
) => Promise<ApiResponse | undefined>;

/** Makes the HTTP/1.1 half. Without `upgrade` a client that asks for one is answered as if it had not, as Go does. */
export function createH1(context: CallContext, upgrade?: UpgradeHandle): H1Server {
  const { limits } = context;
  const connections = new WeakMap<Duplex, Connection>();
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    // node:http insists that headers come before the end of the request.
    headersTimeout: Math.min(limits.headerTimeoutMs, limits.requestTimeoutMs),
    // Body included. The deadline of the call comes first; this is for bodies nobody reads.
    requestTimeout: limits.requestTimeoutMs + CHECK_MS,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: Math.min(CHECK_MS, limits.headerTimeoutMs),
  });
  server.on('request', (message, response) => {
    const connection = connections.get(message.socket);
    if (connection === undefined) message.socket.destroy();
    else new H1Call(context, connection, { message, response }).begin();
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error, socket));
  if (upgrade !== undefined) {
    server.on('upgrade', (message, socket, head) => {
      const connection = connections.get(socket);
      if (connection === undefined) socket.destroy();
      else {
        const handle = async (request: ApiRequest): Promise<ApiResponse> =>
          (await upgrade(request, socket, head)) ?? TAKEN_OVER;
        new UpgradeCall({ ...context, handle }, connection, message).begin();
      }
    });
  }
  startTimeouts(server);
  return {
    serve: (connection) => {
      connections.set(connection.socket, connection);
      server.emit('connection', connection.socket);
    },
    close: () => server.close(),
  };
}

/**
 * node:http watches over header and request timeouts from the `listening` event on. This server never
 * listens, since its sockets come from the TLS listener, so it is told that it does.
 */
function startTimeouts(server: Server): void {
  server.emit('listening');
}

interface H1Parts {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

class H1Call extends Call {
  private readonly message: IncomingMessage;
  private readonly response: ServerResponse;

  constructor(context: CallContext, connection: Connection, { message, response }: H1Parts) {
    super(context, connection, {
      method: message.method ?? '',
      target: splitTarget(message.url ?? ''),
      headers: message.headers as Record<string, string | undefined>,
    });
    this.message = message;
    this.response = response;
    message.on('error', ignore);
    response.on('error', ignore);
    response.once('close', () => this.finish(response.writableFinished));
  }

  get rawHeaders(): readonly string[] {
    return this.message.rawHeaders;
  }

  protected send(answer: ApiResponse): void {
    const { response } = this;
    if (response.destroyed) {
      if (isStream(answer.body)) release(answer.body);
      return;
    }
    const headers: Record<string, string | number | readonly string[]> = {
      'audit-id': this.auditId,
      'cache-control': 'no-cache, private',
    };
    for (const name in answer.headers) headers[name] = answer.headers[name] ?? '';
    if (this.context.isDraining()) headers['connection'] = 'close';
    this.sendBody(answer, headers);
  }

  private sendBody(
    answer: ApiResponse,
    headers: Record<string, string | number | readonly string[]>,
  ): void {
    const { response } = this;
    const { body, status } = answer;
    const headOnly = this.method === 'HEAD';
    if (isStream(body)) {
      write(response, status, headers);
      // node:http keeps headers back for the first bytes of the body, which a watch may not have for minutes.
      response.flushHeaders();
      if (headOnly) {
        response.end();
        release(body);
      } else {
        body.start(new OutletSink(response));
      }
      return;
    }
    const size = bodySize(body);
    const gzip = wantsGzip(this.headers['accept-encoding'], answer, size);
    setBodyHeaders(headers, size, gzip);
    write(response, status, headers);
    if (headOnly || size === 0) response.end();
    else if (gzip) sendGzipped(body, response);
    else if (size > SMALL_BODY_BYTES) sendPieces(body, response);
    else if (this.method === 'GET') endTogether(response, joined(body));
    else response.end(joined(body));
  }

  incoming(): Readable | undefined {
    const declared = this.headers['content-length'];
    const hasBody = this.headers['transfer-encoding'] !== undefined || Number(declared ?? 0) > 0;
    return hasBody ? this.message : undefined;
  }

  protected read(limit: number): Promise<Buffer> {
    const { message, headers, context } = this;
    const declared = headers['content-length'];
    if (declared === undefined && headers['transfer-encoding'] === undefined) return NO_BODY;
    const giveUp = (): void => this.cut();
    return readBody(message, {
      limit,
      declared,
      giveUp,
      discardBytes: context.limits.discardBytes,
    });
  }

  protected cut(): void {
    this.response.destroy();
    this.message.socket.destroy();
  }
}

/** Answers that leave together, once the requests that arrived together are dealt with. */
let leaving: { readonly response: ServerResponse; readonly body: Uint8Array }[] = [];

/**
 * Ends the answer to a read with all others of this turn of the event loop. Written one by one, each would wake a
 * client that has just gone to sleep, and that costs a quarter of a read. Answers to writes come together anyway.
 */
function endTogether(response: ServerResponse, body: Uint8Array): void {
  if (leaving.push({ response, body }) === 1) setImmediate(sendLeaving);
}

function sendLeaving(): void {
  const all = leaving;
  leaving = [];
  for (const { response, body } of all) response.end(body);
}

function write(
  response: ServerResponse,
  status: number,
  headers: Record<string, string | number | readonly string[]>,
): void {
  response.writeHead(status, headers as Record<string, string | number | string[]>);
}

/** Stands for the answer of a request whose socket someone else now uses. */
const TAKEN_OVER: ApiResponse = { status: 101, headers: {}, body: Buffer.alloc(0) };

/** A request that asked for another protocol: node:http has let go of its socket. */
class UpgradeCall extends Call {
  readonly rawHeaders: readonly string[];
  private readonly socket: Duplex;
  private refused = false;

  constructor(context: CallContext, connection: Connection, message: IncomingMessage) {
    super(context, connection, {
      method: message.method ?? '',
      target: splitTarget(message.url ?? ''),
      headers: message.headers as Record<string, string | undefined>,
    });
    this.rawHeaders = message.rawHeaders;
    this.socket = message.socket;
    this.socket.on('error', ignore);
    this.socket.once('close', () => this.finish(this.refused));
  }

  protected send(answer: ApiResponse): void {
    if (answer === TAKEN_OVER) return;
    this.refused = true;
    if (isStream(answer.body)) {
      // Its client goes without the other protocol; what it gets ends with the connection.
      this.socket.write(headOf(answer.status, { 'audit-id': this.auditId, ...answer.headers }));
      answer.body.start(new OutletSink(this.socket));
      return;
    }
    endWith(this.socket, { ...answer, headers: { 'audit-id': this.auditId, ...answer.headers } });
  }

  incoming(): undefined {
    return undefined;
  }

  protected read(): Promise<Buffer> {
    return NO_BODY;
  }

  protected cut(): void {
    this.socket.destroy();
  }
}

/** Answers a request that never became one: node:http could not read it, or gave up waiting for it. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  // A socket in the middle of another answer cannot carry this one.
  const busy = (socket as Duplex & { _httpMessage?: unknown })._httpMessage;
  if (!socket.writable || error.code === 'ECONNRESET' || (busy !== null && busy !== undefined)) {
    socket.destroy();
    return;
  }
  endWith(socket, statusAnswer(protocolError(error.code)));
}

function protocolError(code: string | undefined): StatusError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new StatusError(431, 'BadRequest', 'Cannot read the request: its headers are too large');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new StatusError(408, 'Timeout', 'Cannot read the request: it took too long to arrive');
  }
  return badRequest('Cannot read the request: it is not valid HTTP');
}

function endWith(socket: Duplex, answer: ApiResponse & { body: ApiResponse['body'] }): void {
  const body = isStream(answer.body) ? Buffer.alloc(0) : joined(answer.body);
  const head = headOf(answer.status, { ...answer.headers, 'content-length': String(body.length) });
  drop(socket);
  socket.end(Buffer.concat([Buffer.from(head), body]));
}

function headOf(status: number, given: ApiResponse['headers']): string {
  const headers = { ...given, 'cache-control': 'no-cache, private', connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
}

/** Bytes of a refused request that are read and dropped before the connection is broken off. */
const DROPPED_BYTES = 1 << 20;

/**
 * Reads on without looking. A connection that closes with bytes unread is reset, and the client would lose the
 * answer; one that goes on sending for ever is broken off.
 */
function drop(socket: Duplex): void {
  let left = DROPPED_BYTES;
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  socket.once('end', () => socket.destroy());
  socket.resume();
}

function ignore(): void {}
