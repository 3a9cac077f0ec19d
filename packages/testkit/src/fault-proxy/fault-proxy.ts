import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { ensureServingPair } from '@flotilla/apiserver';
import type { Access } from '@flotilla/client';
import { type Clock, systemClock } from '@flotilla/machinery';
import { seeded } from '@flotilla/machinery/testing';
import { Link, type LinkFault } from './link.ts';

/** What can go wrong: with a connection, or with the attempt to make one. */
export type Fault = LinkFault | 'refuse';

/** All of them. */
export const FAULTS: readonly Fault[] = [
  'drop',
  'end',
  'truncate',
  'delay',
  'duplicate',
  'half-open',
  'refuse',
];

/** A network between a client and a server that does what it is told, which is nothing good. */
export interface FaultProxy extends AsyncDisposable {
  /** The target as it is reached through the proxy. */
  readonly access: Access;
  /**
   * Makes something go wrong with one of the open connections, or with the next one; by chance unless told.
   * Some faults happen only when there are bytes to do them to.
   */
  readonly strike: (fault?: Fault) => Fault;
  /** How often each has happened so far. */
  readonly struck: Readonly<Record<Fault, number>>;
  /** Connections of clients that are open, those that lead nowhere included. */
  readonly connections: () => number;
}

/** What chance depends on. */
export interface FaultProxyOptions {
  readonly seed: number;
  /** What may be chosen. @default all */
  readonly faults?: readonly Fault[];
  readonly clock?: Clock;
}

/**
 * Puts a proxy in front of an HTTPS server. It ends TLS on both sides, so that what it repeats or cuts are bytes of HTTP:
 * repeated bytes of TLS are refused by TLS itself, and prove nothing.
 */
export async function faultProxy(target: Access, options: FaultProxyOptions): Promise<FaultProxy> {
  const { clock = systemClock, faults = FAULTS } = options;
  const random = seeded(options.seed);
  const { hostname, port } = new URL(target.server);
  const serving = ensureServingPair({
    folder: undefined,
    hosts: [],
    now: new Date(clock.now()),
  });
  const struck: Record<Fault, number> = {
    drop: 0,
    end: 0,
    truncate: 0,
    delay: 0,
    duplicate: 0,
    'half-open': 0,
    refuse: 0,
  };
  const links = new Set<Link>();
  const sockets = new Set<TLSSocket>();
  let refusals = 0;

  const dial = (protocol: string): TLSSocket => {
    const socket = connect({
      host: hostname,
      port: Number(port),
      ca: target.tls.ca,
      ALPNProtocols: [protocol],
    });
    sockets.add(socket);
    // Whoever has the socket looks at its end; this only keeps a failure from ending the process.
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer({
    cert: serving.certificate,
    key: serving.key,
    ALPNProtocols: ['h2', 'http/1.1'],
  });
  server.on('connection', (raw) => {
    if (refusals === 0) return;
    refusals -= 1;
    struck.refuse += 1;
    raw.resetAndDestroy();
  });
  server.on('secureConnection', (client) => {
    const protocol = client.alpnProtocol || 'http/1.1';
    const link: Link = new Link({
      client,
      server: dial(protocol),
      dial: () => dial(protocol),
      random,
      clock,
      onStruck: (fault) => {
        struck[fault] += 1;
      },
      onClose: () => links.delete(link),
    });
    links.add(link);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: ownPort } = server.address() as AddressInfo;

  return {
    access: {
      ...target,
      server: `https://127.0.0.1:${ownPort}`,
      tls: { ca: serving.certificate },
    },
    strike: (asked) => {
      const alive = [...links].filter(({ isAlive }) => isAlive);
      const fault = asked ?? random.pick(faults);
      const link = alive.length === 0 ? undefined : random.pick(alive);
      if (fault === 'refuse' || link === undefined) {
        refusals += 1;
        return 'refuse';
      }
      link.strike(fault);
      return fault;
    },
    struck,
    connections: () => links.size,
    [Symbol.asyncDispose]: async () => {
      for (const link of [...links]) link.close();
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
