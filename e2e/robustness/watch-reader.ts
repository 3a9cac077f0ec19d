import type { Readable } from 'node:stream';
import type { Client } from './client.ts';

/** One line of a watch. */
export interface WatchEvent {
  readonly type: string;
  readonly revision: number;
  /** `NAMESPACE/NAME`. */
  readonly key: string;
  /** The annotation by which writers mark each of their writes. */
  readonly seq: string | undefined;
}

/** Calls back for every whole line of a body; resolves when it ends, however it ends. */
export async function readLines(body: Readable, onLine: (line: string) => void): Promise<void> {
  let rest = '';
  try {
    for await (const chunk of body) {
      const lines = (rest + String(chunk)).split('\n');
      // A server that is killed may leave half a line behind.
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    }
  } catch {
    // The connection broke off; what came before counts.
  }
}

interface Line {
  readonly type: string;
  readonly object: {
    readonly message?: string;
    readonly metadata?: {
      readonly name?: string;
      readonly namespace?: string;
      readonly resourceVersion?: string;
      readonly annotations?: Readonly<Record<string, string>>;
    };
  };
}

/** A client that watches one collection over many connections, always going on from where it was. */
export class ResumingWatch {
  readonly path: string;
  readonly events: WatchEvent[] = [];
  /** From where it resumes. */
  revision = 0;
  readonly #protocol: Client;
  #waiting: { revision: number; resolve: () => void }[] = [];
  #running: Promise<void> = Promise.resolve();

  constructor(path: string, client: Client, from: number) {
    this.path = path;
    this.revision = from;
    this.#protocol = client;
  }

  /** Begins where the last connection broke off. */
  async attach(client: Client = this.#protocol): Promise<void> {
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${this.revision}`;
    const { status, body } = await client.open(
      `GET ${this.path}${this.path.includes('?') ? '&' : '?'}${query}`,
    );
    if (status !== 200) throw new Error(`Cannot resume "${this.path}": ${status}`);
    this.#running = readLines(body, (line) => this.#take(JSON.parse(line) as Line));
  }

  /** Resolves when the connection is over. */
  get ended(): Promise<void> {
    return this.#running;
  }

  /** Resolves when everything up to a revision that concerns this watch has arrived. */
  reached(revision: number): Promise<void> {
    if (this.revision >= revision) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ revision, resolve }));
  }

  #take({ type, object }: Line): void {
    const { metadata } = object;
    if (type === 'ERROR' || metadata === undefined) {
      throw new Error(`Cannot watch "${this.path}": ${object.message ?? ''}`);
    }
    const revision = Number(metadata.resourceVersion);
    if (type === 'BOOKMARK') {
      if (revision < this.revision) throw new Error(`A bookmark of "${this.path}" goes back`);
    } else {
      if (revision <= this.revision) {
        throw new Error(`"${this.path}" was told of ${revision} after ${this.revision}`);
      }
      const key = `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
      this.events.push({ type, revision, key, seq: metadata.annotations?.['seq'] });
    }
    this.revision = revision;
    for (const { resolve } of this.#waiting.filter((each) => each.revision <= revision)) resolve();
    this.#waiting = this.#waiting.filter((each) => each.revision > revision);
  }
}
