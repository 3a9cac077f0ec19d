import type { Socket } from 'node:net';
import type { Deadline } from './deadline.ts';
import { dial, type Route } from './dial.ts';
import { H1Connection, type H1Home } from './h1-connection.ts';
import type { Identity } from './identity.ts';
import type { TransportLimits } from './limits.ts';

/** Idle for longer than this, a connection may have been closed without our having read it yet. */
const SETTLED_MS = 500;

/** How a connection is asked for. */
export interface Wanted {
  readonly identity: Identity;
  readonly deadline: Deadline;
  readonly connectMs: number;
  /** Not one that has been lying around. */
  readonly isFresh: boolean;
  /** The request must not be sent into a connection that is closing: it cannot be repeated. */
  readonly isDelicate: boolean;
}

/** Keeps HTTP/1.1 connections for the next request. */
export class H1Pool {
  readonly #route: Route;
  readonly #limits: TransportLimits;
  readonly #home: H1Home;
  /** The one used last is used next, so that the others may grow old. */
  #idle: H1Connection[] = [];
  readonly #all = new Set<H1Connection>();
  #sweep: Disposable | undefined;
  #isClosed = false;

  constructor(route: Route, limits: TransportLimits) {
    this.#route = route;
    this.#limits = limits;
    this.#home = {
      url: route.endpoint.url,
      isSecure: route.endpoint.isSecure,
      headBytes: limits.headBytes,
      now: route.clock.now,
      onFree: (connection) => this.#free(connection),
      onGone: (connection) => this.#gone(connection),
    };
  }

  /** A connection that nobody else uses. */
  async take(wanted: Wanted): Promise<H1Connection> {
    if (!wanted.isFresh) {
      const idle = await this.#takeIdle(wanted);
      if (idle !== undefined) return idle;
    }
    const socket = await dial(this.#route, {
      identity: wanted.identity,
      protocols: ['http/1.1'],
      connectMs: Math.min(wanted.connectMs, wanted.deadline.remainingMs),
      signal: wanted.deadline.signal,
    });
    return this.adopt(socket, wanted.identity);
  }

  /** An idle connection right now, where one was used so lately that it is surely open. */
  takeWarm(identity: Identity): H1Connection | undefined {
    const last = this.#idle.at(-1);
    if (last === undefined || last.identity !== identity || !last.isUsable) return undefined;
    if (this.#route.clock.now() - last.idleSince > SETTLED_MS) return undefined;
    this.#idle.pop();
    last.socket.ref();
    return last;
  }

  /** Makes a connection of a socket that agreed on HTTP/1.1. */
  adopt(socket: Socket, identity: Identity): H1Connection {
    const connection = new H1Connection(socket, identity, this.#home);
    this.#all.add(connection);
    if (this.#isClosed) connection.destroy();
    return connection;
  }

  /** Keeps a connection that was taken and not used; its server may close it before it is. */
  give(connection: H1Connection): void {
    connection.isReused = true;
    this.#free(connection);
  }

  /** Closes what was made as somebody else and is not in use. */
  keepOnly(identity: Identity): void {
    for (const connection of [...this.#idle]) {
      if (connection.identity !== identity) connection.destroy();
    }
  }

  /** Closes everything, also what is in use. */
  close(): Promise<void>[] {
    this.#isClosed = true;
    this.#sweep?.[Symbol.dispose]();
    this.#sweep = undefined;
    return [...this.#all].map(
      (connection) =>
        new Promise((resolve) => {
          connection.socket.once('close', resolve);
          connection.destroy();
        }),
    );
  }

  async #takeIdle({ identity, deadline, isDelicate }: Wanted): Promise<H1Connection | undefined> {
    for (;;) {
      const connection = this.#idle.pop();
      if (connection === undefined) return undefined;
      if (connection.identity !== identity || !connection.isUsable) {
        connection.destroy();
        continue;
      }
      connection.socket.ref();
      if (isDelicate || this.#route.clock.now() - connection.idleSince > SETTLED_MS) {
        // Two turns of the event loop: a close that has arrived is read in them, before we write into the void.
        await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
        if (deadline.ending !== undefined) {
          this.#free(connection);
          throw deadline.error(deadline.ending, true);
        }
        if (!connection.isUsable) continue;
      }
      return connection;
    }
  }

  #free(connection: H1Connection): void {
    if (this.#isClosed || !connection.isUsable || this.#idle.length >= this.#limits.requests) {
      connection.destroy();
      return;
    }
    connection.idleSince = this.#route.clock.now();
    // An idle connection keeps no process alive.
    connection.socket.unref();
    this.#idle.push(connection);
    this.#sweep ??= this.#route.clock.later(this.#limits.idleConnectionMs, this.#closeOld);
  }

  #gone(connection: H1Connection): void {
    this.#all.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
    if (this.#idle.length === 0) {
      this.#sweep?.[Symbol.dispose]();
      this.#sweep = undefined;
    }
  }

  readonly #closeOld = (): void => {
    this.#sweep = undefined;
    const now = this.#route.clock.now();
    const { idleConnectionMs } = this.#limits;
    const [...idle] = this.#idle;
    for (const connection of idle) {
      if (now - connection.idleSince >= idleConnectionMs) connection.destroy();
    }
    this.#idle = this.#idle.filter(({ isUsable }) => isUsable);
    const [oldest] = this.#idle;
    if (oldest !== undefined) {
      this.#sweep = this.#route.clock.later(
        Math.max(1, oldest.idleSince + idleConnectionMs - now),
        this.#closeOld,
      );
    }
  };
}
