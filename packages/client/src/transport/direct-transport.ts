import type { Clock } from '@flotilla/machinery';
import type { Credential, Presented } from '../access.ts';
import type { Transport, WireHead, WireRequest, WireResponse, WireStream } from '../transport.ts';
import { TransportError } from '../transport-error.ts';
import { addHeader } from './answer-head.ts';
import type { AnswerStream } from './answer-stream.ts';
import type { Attempt } from './attempt.ts';
import { describeRequest, Errands } from './errands.ts';
import { createIdentity } from './identity.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { followStream, openStream, type StreamSink } from './open-stream.ts';
import { type Persistence, persist } from './persist.ts';
import { type HeaderPair, requestHeaders, requestPath } from './request-head.ts';
import { tooLarge } from './whole-body.ts';

/** An API server in this process. It calls back later, never while it is asked. */
export type AskDirectly = (
  request: {
    readonly method: string;
    readonly path: string;
    readonly headers: readonly HeaderPair[];
    readonly body?: Buffer | string | undefined;
  },
  reader: {
    readonly onHead: (
      status: number,
      headers: Readonly<Record<string, string | readonly string[]>>,
    ) => void;
    readonly onBody: (chunk: Buffer) => void;
    readonly onEnd: () => void;
    /** There will be no answer, or no more of it. */
    readonly onGone: () => void;
  },
) => {
  readonly pause: () => void;
  readonly resume: () => void;
  readonly cancel: () => void;
};

/** What a transport without a wire is made of. */
export interface DirectTransportOptions {
  readonly ask: AskDirectly;
  readonly credential: Credential;
  readonly clock: Clock;
  readonly random: () => number;
  /** @default flotilla */
  readonly userAgent?: string;
}

const NO_IDENTITY = createIdentity({}, undefined);

/**
 * Carries requests to an API server in the same process, without TLS and HTTP: in bursts those cost controllers more
 * than everything else about a small request. Time limits, retries and errors are those of every other transport.
 */
export function createDirectTransport(options: DirectTransportOptions): Transport {
  return new DirectTransport(options);
}

class DirectTransport implements Transport {
  readonly #ask: AskDirectly;
  readonly #clock: Clock;
  readonly #userAgent: string;
  readonly #persistence: Persistence;
  readonly #errands: Errands;

  constructor({ ask, credential, clock, random, userAgent = 'flotilla' }: DirectTransportOptions) {
    this.#ask = ask;
    this.#clock = clock;
    this.#errands = new Errands({ clock, totalMs: DEFAULT_LIMITS.totalMs, url: '' });
    this.#userAgent = userAgent;
    this.#persistence = {
      credential,
      clock,
      random,
      limits: DEFAULT_LIMITS,
      url: 'this process',
      closing: () => this.#errands.closing(),
      identityFor: () => NO_IDENTITY,
    };
  }

  readonly send = async (request: WireRequest): Promise<WireResponse> => {
    const errand = this.#errands.begin(request);
    try {
      return await persist(this.#persistence, errand, {
        tryOnce: (attempt) => this.#whole(attempt),
        discard: () => undefined,
      });
    } finally {
      this.#errands.end(errand);
    }
  };

  readonly stream = async (request: WireRequest): Promise<WireStream> => {
    const errand = this.#errands.begin(request);
    try {
      const stream = await persist(this.#persistence, errand, {
        tryOnce: (attempt) => this.#open(attempt),
        discard: (answer: AnswerStream) => answer.close(),
      });
      followStream(stream, errand, () => this.#errands.end(errand));
      return stream;
    } catch (error) {
      this.#errands.end(errand);
      throw error;
    }
  };

  readonly upgrade = async (request: WireRequest): Promise<never> => {
    throw new TransportError(
      'unreachable',
      `Cannot ${describeRequest(request, '')}: there is no connection`,
      {
        wasNotSent: true,
      },
    );
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#errands.close();
  }

  #whole(attempt: Attempt): Promise<WireResponse> {
    const { deadline, request, what } = attempt.errand;
    const maxBytes = request.maxBytes ?? DEFAULT_LIMITS.answerBytes;
    return new Promise((resolve, reject) => {
      if (deadline.ending !== undefined) throw deadline.error(deadline.ending, true);
      let head: WireHead | undefined;
      let size = 0;
      const chunks: Buffer[] = [];
      const fail = (error: TransportError) => {
        deadline.leave();
        reject(error);
      };
      const source = this.#begun(attempt, {
        onHead: (given) => {
          head = given;
        },
        onBody: (chunk) => {
          size += chunk.length;
          chunks.push(chunk);
          if (size <= maxBytes) return;
          source.cancel();
          fail(tooLarge(what, maxBytes));
        },
        onEnd: () => {
          deadline.leave();
          const [only] = chunks;
          const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
          if (head !== undefined) resolve({ ...head, body });
        },
        onFail: fail,
      });
      deadline.enter((ending) => {
        source.cancel();
        reject(deadline.error(ending, false));
      });
    });
  }

  #open(attempt: Attempt): Promise<AnswerStream> {
    return openStream(
      {
        isReused: false,
        begin: (sink) => this.#begun(attempt, sink),
        release: () => undefined,
      },
      attempt,
      this.#clock,
    );
  }

  #begun({ errand, presented }: Attempt, sink: StreamSink): ReturnType<AskDirectly> {
    const { request, what } = errand;
    const { method, body } = request;
    const path = requestPath('', request.path);
    const headers = this.#headers(request, presented);
    return this.#ask(
      { method, path, headers, body },
      {
        onHead: (status, given) => sink.onHead(headOf(status, given)),
        onBody: sink.onBody,
        onEnd: sink.onEnd,
        onGone: () =>
          sink.onFail(new TransportError('closed', `Cannot ${what}: the server broke it off`)),
      },
    );
  }

  #headers(request: WireRequest, { authorization }: Presented): readonly HeaderPair[] {
    const own = requestHeaders(request, false);
    const pairs: HeaderPair[] = [['user-agent', this.#userAgent], ...own];
    const hasOwn = own.some(([name]) => name === 'authorization');
    if (authorization !== undefined && !hasOwn) pairs.push(['authorization', authorization]);
    return pairs;
  }
}

function headOf(
  status: number,
  given: Readonly<Record<string, string | readonly string[]>>,
): WireHead {
  const head = { status, headers: {}, warnings: [] };
  for (const [name, value] of Object.entries(given)) {
    for (const each of typeof value === 'string' ? [value] : value) addHeader(head, name, each);
  }
  return head;
}
