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

/** Calls back for every whole line of a body; resolves when it is over, however it ends. */
export function readLines(body: Readable, onLine: (line: string) => void): Promise<void> {
  let rest = '';
  body.setEncoding('utf8');
  body.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    // A server that is killed may leave half a line behind.
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  // The connection broke off; what came before counts.
  body.on('error', () => {});
  return new Promise((resolve) => body.once('close', resolve));
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
  revision: number;
  /** The first thing that no watch may be told. */
  problem: Error | undefined;
  #waiting: { revision: number; settle: () => void }[] = [];
  #running: Promise<void> = Promise.resolve();

  constructor(path: string, from: number) {
    this.path = path;
    this.revision = from;
  }

  /** Begins where the last connection broke off. */
  async attach(client: Client): Promise<void> {
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${this.revision}`;
    const mark = this.path.includes('?') ? '&' : '?';
    const { status, body } = await client.open(`GET ${this.path}${mark}${query}`);
    if (status !== 200) throw new Error(`Cannot resume "${this.path}": ${status}`);
    this.#running = readLines(body, (line) => this.#take(JSON.parse(line) as Line));
  }

  /** Resolves when the connection is over. */
  get ended(): Promise<void> {
    return this.#running;
  }

  /** Resolves when everything up to a revision that concerns this watch has arrived. */
  async reached(revision: number): Promise<void> {
    if (this.revision < revision && this.problem === undefined) {
      await new Promise<void>((settle) => this.#waiting.push({ revision, settle }));
    }
    if (this.problem !== undefined) throw this.problem;
  }

  #take({ type, object }: Line): void {
    const { metadata } = object;
    const revision = Number(metadata?.resourceVersion);
    const isBookmark = type === 'BOOKMARK';
    if (type === 'ERROR' || metadata === undefined) {
      this.problem ??= new Error(`"${this.path}" ended: ${object.message ?? ''}`);
    } else if (isBookmark ? revision < this.revision : revision <= this.revision) {
      this.problem ??= new Error(
        `"${this.path}" was told of ${type} ${revision} after ${this.revision}`,
      );
    } else {
      const key = `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
      const seq = metadata.annotations?.['seq'];
      if (!isBookmark) this.events.push({ type, revision, key, seq });
      this.revision = revision;
    }
    const isDue = (each: { revision: number }): boolean =>
      this.problem !== undefined || each.revision <= this.revision;
    for (const { settle } of this.#waiting.filter(isDue)) settle();
    this.#waiting = this.#waiting.filter((each) => !isDue(each));
  }
}
