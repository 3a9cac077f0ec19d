import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { callbackify } from 'node:util';
import { type Clock, type ObjectKey, systemClock } from '@flotilla/machinery';
import type { CallOptions, Client } from '../client.ts';
import { Pods } from '../kinds.ts';
import { objectPath, withQuery } from '../verbs/paths.ts';
import { openWebSocket, type WebSocketLink } from './web-socket.ts';

/** How to reach a port of a pod. */
export interface PortOptions extends CallOptions {
  readonly port: number;
  /** @default the machine's */
  readonly clock?: Clock;
}

/** How to offer a port of a pod on this machine. */
export interface ForwardOptions extends Omit<PortOptions, 'timeoutMs'> {
  /** 0 takes a free one. @default 0 */
  readonly localPort?: number;
  /** @default '127.0.0.1' */
  readonly localHost?: string;
  /** Told why a connection broke; the others go on. */
  readonly onError?: (error: Error) => void;
}

/** A port of this machine that leads into a pod. */
export interface PortForward extends AsyncDisposable {
  readonly port: number;
  readonly host: string;
  /** Connections that are open now. */
  readonly connections: () => number;
}

/** Pods are reached in the form that kubelets speak themselves; servers hand it through. */
const PROTOCOL = 'v4.channel.k8s.io';
const DATA = 0;
const ERROR = 1;
const MAX_SEND_BYTES = 32 << 10;

/**
 * The protocol cannot say that one side has sent everything. After our end the other side may
 * still answer; when it has been silent for this long, it is taken to have nothing more to say.
 */
const LINGER_MS = 5_000;

/** One connection to a port of a pod. It ends as a whole: there is no half-closing. */
export async function connectToPod(
  { transport }: Pick<Client, 'transport'>,
  key: ObjectKey,
  { port, clock = systemClock, signal, timeoutMs }: PortOptions,
): Promise<Duplex> {
  let receive = (_message: Buffer): void => {};
  const early: Buffer[] = [];
  receive = (message) => {
    early.push(message);
  };
  const link = await openWebSocket(transport, {
    path: withQuery(objectPath(Pods, { ...key, subresource: 'portforward' }), { ports: port }),
    protocols: [PROTOCOL],
    subject: { method: 'GET', group: '', resource: 'pods', name: key.name },
    clock,
    signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    onMessage: (message) => receive(message),
  });
  const { stream, take } = streamOver(link, { port, clock });
  receive = take;
  early.forEach(take);
  return stream;
}

/** Listens on this machine; every connection gets one of its own into the pod. */
export async function forwardPort(
  client: Pick<Client, 'transport'>,
  key: ObjectKey,
  options: ForwardOptions,
): Promise<PortForward> {
  const { port, clock, signal, localPort = 0, localHost = '127.0.0.1', onError } = options;
  const sockets = new Set<Socket>();
  const serve = async (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    const remote = await connectToPod(client, key, {
      port,
      signal,
      ...(clock === undefined ? {} : { clock }),
    });
    remote.on('error', (error) => {
      onError?.(error);
      socket.destroy();
    });
    // Whoever connected may have left meanwhile.
    if (socket.destroyed) remote.destroy();
    socket.once('close', () => remote.destroy());
    remote.once('close', () => socket.destroySoon());
    socket.pipe(remote).pipe(socket);
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    serve(socket).catch((error: unknown) => {
      socket.destroy();
      onError?.(error instanceof Error ? error : new Error(String(error)));
    });
  });
  await listen(server, { port: localPort, host: localHost });
  const stop = async () => {
    signal?.removeEventListener('abort', abort);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  const abort = () => {
    stop().catch(() => {});
  };
  signal?.addEventListener('abort', abort, { once: true });
  const { address, port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    host: address,
    connections: () => sockets.size,
    [Symbol.asyncDispose]: stop,
  };
}

function streamOver(
  link: WebSocketLink,
  { port, clock }: { readonly port: number; readonly clock: Clock },
): { readonly stream: Duplex; readonly take: (message: Buffer) => void } {
  /** Each channel begins with the port it is for. */
  const awaited = new Set([DATA, ERROR]);
  let problem = '';
  let linger: Disposable | undefined;
  const lingerOn = () => {
    linger?.[Symbol.dispose]();
    linger = clock.later(LINGER_MS, () => link.close());
  };
  const sendAll = async (chunk: Buffer) => {
    for (let start = 0; start < chunk.length; start += MAX_SEND_BYTES) {
      const piece = chunk.subarray(start, start + MAX_SEND_BYTES);
      await link.send(Buffer.concat([Buffer.of(DATA), piece]));
    }
  };
  const stream = new Duplex({
    read: () => link.resume(),
    write: (chunk: Buffer, _encoding, done) => callbackify(sendAll)(chunk, done),
    final: (done) => {
      lingerOn();
      done();
    },
    destroy: (error, done) => {
      linger?.[Symbol.dispose]();
      link.close();
      done(error);
    },
  });
  const take = (message: Buffer) => {
    const channel = message[0] ?? -1;
    let data = message.subarray(1);
    if (awaited.delete(channel)) {
      if (data.length < 2 || data.readUInt16LE(0) !== port) {
        stream.destroy(new Error(`Cannot use port ${port}: the server opened another`));
        return;
      }
      data = data.subarray(2);
    }
    if (channel === ERROR) problem += data.toString();
    if (channel !== DATA || data.length === 0 || stream.destroyed) return;
    if (linger !== undefined) lingerOn();
    if (!stream.push(data)) link.pause();
  };
  link.ended
    .then((error) => {
      linger?.[Symbol.dispose]();
      if (problem !== '') stream.destroy(new Error(problem));
      else if (error !== undefined) stream.destroy(error);
      else if (!stream.destroyed) stream.push(null);
    })
    .catch(() => {});
  return { stream, take };
}

async function listen(server: Server, where: { port: number; host: string }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
