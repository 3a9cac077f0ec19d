import { encodeJson, ParseError, parseJson } from '@flotilla/machinery';
import type { CallOptions } from '../client.ts';
import type { Transport, WireHead, WireRequest, WireResponse, WireStream } from '../transport.ts';
import { TransportError } from '../transport-error.ts';
import { JSON_TYPE } from './media-types.ts';
import { isFailure, isRefusal, refusalOf, type Subject, statusError } from './refusal.ts';
import { type ServerWarning, warningReporter } from './warnings.ts';

/** One request, as the verbs say it. */
export interface Ask extends CallOptions, Subject {
  readonly method: WireRequest['method'];
  /** With its query. */
  readonly path: string;
  /** @default 'application/json' */
  readonly accept?: string;
  readonly body?: unknown;
  /** @default 'application/json' */
  readonly contentType?: string;
  /** Reads the body of an answer in JSON; undefined has it read in the usual way. */
  readonly decode?: ((body: Buffer) => unknown) | undefined;
  /** Longest silence of a stream. */
  readonly idleMs?: number | undefined;
}

/** What the verbs need of a transport: answers decoded, refusals thrown, warnings told. */
export interface Exchange {
  /** The decoded answer; text where it is not JSON; undefined where it is empty. Throws at once for a body that is no JSON. */
  readonly ask: (ask: Ask) => Promise<unknown>;
  /** The answer as it arrives. */
  readonly open: (ask: Ask) => Promise<WireStream>;
}

/** How all requests of a client are made. */
export interface ExchangeOptions {
  /** Told each distinct warning once. */
  readonly onWarning?: ((warning: ServerWarning) => void) | undefined;
  /** Sent with every request; lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** No refusal needs more. */
const MAX_REFUSAL_BYTES = 1 << 20;

/** Makes requests over a transport. */
export function createExchange(transport: Transport, options: ExchangeOptions): Exchange {
  const warn = warningReporter(options.onWarning);
  const wire = (ask: Ask): WireRequest => ({
    method: ask.method,
    path: ask.path,
    headers: {
      ...options.headers,
      accept: ask.accept ?? JSON_TYPE,
      ...(ask.body === undefined ? {} : { 'content-type': ask.contentType ?? JSON_TYPE }),
    },
    body: ask.body === undefined ? undefined : encodeJson(ask.body),
    signal: ask.signal,
    timeouts: {
      ...(ask.timeoutMs === undefined ? {} : { totalMs: ask.timeoutMs }),
      ...(ask.idleMs === undefined ? {} : { idleMs: ask.idleMs }),
    },
  });
  const read = (ask: Ask, answer: WireResponse): unknown => {
    warn(answer.warnings);
    if (isRefusal(answer.status)) throw refusalOf(answer, ask);
    const value = ask.decode?.(answer.body) ?? decode(answer, answer.body);
    if (isFailure(value)) throw statusError(value, answer.status);
    return value;
  };
  return {
    // Not async: whoever waits for a server holds one suspended function less.
    ask: (ask) => transport.send(wire(ask)).then((answer) => read(ask, answer)),
    open: async (ask) => {
      const stream = await transport.stream(wire(ask));
      warn(stream.warnings);
      if (!isRefusal(stream.status)) return stream;
      const { status, headers, warnings } = stream;
      throw refusalOf({ status, headers, warnings, body: await firstBytes(stream) }, ask);
    },
  };
}

/** JSON as it is, no field dropped and no integer rounded. */
export function decodeJson(bytes: Buffer): unknown {
  try {
    return parseJson(bytes, { strict: false }).value;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new TransportError('malformed', `Cannot read what the server sent: ${error.message}`, {
      cause: error,
    });
  }
}

function decode({ headers }: WireHead, body: Buffer): unknown {
  if (body.length === 0) return undefined;
  const type = headers['content-type'] ?? JSON_TYPE;
  return /^application\/json\b/i.test(type) ? decodeJson(body) : body.toString();
}

async function firstBytes(stream: WireStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_REFUSAL_BYTES) break;
    }
  } finally {
    stream.close();
  }
  return Buffer.concat(chunks);
}
