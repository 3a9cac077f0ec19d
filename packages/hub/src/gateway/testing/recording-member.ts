import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ensureServingPair, systemClock } from '@flotilla/apiserver';
import type { MemberAccess } from '../../cluster-secret/member-access.ts';
import { tokenAccess } from './gateway-hub.ts';

/** A request as it came over the wire. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
}

/** A server that remembers what it was asked. */
export interface RecordingMember extends AsyncDisposable {
  readonly url: string;
  readonly access: (token?: string) => MemberAccess;
  readonly ca: string;
  readonly seen: readonly Seen[];
  /** Connections that were ever made. */
  readonly dialled: () => number;
  /** Connections that are open now. */
  readonly open: () => number;
  readonly stop: () => Promise<void>;
}

/** How it answers. */
export interface Answering {
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => void;
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Whether it wants to see certificates of clients; any will do. @default false */
  readonly asksForCertificates?: boolean;
}

/** Starts one on a loopback port of its own. */
export async function recordingMember(answering: Answering = {}): Promise<RecordingMember> {
  const pair = ensureServingPair({ folder: undefined, hosts: [], now: systemClock.now() });
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  let dialled = 0;
  const note = ({ method = '', url = '', headers, rawHeaders }: IncomingMessage): void => {
    seen.push({ method, url, headers, rawHeaders });
  };
  const server = createServer(
    {
      cert: pair.certificate,
      key: pair.key,
      requestCert: answering.asksForCertificates ?? false,
      rejectUnauthorized: false,
    },
    (request, response) => {
      note(request);
      (answering.answer ?? ((_request, to) => to.end('ok')))(request, response);
    },
  );
  // It is the gateway's idle time that is looked at.
  server.keepAliveTimeout = 60_000;
  server.on('upgrade', (request, socket, head) => {
    note(request);
    if (answering.upgrade === undefined) socket.destroy();
    else answering.upgrade(request, socket, head);
  });
  server.on('secureConnection', (socket) => {
    dialled += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  return {
    url,
    ca: pair.certificate,
    access: (token = 'the-clusters-own') => tokenAccess(url, pair.certificate, token),
    seen,
    dialled: () => dialled,
    open: () => sockets.size,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
