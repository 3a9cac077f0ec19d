import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { TransportError } from '../transport-error.ts';
import type { Deadline } from './deadline.ts';
import { dial, type Route } from './dial.ts';
import { type H2Home, H2Session, STREAM_WINDOW } from './h2-session.ts';
import type { Identity } from './identity.ts';
import type { TransportLimits } from './limits.ts';
import { stateOf } from './socket-fault.ts';
import { isTlsFault, tlsFault } from './tls-fault.ts';

/** Nothing of HTTP/2 is asked of a server that refused it, for this long. */
const ASK_AGAIN_MS = 10 * 60_000;
const SESSION_MEMORY_MB = 1024;

/** A session with room reserved on it, or a socket on which the server chose HTTP/1.1. */
export type Found = H2Session | Socket;

interface Dialing {
  readonly identity: Identity;
  readonly abort: AbortController;
  readonly result: Promise<Found>;
  waiting: number;
  /** The socket can serve one of those who wait. */
  isTaken: boolean;
}

/** The connections that watches share, made when there is none with room. */
export class H2Sessions {
  readonly #route: Route;
  readonly #limits: TransportLimits;
  readonly #home: H2Home;
  readonly #sessions = new Set<H2Session>();
  #dialing: Dialing | undefined;
  #refusedAt = Number.NEGATIVE_INFINITY;

  constructor(route: Route, limits: TransportLimits) {
    this.#route = route;
    this.#limits = limits;
    this.#home = {
      url: route.endpoint.url,
      clock: route.clock,
      limits,
      onGone: (session) => this.#sessions.delete(session),
    };
  }

  /** False for plain HTTP, and where the server lately refused HTTP/2. */
  get isWorthAsking(): boolean {
    const { endpoint, clock } = this.#route;
    return endpoint.isSecure && clock.now() - this.#refusedAt > ASK_AGAIN_MS;
  }

  /** Undefined when the server turned out to refuse HTTP/2 and its socket went to somebody else. */
  async take(
    identity: Identity,
    deadline: Deadline,
    connectMs: number,
  ): Promise<Found | undefined> {
    while (this.isWorthAsking) {
      const open = this.#withRoom(identity);
      if (open !== undefined) {
        open.reserve();
        return open;
      }
      const isFirst = this.#dialing?.identity !== identity;
      const dialing = this.#join(identity, connectMs);
      try {
        const found = await deadline.race(dialing.result);
        if (!(found instanceof H2Session)) {
          if (dialing.isTaken) continue;
          dialing.isTaken = true;
          return found;
        }
        // Who dialled comes first: no room for it means none for anybody.
        if (isFirst && !found.hasRoom) throw this.#noRoom();
      } finally {
        dialing.waiting -= 1;
        if (dialing.waiting === 0) this.#leave(dialing);
      }
    }
    return undefined;
  }

  /** No new stream goes over a connection of somebody else; those under way go on. */
  keepOnly(identity: Identity): void {
    for (const session of [...this.#sessions]) {
      if (session.identity !== identity) session.drain();
    }
  }

  /** Closes everything. */
  close(death: TransportError): Promise<void>[] {
    this.#dialing?.abort.abort(death);
    return [...this.#sessions].map((session) => session.close(death));
  }

  /** A connection ended before it could carry anything. */
  #lost(problem: unknown, { certificate }: Identity): TransportError {
    const { endpoint, clock } = this.#route;
    const { url, host } = endpoint;
    if (isTlsFault(problem)) {
      const hasClientCertificate = certificate !== undefined;
      return tlsFault(problem, { url, name: host, hasClientCertificate, now: clock.now() });
    }
    const why = problem instanceof Error ? stateOf(problem) : 'it closed the connection';
    return new TransportError(
      'unreachable',
      `Cannot reach "${url}": ${why} before HTTP/2 was agreed on`,
      { cause: problem, wasNotSent: true },
    );
  }

  #noRoom(): TransportError {
    return new TransportError(
      'closed',
      `Cannot open a stream to "${this.#route.endpoint.url}": the server takes none on a new connection`,
      { wasNotSent: true },
    );
  }

  #withRoom(identity: Identity): H2Session | undefined {
    for (const session of this.#sessions) {
      if (session.identity === identity && session.hasRoom) return session;
    }
    return undefined;
  }

  /** Everyone who needs a connection at the same time waits for the same one. */
  #join(identity: Identity, connectMs: number): Dialing {
    if (this.#dialing?.identity === identity) {
      this.#dialing.waiting += 1;
      return this.#dialing;
    }
    const abort = new AbortController();
    const result = this.#dial(identity, connectMs, abort.signal);
    const dialing: Dialing = { identity, abort, result, waiting: 1, isTaken: false };
    this.#dialing = dialing;
    const forget = () => {
      if (this.#dialing === dialing) this.#dialing = undefined;
    };
    result.then(forget, forget);
    return dialing;
  }

  /** Nobody waits any more: what is not there yet need not come, and what nobody took is closed. */
  #leave(dialing: Dialing): void {
    if (this.#dialing === dialing) this.#dialing = undefined;
    dialing.abort.abort(new TransportError('aborted', 'Cannot connect: nobody waits for it'));
    dialing.result.then(
      (found) => {
        if (!(found instanceof H2Session) && !dialing.isTaken) found.destroy();
      },
      () => undefined,
    );
  }

  async #dial(identity: Identity, connectMs: number, signal: AbortSignal): Promise<Found> {
    const { endpoint, clock } = this.#route;
    const startedAt = clock.now();
    // Only whoever watches pays for loading it; before the connection stands, which could end meanwhile.
    const { connect } = await import('node:http2');
    const socket = (await dial(this.#route, {
      identity,
      protocols: ['h2', 'http/1.1'],
      connectMs,
      signal,
    })) as TLSSocket;
    if (socket.alpnProtocol !== 'h2') {
      this.#refusedAt = clock.now();
      return socket;
    }
    // In TLS 1.3 a refusal may follow the handshake so closely that the socket is gone by now.
    if (socket.destroyed) throw this.#lost(socket.errored, identity);
    // After an alert of TLS Node leaves the socket open, and its session without an end.
    socket.on('error', () => socket.destroy());
    const session = connect(endpoint.url, {
      createConnection: () => socket,
      maxSessionMemory: SESSION_MEMORY_MB,
      maxHeaderListPairs: 1000,
      settings: {
        enablePush: false,
        initialWindowSize: STREAM_WINDOW,
        maxHeaderListSize: this.#limits.headBytes,
      },
    });
    return await new Promise<H2Session>((resolve, reject) => {
      const done = () => {
        timer[Symbol.dispose]();
        signal.removeEventListener('abort', abort);
        session.off('close', close);
      };
      const fail = (error: TransportError) => {
        done();
        session.destroy();
        socket.destroy();
        reject(error);
      };
      const abort = () => fail(signal.reason as TransportError);
      let problem: unknown;
      const close = () => fail(this.#lost(problem, identity));
      const timer = clock.later(Math.max(1, connectMs - (clock.now() - startedAt)), () =>
        fail(
          new TransportError(
            'timeout',
            `Cannot reach "${endpoint.url}": it agreed on HTTP/2 and then said nothing`,
            { wasNotSent: true },
          ),
        ),
      );
      session.on('error', (error) => {
        problem ??= error;
      });
      session.on('close', close);
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
      // The server's first frame says how many streams it takes; more would wait without a word.
      session.once('remoteSettings', () => {
        done();
        const made = new H2Session({ session, socket }, identity, this.#home);
        this.#sessions.add(made);
        resolve(made);
      });
    });
  }
}
