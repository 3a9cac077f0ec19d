import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** Every connection that this process tries to make while it is watched. */
export interface Dials extends Disposable {
  /** `address:port` of each attempt. */
  readonly attempts: readonly string[];
}

const CHANNEL = 'net.client.socket';

/** Watches them at Node's own sockets, below everything of ours. */
export function watchDials(): Dials {
  const attempts: string[] = [];
  const note = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on('connectionAttempt', (address: string, port: number) => {
      attempts.push(`${address}:${port}`);
    });
  };
  subscribe(CHANNEL, note);
  return { attempts, [Symbol.dispose]: () => void unsubscribe(CHANNEL, note) };
}
