import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { callbackify } from 'node:util';

/** How node:http is told of a connection, or why there is none. */
type Done = (error: Error | null, socket: Socket) => void;

/** Bounds of the connections to one member. */
export interface AgentLimits {
  /** Connections at once. */
  readonly connections: number;
  /** Unused ones that are kept. */
  readonly idleConnections: number;
  /** How long they are kept: shorter than most servers and load balancers do. */
  readonly idleMs: number;
}

/** Keeps connections to one member with one credential, however they are made. */
export class MemberAgent extends Agent {
  readonly #connect: (signal: AbortSignal) => Promise<Socket>;
  readonly #dialling = new AbortController();

  constructor(connect: (signal: AbortSignal) => Promise<Socket>, limits: AgentLimits) {
    super({
      keepAlive: true,
      maxSockets: limits.connections,
      maxFreeSockets: limits.idleConnections,
      // Of a connection in use it does nothing.
      timeout: limits.idleMs,
    });
    this.#connect = connect;
  }

  /** Called by node:http for a request that finds no free connection. */
  override createConnection(_options: unknown, done?: Done): undefined {
    if (done !== undefined) callbackify(this.#connect)(this.#dialling.signal, done);
    return undefined;
  }

  /** Lets requests under way finish, and keeps nothing after them. */
  retire(): void {
    this.maxFreeSockets = 0;
    for (const sockets of Object.values(this.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }

  /** Ends everything at once. */
  close(): void {
    this.#dialling.abort(new Error('Cannot connect: the gateway has been closed'));
    this.retire();
    this.destroy();
  }
}
