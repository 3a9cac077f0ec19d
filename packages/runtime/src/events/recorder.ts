import { type Client, Events } from '@flotilla/client';
import {
  byteLength,
  type Clock,
  isAlreadyExists,
  isDNS1123Subdomain,
  isNotFound,
  type KubeObject,
  rfc3339Micro,
  statusErrorOf,
} from '@flotilla/machinery';
import type { Logger } from '../observer.ts';
import { TokenBucket } from '../queue/rate-limits.ts';
import { SERIES_END_MS, SERIES_REFRESH_MS, type SentEvent, type Series } from './event-series.ts';

/** What an event says. */
export interface EventNote {
  /** @default 'Normal' */
  readonly type?: 'Normal' | 'Warning';
  /** Why, in PascalCase. */
  readonly reason: string;
  /** What was done or tried, in PascalCase. */
  readonly action: string;
  /** A sentence for people. */
  readonly note: string;
}

/** Tells users what happened to an object, without ever holding up or failing whoever tells. */
export interface EventRecorder extends AsyncDisposable {
  readonly record: (regarding: KubeObject, note: EventNote, dropped?: () => void) => void;
  /** Resolves when all that was recorded has been sent or given up. */
  readonly flushed: () => Promise<void>;
}

/** What a recorder is made of. */
export interface RecorderOptions {
  readonly client: Pick<Client, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** The program: `flotilla.dev/hub`. */
  readonly controller: string;
  /** The process, such as the name of its pod. */
  readonly instance: string;
}

// As client-go has them: its queue, its spam filter and its patience.
const LONGEST_QUEUE = 1000;
const BURST_PER_OBJECT = 25;
const REFILL_PER_SECOND = 1 / 300;
const MOST_REMEMBERED = 4096;
const MOST_TRIES = 12;
const RETRY_MS = 10_000;
// What the server accepts.
const LONGEST_NOTE = 1024;
const LONGEST_NAME = 128;

/**
 * Makes a recorder of events.k8s.io/v1 events. The second of several alike turns the event into a series; the following
 * are counted here, and the server hears of them now and then and when the series is over.
 */
export function createRecorder(options: RecorderOptions): EventRecorder {
  const { client, clock, random, logger } = options;
  const series = new Map<string, Series>();
  const buckets = new Map<string, TokenBucket>();
  const queue: (() => Promise<void>)[] = [];
  const ending = new AbortController();
  let sending: Promise<void> | undefined;
  let upkeep: Disposable | undefined;
  let made = 0;

  function record(regarding: KubeObject, note: EventNote, dropped?: () => void): void {
    const event = eventOf(regarding, note);
    const like = alike(event);
    const known = series.get(like);
    const now = clock.elapsed();
    if (known !== undefined) {
      const count = (known.event.series?.count ?? 1) + 1;
      known.event.series = { count, lastObservedTime: microTime() };
      known.lastAt = now;
      // From the third on, counting costs nobody anything.
      if (count > 2) return;
    }
    if (ending.signal.aborted || queue.length >= LONGEST_QUEUE || !mayTell(regarding)) {
      dropped?.();
      return;
    }
    if (known !== undefined) enqueue(() => tell(known));
    else {
      remember(series, like, { event, lastAt: now, sentCount: 1, sentAt: now });
      enqueue(() => create(event));
    }
    keepUp();
  }

  /** One source may tell of one object so much and no more, or a flapping object would drown the rest. */
  function mayTell({ kind, metadata }: KubeObject): boolean {
    const id = [kind, metadata.namespace, metadata.name, metadata.uid].join('/');
    let bucket = buckets.get(id);
    if (bucket === undefined) {
      bucket = new TokenBucket(clock, { perSecond: REFILL_PER_SECOND, burst: BURST_PER_OBJECT });
    } else buckets.delete(id);
    remember(buckets, id, bucket);
    return bucket.tryTake();
  }

  function eventOf(regarding: KubeObject, note: EventNote): SentEvent {
    const { name = '', namespace, uid, resourceVersion } = regarding.metadata;
    return {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: eventName(name), namespace: namespace ?? 'default' },
      eventTime: microTime(),
      reportingController: options.controller,
      reportingInstance: options.instance.slice(0, LONGEST_NAME),
      action: note.action.slice(0, LONGEST_NAME),
      reason: note.reason.slice(0, LONGEST_NAME),
      regarding: {
        apiVersion: regarding.apiVersion,
        kind: regarding.kind,
        name,
        ...(namespace === undefined ? {} : { namespace }),
        ...(uid === undefined ? {} : { uid }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      },
      note: cut(note.note),
      type: note.type ?? 'Normal',
    };
  }

  /** The object's name and the time in nanoseconds, as kubectl users know it; the count keeps two of one moment apart. */
  function eventName(name: string): string {
    const nanos = BigInt(Math.floor(clock.now())) * 1_000_000n + BigInt(made++ % 1_000_000);
    const full = `${name}.${nanos.toString(16)}`;
    if (isDNS1123Subdomain(full).length === 0) return full;
    return `event-${nanos.toString(16)}-${Math.floor(random() * 2 ** 32).toString(16)}`;
  }

  const microTime = () => rfc3339Micro(new Date(clock.now()));

  function enqueue(send: () => Promise<void>): void {
    queue.push(send);
    sending ??= sendAll();
  }

  async function sendAll(): Promise<void> {
    // Not in the call that recorded: that one is in the middle of a pass.
    await Promise.resolve();
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next();
    sending = undefined;
  }

  const create = (event: SentEvent) =>
    trying(event, async () => void (await client.create(Events, unsent(event), call)));

  /** Tells the server how often it happened; an event it has forgotten is made again. */
  async function tell(known: Series): Promise<void> {
    const { event } = known;
    const { name = '', namespace } = event.metadata;
    known.sentCount = event.series?.count ?? 1;
    known.sentAt = clock.elapsed();
    const body = { series: event.series };
    await trying(event, async () => {
      try {
        await client.patch(Events, { name, namespace }, { type: 'merge', body, ...call });
      } catch (error) {
        if (!isNotFound(error)) throw error;
        await client.create(Events, unsent(event), call);
      }
    });
  }

  const call = { signal: ending.signal, timeoutMs: RETRY_MS };

  async function trying(event: SentEvent, send: () => Promise<void>): Promise<void> {
    for (let tries = 1; !ending.signal.aborted; tries++) {
      try {
        return await send();
      } catch (error) {
        if (ending.signal.aborted || isAlreadyExists(error)) return;
        // What the server refused it will refuse again; anything else may pass.
        if (statusErrorOf(error) !== undefined || tries >= MOST_TRIES) {
          const { reason, regarding } = event;
          logger.warn('Cannot record an event', { err: error, reason, regarding, tries });
          return;
        }
        const pauseMs = RETRY_MS * (1 + random() * 0.25);
        await clock.wait(pauseMs, ending.signal).catch(() => {});
      }
    }
  }

  /** Ends series and refreshes those that go on, for as long as there are any. */
  function keepUp(): void {
    if (upkeep !== undefined || series.size === 0 || ending.signal.aborted) return;
    upkeep = clock.later(SERIES_END_MS, () => {
      upkeep = undefined;
      const now = clock.elapsed();
      for (const [like, known] of series) {
        const isOver = now - known.lastAt >= SERIES_END_MS;
        const count = known.event.series?.count ?? 1;
        const isStale = count > 1 && now - known.sentAt >= SERIES_REFRESH_MS;
        if ((isOver && count > known.sentCount) || (!isOver && isStale)) enqueue(() => tell(known));
        if (isOver) series.delete(like);
      }
      keepUp();
    });
  }

  return {
    record,
    flushed: async () => {
      while (sending !== undefined) await sending;
    },
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      upkeep?.[Symbol.dispose]();
      queue.length = 0;
      await sending;
    },
  };
}

/** What is the same of two events that are one series: everything but when and in which words. */
function alike({ type, action, reason, regarding }: SentEvent): string {
  // The version of the object is left out: a status that is written makes another one each time.
  const { resourceVersion: _, ...object } = regarding ?? {};
  return JSON.stringify([type, action, reason, object]);
}

/** Keeps the newest entries of a map. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  if (map.size <= MOST_REMEMBERED) return;
  const oldest = map.keys().next().value;
  if (oldest !== undefined) map.delete(oldest);
}

/** The client may keep what it is given until it is sent, while we go on counting. */
function unsent(event: SentEvent): SentEvent {
  return event.series === undefined ? { ...event } : { ...event, series: { ...event.series } };
}

/** The server counts bytes. */
function cut(note: string): string {
  if (byteLength(note) <= LONGEST_NOTE) return note;
  const head = Buffer.from(note).subarray(0, LONGEST_NOTE - byteLength('…'));
  return `${head.toString().replace(/\uFFFD$/, '')}…`;
}
