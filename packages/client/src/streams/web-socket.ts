import { createHash, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Clock } from '@flotilla/machinery';
import type { CallOptions } from '../client.ts';
import type { Transport } from '../transport.ts';
import { TransportError } from '../transport-error.ts';
import { refusalOf, type Subject } from '../verbs/refusal.ts';
import { type FrameReceiver, Receiver, Sender } from './ws-parts.ts';

/** A WebSocket that stands. */
export interface WebSocketLink {
  /** The one of the offered protocols that the server chose. */
  readonly protocol: string;
  /** Ends when the socket took the message: who waits for it never fills the memory. */
  readonly send: (message: Buffer) => Promise<void>;
  /** Stops reading; a few messages that have arrived may still come. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Says goodbye and hangs up. */
  readonly close: () => void;
  /** How it ended: undefined when either side said goodbye. */
  readonly ended: Promise<Error | undefined>;
}

/** What to connect to, and who is told what arrives. */
export interface WebSocketRequest extends CallOptions {
  readonly path: string;
  /** Best first. */
  readonly protocols: readonly string[];
  /** What the words of a refusal are about. */
  readonly subject: Subject;
  readonly clock: Clock;
  readonly onMessage: (message: Buffer) => void;
}

/** As RFC 6455 has it. */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const MAX_MESSAGE_BYTES = 32 << 20;
const NORMAL = 1_000;
/** As kubectl has them: proxies on the way forget connections that are silent. */
const PING_MS = 5_000;
const SILENCE_MS = 61_000;
/** How long the other side may take to hang up after a goodbye. */
const GOODBYE_MS = 2_000;

/** Opens a WebSocket over a transport; a server that refuses is a StatusError. */
export async function openWebSocket(
  transport: Transport,
  request: WebSocketRequest,
): Promise<WebSocketLink> {
  const { path, protocols, signal, timeoutMs } = request;
  const key = randomBytes(16).toString('base64');
  const answer = await transport.upgrade({
    method: 'GET',
    path,
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
      'sec-websocket-protocol': protocols.join(', '),
    },
    signal,
    ...(timeoutMs === undefined ? {} : { timeouts: { totalMs: timeoutMs } }),
  });
  const { status, headers, warnings, socket, head } = answer;
  const accept = createHash('sha1').update(`${key}${ACCEPT_SUFFIX}`).digest('base64');
  const protocol = headers['sec-websocket-protocol'] ?? '';
  if (
    status === 101 &&
    headers['sec-websocket-accept'] === accept &&
    protocols.includes(protocol)
  ) {
    if (head.length > 0) socket.unshift(head);
    return linkOver(socket, protocol, request);
  }
  socket.destroy();
  if (status !== 101) throw refusalOf({ status, headers, warnings, body: head }, request.subject);
  throw new TransportError(
    'malformed',
    `Cannot open a WebSocket: the server chose protocol "${protocol}" of "${protocols.join(', ')}"`,
  );
}

function linkOver(
  socket: Duplex,
  protocol: string,
  { clock, signal, onMessage }: WebSocketRequest,
): WebSocketLink {
  const receiver = new Receiver({ isServer: false, maxPayload: MAX_MESSAGE_BYTES });
  const sender = new Sender(socket);
  let heardAt = clock.elapsed();
  let timer: Disposable | undefined;
  let isOver = false;
  let settle: (error: Error | undefined) => void = () => {};
  const ended = new Promise<Error | undefined>((resolve) => {
    settle = resolve;
  });

  const finish = (error?: Error) => {
    if (isOver) return false;
    isOver = true;
    timer?.[Symbol.dispose]();
    signal?.removeEventListener('abort', abort);
    settle(error);
    return true;
  };
  const fail = (error: Error) => {
    if (finish(error)) socket.destroy();
  };
  const close = () => {
    if (!finish()) return;
    timer = clock.later(GOODBYE_MS, () => socket.destroy());
    sender.close(NORMAL, '', true, () => socket.end());
    // Whoever still sends must not keep us from seeing the end.
    socket.resume();
  };
  const abort = () => {
    fail(new TransportError('aborted', 'The stream was given up', { cause: signal?.reason }));
  };
  const beat = () => {
    timer = clock.later(PING_MS, () => {
      // Reading may be paused by a slow reader; then silence says nothing.
      if (!socket.isPaused() && clock.elapsed() - heardAt > SILENCE_MS) {
        fail(new TransportError('timeout', `The stream was silent for ${SILENCE_MS} ms`));
        return;
      }
      if (socket.isPaused()) heardAt = clock.elapsed();
      sender.ping(Buffer.alloc(0), true, () => {});
      beat();
    });
  };

  listen(receiver, {
    message: (data) => {
      if (!isOver) onMessage(data);
    },
    ping: (data) => {
      if (!isOver) sender.pong(data, true, () => {});
    },
    conclude: close,
    error: (error) => fail(new TransportError('malformed', error.message, { cause: error })),
  });
  socket.on('data', (chunk: Buffer) => {
    heardAt = clock.elapsed();
    if (!isOver) receiver.write(chunk);
  });
  socket.on('error', (error) => fail(closed(error)));
  socket.on('end', () => fail(closed()));
  socket.on('close', () => {
    fail(closed());
    timer?.[Symbol.dispose]();
    receiver.destroy();
  });
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  else beat();
  // It may have been handed over paused, and listening alone does not end that.
  socket.resume();

  return {
    protocol,
    ended,
    close,
    pause: () => {
      if (!isOver) socket.pause();
    },
    resume: () => {
      if (!isOver) socket.resume();
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        if (isOver) {
          reject(closed());
          return;
        }
        const options = { binary: true, mask: true, fin: true, compress: false };
        sender.send(message, options, (error) => {
          if (error === undefined || error === null) resolve();
          else reject(closed(error));
        });
      }),
  };
}

function listen(
  receiver: FrameReceiver,
  on: {
    readonly message: (data: Buffer) => void;
    readonly ping: (data: Buffer) => void;
    readonly conclude: () => void;
    readonly error: (error: Error) => void;
  },
): void {
  receiver.on('message', on.message);
  receiver.on('ping', on.ping);
  receiver.on('conclude', on.conclude);
  receiver.on('error', on.error);
}

function closed(cause?: unknown): TransportError {
  return new TransportError('closed', 'The stream was cut off', { cause });
}
