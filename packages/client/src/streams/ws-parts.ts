import type { Duplex, Writable } from 'node:stream';
import * as ws from 'ws';

/** Reads WebSocket frames that are written to it; emits message, ping, pong, conclude and error. */
export type FrameReceiver = Writable;

/** Writes WebSocket frames to a socket. */
export interface FrameSender {
  readonly send: (
    data: Buffer,
    options: { binary: boolean; mask: boolean; fin: boolean; compress: boolean },
    done: (error?: Error) => void,
  ) => void;
  readonly ping: (data: Buffer, mask: boolean, done: () => void) => void;
  readonly pong: (data: Buffer, mask: boolean, done: () => void) => void;
  readonly close: (
    ...goodbye: [code: number, reason: string, mask: boolean, done: () => void]
  ) => void;
}

interface Parts {
  readonly Receiver: new (options: { isServer: boolean; maxPayload: number }) => FrameReceiver;
  readonly Sender: new (socket: Duplex) => FrameSender;
}

/**
 * The framing of `ws` without its connections: its client dials for itself, and the transport alone
 * knows proxies, credentials and certificates. The package exports these two; its types do not.
 */
export const { Receiver, Sender } = ws as unknown as Parts;
