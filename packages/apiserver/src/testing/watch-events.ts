import assert from 'node:assert/strict';
import type { InjectedStream } from '../http/inject.ts';
import type { Sent, TestServer } from './start-in-memory.ts';

/** One line of a watch; objects have any shape. */
export interface WatchEvent {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into objects of every kind
  readonly object: any;
}

/** A watch under way. */
export interface OpenWatch {
  readonly stream: InjectedStream;
  /** The next events; fewer when the watch ends before. */
  readonly take: (count: number) => Promise<WatchEvent[]>;
}

/** Begins a watch; `target` is path and query. */
export async function openWatch(
  server: TestServer,
  target: string,
  sent: Sent = {},
): Promise<OpenWatch> {
  const answer = await server.send(`GET ${target}`, sent);
  assert.equal(answer.status, 200, answer.text());
  const stream = answer.stream as InjectedStream;
  const waiting: WatchEvent[] = [];
  return {
    stream,
    take: async (count) => {
      while (waiting.length < count) {
        const chunk = await stream.next();
        if (chunk === undefined) break;
        for (const line of chunk.toString().split('\n')) {
          if (line !== '') waiting.push(JSON.parse(line) as WatchEvent);
        }
      }
      return waiting.splice(0, count);
    },
  };
}
