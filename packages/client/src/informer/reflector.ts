import {
  type Clock,
  isExpired,
  isGone,
  type Kind,
  type KubeObject,
  type StatusError,
  statusErrorOf,
  suggestedDelayMs,
} from '@flotilla/machinery';
import type { Client, ListOptions, Selection, WatchOptions } from '../client.ts';
import { TransportError } from '../transport-error.ts';
import { type Backoff, createBackoff } from './backoff.ts';
import { type Mirror, stage } from './mirror.ts';
import { ObjectStore } from './object-store.ts';

/** What a reflector needs of a client. */
export type ReflectedClient = Pick<Client, 'pages' | 'watch'>;

/** What is reflected, into what, and how. */
export interface ReflectorOptions<T extends KubeObject> {
  readonly client: ReflectedClient;
  readonly kind: Kind<T>;
  readonly selection: Selection;
  readonly metadataOnly: boolean;
  /** Longest silence of a watch. */
  readonly idleMs: number;
  /** What is kept of an object. */
  readonly transform: (object: T) => T;
  readonly mirror: Mirror<T>;
  /** Called after every list. */
  readonly onComplete: () => void;
  readonly clock: Clock;
  readonly random: () => number;
  /** Hears what went wrong before it is tried again. */
  readonly report: (error: unknown) => void;
}

const PAGE_SIZE = 500;
/** Servers end watches after 5 to 10 minutes, as client-go asks them to, so that they spread over servers again. */
const SHORTEST_WATCH_SECONDS = 300;
/** A watch that ends sooner and tells nothing is a failure, whatever the server says. */
const VERY_SHORT_MS = 1_000;
/** How often objects may fail to stream before they are listed in pages, of which each is soon over. */
const STREAM_ATTEMPTS = 2;
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/**
 * Keeps a mirror equal to what a server has: all objects first, then every change, for ever.
 *
 * A watch that breaks goes on where it was; only when the server no longer knows that place, or says something that
 * makes no sense, are all objects fetched again. Resolves when the signal is aborted, and never rejects.
 */
export async function reflect<T extends KubeObject>(
  options: ReflectorOptions<T>,
  signal: AbortSignal,
): Promise<void> {
  await new Reflector(options).run(signal);
}

class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #backoff: Backoff;
  /** Whether the mirror was complete at its resource version, so that a watch can go on from there. */
  #canResume = false;
  /** Whether the server knows nothing of the mirror's resource version, so that asking for it again is of no use. */
  #isVersionLost = false;
  /** Whether the server can send all objects as the beginning of a watch. */
  #canStream = true;
  #failedStreams = 0;
  #pageSize = PAGE_SIZE;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#backoff = createBackoff(options.clock, options.random);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, mirror } = this.#options;
    while (!signal.aborted) {
      const begun = clock.elapsed();
      const reached = mirror.resourceVersion;
      let failure: unknown;
      try {
        if (this.#canResume) await this.#resume(signal);
        else if (this.#canStream && this.#failedStreams < STREAM_ATTEMPTS)
          await this.#stream(signal);
        else await this.#list(signal);
      } catch (error) {
        failure = error;
      }
      if (signal.aborted) return;
      const wasUseful =
        mirror.resourceVersion !== reached || clock.elapsed() - begun >= VERY_SHORT_MS;
      if (this.#isHarmless(failure, wasUseful)) continue;
      if (failure !== undefined) this.#options.report(failure);
      await this.#backoff.wait(signal, suggestedDelayMs(failure)).catch(() => {});
    }
  }

  /** Decides how to go on; true when that can be at once. */
  #isHarmless(failure: unknown, wasUseful: boolean): boolean {
    if (failure === undefined) return wasUseful;
    const refusal = statusErrorOf(failure);
    if (refusal !== undefined) return this.#settleRefusal(refusal);
    // A stream that makes no sense may have told other nonsense before.
    if (failure instanceof TransportError && failure.fault === 'malformed') this.#canResume = false;
    // Connections break; whoever had one that worked gets another without waiting.
    return failure instanceof TransportError && this.#canResume && wasUseful;
  }

  #settleRefusal(refusal: StatusError): boolean {
    const isFirst = !this.#canResume;
    if (isExpired(refusal) || isGone(refusal) || isTooLargeVersion(refusal)) {
      // A list at least as new as what we have is wanted first; what is newest, when that cannot be had either.
      if (isFirst || isTooLargeVersion(refusal)) this.#isVersionLost = true;
      this.#canResume = false;
      return false;
    }
    if (isFirst && isRefusedOption(refusal) && this.#canStream) {
      this.#canStream = false;
      return true;
    }
    if (!isPassing(refusal)) this.#canResume = false;
    return false;
  }

  async #resume(signal: AbortSignal): Promise<void> {
    const { mirror, transform } = this.#options;
    for await (const event of this.#watch(signal, {
      resourceVersion: mirror.resourceVersion ?? '',
    })) {
      mirror.apply(
        event.type === 'BOOKMARK' ? event : { type: event.type, object: transform(event.object) },
      );
    }
  }

  /** All objects, and then what happens to them, in one watch. */
  async #stream(signal: AbortSignal): Promise<void> {
    const { mirror, transform } = this.#options;
    let staging: ObjectStore<T> | undefined = new ObjectStore<T>();
    // Counted before it succeeds, because it may end in many ways.
    this.#failedStreams += 1;
    for await (const event of this.#watch(signal, {
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      resourceVersion: this.#isVersionLost ? '' : (mirror.resourceVersion ?? ''),
    })) {
      const { type, object } = event;
      if (type !== 'BOOKMARK') {
        const change = { type, object: transform(object) };
        if (staging === undefined) mirror.apply(change);
        else stage(staging, change);
      } else if (staging === undefined) mirror.apply(event);
      else if (object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true') {
        this.#complete(staging, object.metadata.resourceVersion);
        staging = undefined;
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { client, kind, selection, metadataOnly, transform } = this.#options;
    const options: ListOptions = { ...selection, metadataOnly, pageSize: this.#pageSize, signal };
    const staging = new ObjectStore<T>();
    let version: string | undefined;
    try {
      for await (const { metadata, items } of client.pages(kind, options)) {
        version = metadata.resourceVersion;
        for (const object of items) stage(staging, { type: 'ADDED', object: transform(object) });
      }
    } catch (error) {
      // Read too slowly to be had one after the other, they are asked for all at once.
      if (isExpired(error)) this.#pageSize = 0;
      throw error;
    }
    this.#complete(staging, version);
  }

  #complete(listed: ObjectStore<T>, version: string | undefined): void {
    const { mirror, onComplete } = this.#options;
    mirror.replace(listed, version ?? '');
    this.#canResume = true;
    this.#isVersionLost = false;
    this.#failedStreams = 0;
    onComplete();
  }

  #watch(signal: AbortSignal, from: WatchOptions) {
    const { client, kind, selection, metadataOnly, idleMs, random } = this.#options;
    return client.watch(kind, {
      ...selection,
      ...from,
      allowWatchBookmarks: true,
      timeoutSeconds: Math.floor(SHORTEST_WATCH_SECONDS * (1 + random())),
      idleMs,
      metadataOnly,
      signal,
    });
  }
}

/** The server is behind: it was restored, or another one of several answers. */
function isTooLargeVersion({ details }: StatusError): boolean {
  return details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') ?? false;
}

/** Tokens are renewed, rights are given back, servers recover: none of it makes the place we had a wrong one. */
function isPassing({ code }: StatusError): boolean {
  return code === 401 || code === 403 || code === 429 || code >= 500;
}

/** How servers that do not know `sendInitialEvents`, or have it turned off, refuse it. */
function isRefusedOption({ code }: StatusError): boolean {
  return code === 400 || code === 405 || code === 422;
}
