import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { transportTo } from '../../transport/testing/transport-to.ts';
import type { Transport } from '../../transport.ts';

/** The other end of a WebSocket, spoken by an implementation that is not ours. */
export interface SocketServer extends AsyncDisposable {
  readonly transport: Transport;
  /** The next connection. */
  readonly accept: () => Promise<Peer>;
}

/** One accepted connection. */
export interface Peer {
  readonly socket: WebSocket;
  readonly path: string;
  /** Waits for the next message. */
  readonly next: () => Promise<Buffer>;
  /** Sends on a channel. */
  readonly send: (channel: number, data: string | Buffer) => void;
}

/** Listens on a port of its own; `choose` is the protocol it answers with. */
export async function startSocketServer(choose: string): Promise<SocketServer> {
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    perMessageDeflate: true,
    handleProtocols: (offered) => (offered.has(choose) ? choose : false),
  });
  await once(server, 'listening');
  const peers: Peer[] = [];
  const waiting: ((peer: Peer) => void)[] = [];
  server.on('connection', (socket, request) => {
    const peer = peerOf(socket, request.url ?? '');
    const first = waiting.shift();
    if (first === undefined) peers.push(peer);
    else first(peer);
  });
  const { port } = server.address() as AddressInfo;
  const transport = transportTo(`http://127.0.0.1:${port}`);
  return {
    transport,
    accept: async () => {
      const there = peers.shift();
      return there ?? new Promise((resolve) => waiting.push(resolve));
    },
    [Symbol.asyncDispose]: async () => {
      await transport[Symbol.asyncDispose]();
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function peerOf(socket: WebSocket, path: string): Peer {
  const messages: Buffer[] = [];
  const waiting: ((message: Buffer) => void)[] = [];
  socket.on('message', (message: Buffer) => {
    const first = waiting.shift();
    if (first === undefined) messages.push(message);
    else first(message);
  });
  return {
    socket,
    path,
    next: async () => {
      const there = messages.shift();
      return there ?? new Promise((resolve) => waiting.push(resolve));
    },
    send: (channel, data) => socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(data)])),
  };
}
