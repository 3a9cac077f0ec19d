import type { Duplex } from 'node:stream';
import type { Access, Presented } from '../access.ts';
import type { Transport, WireHead, WireRequest, WireResponse, WireStream } from '../transport.ts';
import type { AnswerStream } from './answer-stream.ts';
import { type Attempt, type Errand, unknownCoding } from './attempt.ts';
import type { Route } from './dial.ts';
import { Errands } from './errands.ts';
import { exchange } from './exchange.ts';
import type { H1Connection, H1Message } from './h1-connection.ts';
import { H1Pool } from './h1-pool.ts';
import { H2Session } from './h2-session.ts';
import { H2Sessions } from './h2-sessions.ts';
import { createIdentity, type Identity, isSameCertificate } from './identity.ts';
import type { TransportLimits } from './limits.ts';
import { type MessageKind, Messages } from './message.ts';
import { followStream, openStream, type StreamCarrier } from './open-stream.ts';
import { type Persistence, persist, type Way } from './persist.ts';
import { isSafe } from './retry-after.ts';
import { Slots } from './slots.ts';
import { unzip } from './whole-body.ts';

/** What a transport is made of, read and chosen. */
export interface WireTransportOptions {
  readonly access: Access;
  readonly route: Route;
  readonly limits: TransportLimits;
  readonly random: () => number;
  readonly userAgent: string;
}

type Upgraded = WireHead & { readonly socket: Duplex; readonly head: Buffer };

/** There is no answer to nothing. */
const CONNECTED: WireHead = { status: 200, headers: {}, warnings: [] };
const REFUSAL_BYTES = 1024 * 1024;
const PLAIN: MessageKind = { isUpgrade: false, mayCompress: false };
const WHOLE: MessageKind = { isUpgrade: false, mayCompress: true };
const UPGRADE: MessageKind = { isUpgrade: true, mayCompress: false };
const WATCH = /[?&]watch=(?!0|f|F)|^\/(?:api|apis\/[^/]+)\/[^/]+\/watch\//;

/**
 * Whole answers go over HTTP/1.1 connections of a pool, watches share HTTP/2 connections, and every
 * other stream and upgrade has a connection of its own, so that none of them can stall another.
 */
export class WireTransport implements Transport {
  readonly #limits: TransportLimits;
  readonly #route: Route;
  readonly #persistence: Persistence;
  readonly #messages: Messages;
  readonly #pool: H1Pool;
  readonly #sessions: H2Sessions;
  readonly #requests: Slots;
  readonly #streams: Slots;
  readonly #errands: Errands;
  readonly #answerWhole: Way<WireResponse>;
  #identity: Identity | undefined;
  #closing: Promise<void> | undefined;

  constructor({ access, route, limits, random, userAgent }: WireTransportOptions) {
    const { endpoint, proxy, clock } = route;
    this.#limits = limits;
    this.#route = route;
    this.#errands = new Errands({ clock, totalMs: limits.totalMs, url: endpoint.url });
    this.#messages = new Messages({ access, endpoint, proxy, userAgent });
    this.#pool = new H1Pool(route, limits);
    this.#sessions = new H2Sessions(route, limits);
    this.#requests = new Slots(limits.requests);
    this.#streams = new Slots(limits.streams);
    this.#persistence = {
      credential: access.credential,
      clock,
      random,
      limits,
      url: endpoint.url,
      closing: () => this.#errands.closing(),
      identityFor: (presented) => this.#identityFor(presented),
    };
    this.#answerWhole = { tryOnce: (attempt) => this.#whole(attempt), discard: () => undefined };
  }

  readonly send = async (request: WireRequest): Promise<WireResponse> => {
    const errand = this.#errands.begin(request);
    try {
      if (!this.#requests.tryTake()) await this.#requests.take(errand.deadline);
      try {
        const answer = await persist(this.#persistence, errand, this.#answerWhole);
        const coding = answer.headers['content-encoding'];
        if (coding === undefined || coding === 'identity' || answer.body.length === 0) {
          return answer;
        }
        return await this.#unzipped(errand, answer, coding);
      } finally {
        this.#requests.give();
      }
    } finally {
      this.#errands.end(errand);
    }
  };

  readonly stream = (request: WireRequest): Promise<WireStream> =>
    this.#hold(request, async (errand, onDone) => {
      const isWatch = WATCH.test(request.path);
      const stream = await persist(this.#persistence, errand, {
        tryOnce: (attempt) => (isWatch ? this.#watch(attempt) : this.#ownStream(attempt)),
        discard: (answer: AnswerStream) => answer.close(),
      });
      followStream(stream, errand, onDone);
      return stream;
    });

  readonly upgrade = (request: WireRequest): Promise<Upgraded> =>
    this.#hold(request, async (errand, onDone) => {
      const { deadline } = errand;
      const upgraded = await persist(this.#persistence, errand, {
        tryOnce: (attempt) => this.#switch(attempt),
        discard: (answer: Upgraded) => answer.socket.destroy(),
      });
      const { socket } = upgraded;
      deadline.dropTimer();
      deadline.enter(() => void socket.destroy());
      if (deadline.ending !== undefined) socket.destroy();
      if (socket.closed || upgraded.status !== 101) onDone();
      else socket.once('close', onDone);
      return upgraded;
    });

  readonly prepare = async (
    options: Pick<WireRequest, 'signal' | 'timeouts'> = {},
  ): Promise<void> => {
    const errand = this.#errands.begin({ method: 'GET', path: '', ...options });
    try {
      await persist(this.#persistence, errand, {
        tryOnce: async (attempt) => {
          const { deadline } = attempt.errand;
          const connection = await this.#connect({ ...attempt, isFresh: true });
          if (deadline.ending !== undefined) {
            connection.destroy();
            throw deadline.error(deadline.ending, true);
          }
          this.#pool.give(connection);
          return CONNECTED;
        },
        discard: () => undefined,
      });
    } finally {
      this.#errands.end(errand);
    }
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    const death = this.#errands.close();
    await Promise.all([...this.#pool.close(), ...this.#sessions.close(death)]);
  }

  /** For an errand that outlives its promise: it ends with the stream or socket that it opens. */
  async #hold<T>(
    request: WireRequest,
    open: (errand: Errand, onDone: () => void) => Promise<T>,
  ): Promise<T> {
    const errand = this.#errands.begin(request);
    let hasSlot = false;
    const onDone = () => {
      this.#errands.end(errand);
      if (hasSlot) this.#streams.give();
      hasSlot = false;
    };
    try {
      await this.#streams.take(errand.deadline);
      hasSlot = true;
      return await open(errand, onDone);
    } catch (error) {
      onDone();
      throw error;
    }
  }

  /** Connections belong to a certificate: with another one they are made anew. */
  #identityFor({ certificate }: Presented): Identity {
    const current = this.#identity;
    if (current !== undefined && isSameCertificate(current.certificate, certificate)) {
      return current;
    }
    const identity = createIdentity(this.#route.tls, certificate);
    this.#identity = identity;
    this.#pool.keepOnly(identity);
    this.#sessions.keepOnly(identity);
    return identity;
  }

  #connect(attempt: Attempt): Promise<H1Connection> {
    const { identity, isFresh } = attempt;
    const { deadline, request } = attempt.errand;
    const connectMs = request.timeouts?.connectMs ?? this.#limits.connectMs;
    const isDelicate = !isSafe(request.method);
    return this.#pool.take({ identity, deadline, connectMs, isFresh, isDelicate });
  }

  #whole(attempt: Attempt): Promise<WireResponse> {
    const { presented, identity, isFresh, errand } = attempt;
    const { request } = errand;
    const message = this.#messages.h1(errand, presented, WHOLE);
    const bounds = { attempt, maxBytes: this.#mostBytes(request) };
    const mayBeWarm = !isFresh && isSafe(request.method);
    const warm = mayBeWarm ? this.#pool.takeWarm(identity) : undefined;
    if (warm !== undefined) return exchange(warm, message, bounds);
    return this.#connect(attempt).then((connection) => exchange(connection, message, bounds));
  }

  async #unzipped(
    { request, what, deadline }: Errand,
    answer: WireResponse,
    coding: string,
  ): Promise<WireResponse> {
    if (coding !== 'gzip') throw unknownCoding(what, coding);
    const unzipping = Promise.resolve(unzip(answer.body, this.#mostBytes(request), what));
    const body = await deadline.race(unzipping);
    const { 'content-encoding': _coding, 'content-length': _length, ...headers } = answer.headers;
    return { ...answer, headers, body };
  }

  #mostBytes({ maxBytes }: WireRequest): number {
    return maxBytes ?? this.#limits.answerBytes;
  }

  async #switch(attempt: Attempt): Promise<Upgraded> {
    const message = this.#messages.h1(attempt.errand, attempt.presented, UPGRADE);
    const connection = await this.#connect({ ...attempt, isFresh: true });
    const answer = await exchange(connection, message, { attempt, maxBytes: REFUSAL_BYTES });
    const { socket, rest } = connection.detach();
    const { status, headers, warnings } = answer;
    if (status !== 101) socket.destroy();
    return { status, headers, warnings, socket, head: status === 101 ? rest : answer.body };
  }

  /** HTTP/1.1 on a connection of its own, where TCP tells the server that the reader is slow. */
  async #ownStream(
    attempt: Attempt,
    message = this.#streamMessage(attempt),
  ): Promise<AnswerStream> {
    return await this.#streamOver(await this.#connect(attempt), message, attempt);
  }

  /** On a shared connection, where the server speaks HTTP/2. */
  async #watch(attempt: Attempt): Promise<AnswerStream> {
    const { deadline, request } = attempt.errand;
    // Before anything is connected: what cannot be sent must not leave a connection behind.
    const message = this.#streamMessage(attempt);
    const connectMs = request.timeouts?.connectMs ?? this.#limits.connectMs;
    const boundMs = Math.min(connectMs, deadline.remainingMs);
    const found = await this.#sessions.take(attempt.identity, deadline, boundMs);
    if (found === undefined) return await this.#ownStream(attempt, message);
    if (!(found instanceof H2Session)) {
      const connection = this.#pool.adopt(found, attempt.identity);
      return await this.#streamOver(connection, message, attempt);
    }
    const carrier: StreamCarrier = {
      isReused: found.isReused,
      begin: (sink) =>
        found.begin(this.#messages.h2(attempt.errand, attempt.presented, PLAIN), sink),
      release: () => found.release(),
    };
    return await openStream(carrier, attempt, this.#route.clock);
  }

  #streamMessage({ errand, presented }: Attempt): H1Message {
    return this.#messages.h1(errand, presented, PLAIN);
  }

  #streamOver(
    connection: H1Connection,
    message: H1Message,
    attempt: Attempt,
  ): Promise<AnswerStream> {
    const carrier: StreamCarrier = {
      isReused: connection.isReused,
      begin: (sink) => {
        connection.begin(message, sink);
        return {
          pause: () => void connection.socket.pause(),
          resume: () => void connection.socket.resume(),
          cancel: () => connection.destroy(),
        };
      },
      release: () => connection.destroy(),
    };
    return openStream(carrier, attempt, this.#route.clock);
  }
}
