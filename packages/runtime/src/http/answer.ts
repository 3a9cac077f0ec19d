/** A request for something to read, such as a probe or a scrape. */
export interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  /** Aborted when the caller goes away or the server stops. */
  readonly signal: AbortSignal;
}

/** A whole answer in text. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Answers what is its own, and undefined otherwise. */
export type Route = (asked: Asked) => Answer | undefined | Promise<Answer | undefined>;

/** An answer for people and probes. */
export function plain(status: number, body: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body };
}
