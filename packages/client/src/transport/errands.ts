import { setMaxListeners } from 'node:events';
import { type Clock, Roster } from '@flotilla/machinery';
import type { WireRequest } from '../transport.ts';
import { TransportError } from '../transport-error.ts';
import { AbortListeners } from './abort-listeners.ts';
import type { Errand } from './attempt.ts';
import { Deadline } from './deadline.ts';

/** What the requests of one transport have in common. */
export interface ErrandsOptions {
  readonly clock: Clock;
  /** Until the whole answer is there, where the request does not say. */
  readonly totalMs: number;
  /** Of the server, for texts; empty where there is none. */
  readonly url: string;
}

/** The requests of one transport that are under way; they end with it. */
export class Errands {
  readonly #options: ErrandsOptions;
  readonly #listeners = new AbortListeners();
  readonly #deadlines = new Roster<Deadline>();
  /** Made for those who listen, who are few: one for each of many transports costs more than their requests. */
  #closes: AbortController | undefined;
  #death: TransportError | undefined;

  constructor(options: ErrandsOptions) {
    this.#options = options;
  }

  /** Throws once the transport is closed. */
  begin(request: WireRequest): Errand {
    const { clock, totalMs, url } = this.#options;
    const what = describeRequest(request, url);
    if (this.#death !== undefined) {
      throw new TransportError('closed', `Cannot ${what}: the transport was closed`, {
        wasNotSent: true,
      });
    }
    const deadline = new Deadline({
      clock,
      what,
      totalMs: request.timeouts?.totalMs ?? totalMs,
      signal: request.signal,
      listeners: this.#listeners,
    });
    this.#deadlines.add(deadline);
    return { request, what, deadline };
  }

  /** Nothing more is waited for. */
  end({ deadline }: Errand): void {
    deadline.leave();
    deadline[Symbol.dispose]();
    this.#deadlines.delete(deadline);
  }

  /** Aborted at the transport's end. */
  closing(): AbortSignal {
    if (this.#closes === undefined) {
      this.#closes = new AbortController();
      // As many may listen as there are requests waiting for a credential.
      setMaxListeners(0, this.#closes.signal);
      if (this.#death !== undefined) this.#closes.abort(this.#death);
    }
    return this.#closes.signal;
  }

  /** Ends all there are; the error is for what outlives them. */
  close(): TransportError {
    for (const deadline of this.#deadlines.list()) {
      deadline.end({ fault: 'closed', text: 'the transport was closed' });
    }
    this.#death ??= new TransportError('closed', 'The transport was closed');
    this.#closes?.abort(this.#death);
    return this.#death;
  }
}

const LONGEST_NAMED_PATH = 300;

/** `GET "https://…/api"`: what is being done, for texts; queries may hold secrets and stay out. */
export function describeRequest({ method, path }: WireRequest, url: string): string {
  const query = path.indexOf('?');
  const end = Math.min(query < 0 ? path.length : query, LONGEST_NAMED_PATH);
  return `${method} "${url}${path.slice(0, end)}"`;
}
