import {
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from 'node:http2';
import type { Readable } from 'node:stream';
import { Call, type CallContext, release } from './call.ts';
import type { Connection } from './connections.ts';
import type { ApiResponse } from './exchange.ts';
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

const END_STREAM = 0x1;
/** Room for request bodies, so that one slow upload does not hold back its neighbours. */
const STREAM_WINDOW_BYTES = 256 * 1024;
const SESSION_WINDOW_BYTES = 16 * 1024 * 1024;
/** The largest frame clients may send; most objects then arrive in one. */
const FRAME_BYTES = 256 * 1024;

/** Serves HTTP/2 on a connection that has negotiated it. */
export function serveH2(connection: Connection, context: CallContext): void {
  const { limits } = context;
  const options: ServerOptions & { streamResetBurst: number; streamResetRate: number } = {
    maxSessionMemory: limits.sessionMegabytes,
    streamResetBurst: limits.resetBurst,
    streamResetRate: limits.resetsPerSecond,
    settings: {
      maxConcurrentStreams: limits.streamsPerSession,
      initialWindowSize: STREAM_WINDOW_BYTES,
      maxFrameSize: FRAME_BYTES,
      maxHeaderListSize: limits.headerBytes,
      enablePush: false,
    },
  };
  const session = performServerHandshake(connection.socket, options);
  connection.session = session;
  session.setLocalWindowSize(SESSION_WINDOW_BYTES);
  // The client broke the protocol or its connection; its requests hear of it when they close.
  session.on('error', ignore);
  session.on('stream', (...[stream, headers, flags, raw]: StreamEvent) => {
    new H2Call(context, { connection, session, stream, headers, flags, raw }).begin();
  });
}

type StreamEvent = [ServerHttp2Stream, IncomingHttpHeaders, number, string[]];

interface H2Parts {
  readonly connection: Connection;
  readonly session: ServerHttp2Session;
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly flags: number;
  readonly raw: string[];
}

const CALL = Symbol('call');
type CallStream = ServerHttp2Stream & { [CALL]?: H2Call };

/** One function for all streams: a closure for each would show in the garbage collector. */
function closed(this: ServerHttp2Stream): void {
  (this as CallStream)[CALL]?.finish(this.writableFinished && this.rstCode === 0);
}

/**
 * The client reset a stream that still had something to say. With the code for "no error" node
 * would wait for bytes to be sent that nobody takes any more.
 */
function aborted(this: ServerHttp2Stream): void {
  this.destroy();
}

class H2Call extends Call {
  readonly rawHeaders: readonly string[];
  private readonly session: ServerHttp2Session;
  private readonly stream: ServerHttp2Stream;
  private readonly hasBody: boolean;

  constructor(context: CallContext, parts: H2Parts) {
    const { connection, session, stream, headers, flags, raw } = parts;
    super(context, connection, {
      method: headers[':method'] ?? '',
      target: splitTarget(headers[':path'] ?? ''),
      // Only set-cookie would be an array, and nobody asks for it.
      headers: headers as Record<string, string | undefined>,
    });
    this.session = session;
    this.stream = stream;
    this.rawHeaders = raw;
    this.hasBody = (flags & END_STREAM) === 0;
    (stream as CallStream)[CALL] = this;
    stream.on('error', ignore);
    stream.on('close', closed);
    stream.on('aborted', aborted);
  }

  protected send(response: ApiResponse): void {
    const { stream, session, context } = this;
    if (stream.destroyed || stream.closed) {
      if (isStream(response.body)) release(response.body);
      return;
    }
    // Written out so that every answer has the same shape: node:http2 copies this object, and does so
    // ten times slower when its shape is put together at run time.
    const headers: OutgoingHttpHeaders = {
      ':status': response.status,
      'audit-id': this.auditId,
      'cache-control':
        (response.headers['cache-control'] as string | undefined) ?? 'no-cache, private',
      'content-type': response.headers['content-type'] as string | undefined,
      'content-length': undefined,
    };
    let lastOfSession = context.isDraining();
    for (const name in response.headers) {
      if (name === 'content-type' || name === 'cache-control') continue;
      // HTTP/2 has no such header; upstream's `connection: close` means a GOAWAY there.
      if (name === 'connection') lastOfSession = true;
      else headers[name] = response.headers[name] as string | string[];
    }
    this.sendBody(response, headers);
    if (this.hasBody) stream.once('finish', () => this.stopUpload());
    if (lastOfSession) session.close();
  }

  private sendBody(response: ApiResponse, headers: OutgoingHttpHeaders): void {
    const { stream } = this;
    const { body } = response;
    if (isStream(body)) {
      const headOnly = this.method === 'HEAD';
      stream.respond(headers, { endStream: headOnly });
      if (headOnly) release(body);
      else body.start(new OutletSink(stream));
      return;
    }
    const size = bodySize(body);
    const gzip = wantsGzip(this.headers['accept-encoding'], response, size);
    setBodyHeaders(headers, size, gzip);
    if (this.method === 'HEAD' || size === 0) {
      stream.respond(headers, { endStream: true });
      return;
    }
    stream.respond(headers);
    if (gzip) sendGzipped(body, stream);
    else if (size <= SMALL_BODY_BYTES) stream.end(joined(body));
    else sendPieces(body, stream);
  }

  incoming(): Readable | undefined {
    if (!this.hasBody) return undefined;
    this.welcome();
    return this.stream;
  }

  protected read(limit: number): Promise<Buffer> {
    if (!this.hasBody) return NO_BODY;
    const { stream, headers, context } = this;
    const declared = headers['content-length'];
    if (!(Number(declared) > limit)) this.welcome();
    const giveUp = (): void => stream.close();
    return readBody(stream, { limit, declared, giveUp, discardBytes: context.limits.discardBytes });
  }

  /** Some clients send a body only once they hear that it will be read. */
  private welcome(): void {
    if (this.headers['expect'] !== '100-continue') return;
    this.stream.additionalHeaders({ ':status': 100 });
  }

  protected cut(): void {
    this.stream.destroy(new Error('Cannot go on with the request: it was broken off'));
  }

  /** The answer is out; a client that still sends is told to stop, without an error, as Go does. */
  private stopUpload(): void {
    if (!this.stream.readableEnded) this.stream.close();
  }
}

function ignore(): void {}
