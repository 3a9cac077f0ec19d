import type { ServerHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../clock.ts';
import type { Peer } from './exchange.ts';
import type { Limits } from './limits.ts';

/** How often idle connections are looked for, as a part of the time they may be idle. */
const SWEEPS_PER_TIMEOUT = 6;
/** With one ping each sweep, a peer that is gone is noticed within about a minute. */
const UNANSWERED_PINGS = 4;

/** One TLS connection, of either protocol. */
export class Connection {
  readonly socket: TLSSocket;
  /** Set on HTTP/2 connections. */
  session: ServerHttp2Session | undefined;
  /** Requests under way. */
  open = 0;
  /** Sweeps since the last request began or ended. */
  quiet = 0;
  /** Pings without an answer. */
  unanswered = 0;
  #peer: Peer | undefined;

  constructor(socket: TLSSocket) {
    this.socket = socket;
  }

  /** Read once: it costs more than a small answer, and a connection has one peer. */
  get peer(): Peer {
    this.#peer ??= readPeer(this.socket);
    return this.#peer;
  }

  enter(): void {
    this.open += 1;
    this.quiet = 0;
  }

  leave(): void {
    this.open -= 1;
    this.quiet = 0;
  }

  /**
   * Finds out whether an HTTP/2 peer with open streams is still there. A watch may be silent for hours,
   * and Node 20 says nothing when nghttp2 has given up on a connection (after a flood of resets).
   */
  probe(): void {
    if (this.session === undefined) return;
    this.unanswered += 1;
    if (this.unanswered > UNANSWERED_PINGS || this.session.destroyed) this.socket.destroy();
    else
      this.session.ping(() => {
        this.unanswered = 0;
      });
  }

  /** Asks the client to go elsewhere; requests under way may finish. */
  retire(): void {
    if (this.session !== undefined) this.session.close();
    else if (this.open === 0) this.socket.destroySoon();
  }
}

function readPeer(socket: TLSSocket): Peer {
  const address = socket.remoteAddress ?? '';
  const leaf = socket.getPeerX509Certificate();
  if (leaf === undefined) return { address };
  const certificateChain: Buffer[] = [];
  for (let next = leaf.issuerCertificate; next !== undefined; next = next.issuerCertificate) {
    certificateChain.push(next.raw);
  }
  return { address, certificate: leaf.raw, certificateChain };
}

/** What the set of connections needs. */
export interface ConnectionsOptions {
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'idleTimeoutMs' | 'connections'>;
}

/** All open connections: closes the idle ones, and makes room when there are too many. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #all = new Set<Connection>();
  #cancelSweep: (() => void) | undefined;
  #onEmpty: (() => void) | undefined;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Takes a connection in; undefined (and the socket closed) when there is no room to be made. */
  admit(socket: TLSSocket): Connection | undefined {
    if (this.#all.size >= this.#options.limits.connections && !this.#makeRoom()) {
      socket.destroy();
      return undefined;
    }
    const connection = new Connection(socket);
    this.#all.add(connection);
    socket.once('close', () => {
      this.#all.delete(connection);
      if (this.#all.size === 0) this.#onEmpty?.();
    });
    if (this.#cancelSweep === undefined) this.#armSweep();
    return connection;
  }

  /** Calls back when the last connection is gone. */
  onEmpty(listener: () => void): void {
    if (this.#all.size === 0) listener();
    else this.#onEmpty = listener;
  }

  /** Asks every client to leave. */
  retireAll(): void {
    for (const connection of this.#all) connection.retire();
  }

  /** Ends every connection now, whatever it was doing. */
  destroyAll(): void {
    for (const connection of this.#all) connection.socket.destroy();
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
  }

  #makeRoom(): boolean {
    let longest: Connection | undefined;
    for (const connection of this.#all) {
      if (connection.open > 0) continue;
      if (longest === undefined || connection.quiet > longest.quiet) longest = connection;
    }
    if (longest === undefined) return false;
    this.#all.delete(longest);
    longest.socket.destroy();
    return true;
  }

  #armSweep(): void {
    this.#cancelSweep = this.#options.clock.after(
      Math.ceil(this.#options.limits.idleTimeoutMs / SWEEPS_PER_TIMEOUT),
      () => {
        this.#cancelSweep = undefined;
        this.#sweep();
        if (this.#all.size > 0) this.#armSweep();
      },
    );
  }

  /** Idle connections are asked to leave; those still there at the next sweep are cut. */
  #sweep(): void {
    for (const connection of this.#all) {
      if (connection.open > 0) {
        connection.probe();
        continue;
      }
      connection.quiet += 1;
      if (connection.quiet > SWEEPS_PER_TIMEOUT + 1) connection.socket.destroy();
      else if (connection.quiet > SWEEPS_PER_TIMEOUT) connection.retire();
    }
  }
}
