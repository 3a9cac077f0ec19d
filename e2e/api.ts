// Plain requests to either server, for judges that look at objects rather than at what a tool prints.
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type WireAnswer } from '../conformance/index.ts';
import type { Side } from './sides.ts';

/** Decoded JSON of which a judge looks at some fields. */
// biome-ignore lint/suspicious/noExplicitAny: judges read what two servers answer, whatever it is
export type Json = any;

/** An answer with its body decoded. */
export interface Answer {
  readonly code: number;
  readonly body: Json;
  readonly warning: string | undefined;
}

/** The verbs of a server, as its admin. */
export interface Api extends Disposable {
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, body: unknown) => Promise<Answer>;
  readonly put: (path: string, body: unknown) => Promise<Answer>;
  /** `type` is what stands before `-patch+json`. @default merge */
  readonly patch: (path: string, body: unknown, type?: string) => Promise<Answer>;
  readonly delete: (path: string, options?: unknown) => Promise<Answer>;
  /** Creates, and fails unless the server does. */
  readonly create: (path: string, body: unknown) => Promise<Json>;
  /** Asks again and again until `isThere`; fails with the last answer when the time is over. */
  readonly until: (
    path: string,
    isThere: (answer: Answer) => boolean,
    withinMs?: number,
  ) => Promise<Json>;
}

const POLL_MS = 200;
const PATIENCE_MS = 90_000;

/** Opens the way to a side. */
export function apiOf(side: Side): Api {
  const connection = connect(side);
  const ask = async (method: string, path: string, sent?: { body: unknown; type?: string }) => {
    const answer = await connection.send({
      method,
      path,
      token: side.token,
      headers: {
        accept: 'application/json',
        ...(sent === undefined ? {} : { 'content-type': sent.type ?? 'application/json' }),
      },
      bytes: sent === undefined ? undefined : Buffer.from(JSON.stringify(sent.body)),
    });
    const { warning } = answer.headers;
    return { code: answer.code, body: decode(answer), warning: warning?.toString() };
  };
  const get = (path: string) => ask('GET', path);
  return {
    get,
    post: (path, body) => ask('POST', path, { body }),
    put: (path, body) => ask('PUT', path, { body }),
    patch: (path, body, type = 'merge') =>
      ask('PATCH', path, { body, type: `application/${type}-patch+json` }),
    delete: (path, options) =>
      ask('DELETE', path, options === undefined ? undefined : { body: options }),
    create: async (path, body) => {
      const answer = await ask('POST', path, { body });
      if (answer.code === 201) return answer.body;
      throw new Error(`Cannot create in "${path}" on ${side.name}: ${tell(answer)}`);
    },
    until: async (path, isThere, withinMs = PATIENCE_MS) => {
      const deadline = performance.now() + withinMs;
      for (;;) {
        const answer = await get(path);
        if (isThere(answer)) return answer.body;
        if (performance.now() > deadline) {
          throw new Error(`Cannot go on with "${path}" on ${side.name}: still ${tell(answer)}`);
        }
        await pause(POLL_MS);
      }
    },
    [Symbol.dispose]: () => connection.close(),
  };
}

function decode({ bytes }: WireAnswer): Json {
  const text = bytes.toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function tell({ code, body }: Answer): string {
  return `${code} ${JSON.stringify(body).slice(0, 1_500)}`;
}
