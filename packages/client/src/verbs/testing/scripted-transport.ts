import type { Transport, WireRequest, WireResponse } from '../../transport.ts';

/** What a script answers with; whatever is left out is ordinary. */
export interface Scripted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
  /** Values are sent as JSON, texts and bytes as they are. */
  readonly body?: unknown;
  /** What a stream consists of, instead of the body in one piece. */
  readonly chunks?: readonly Buffer[];
}

/** A transport whose answers are a function of the request; it keeps what was asked. */
export function scriptedTransport(
  answer: (request: WireRequest) => Scripted,
): Transport & { readonly requests: WireRequest[]; readonly closed: () => number } {
  const requests: WireRequest[] = [];
  let closed = 0;
  const respond = (request: WireRequest): WireResponse & Pick<Scripted, 'chunks'> => {
    requests.push(request);
    const { status = 200, headers, warnings = [], body, chunks = [] } = answer(request);
    return {
      status,
      headers: headers ?? { 'content-type': 'application/json' },
      warnings,
      body: toBytes(body),
      chunks,
    };
  };
  return {
    requests,
    closed: () => closed,
    send: async (request) => respond(request),
    stream: async (request) => {
      const { body, chunks = [], ...head } = respond(request);
      return {
        ...head,
        close: () => {
          closed += 1;
        },
        async *[Symbol.asyncIterator]() {
          yield* chunks.length === 0 ? [body] : chunks;
        },
      };
    },
    upgrade: async () => {
      throw new TypeError('Cannot upgrade a script');
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

function toBytes(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
