import { TransportError } from '@flotilla/client';
import {
  type Clock,
  isExpired,
  isGone,
  statusErrorOf,
  suggestedDelayMs,
} from '@flotilla/machinery';
import { type Backoff, createBackoff } from './backoff.ts';
import type { ChangeType, Item, Source } from './source.ts';

/** Something that happened. */
export interface Change<T> {
  readonly type: ChangeType;
  readonly value: T;
}

/** Who is told, and by which time. */
export interface FollowerDeps<T> {
  readonly clock: Clock;
  readonly random: () => number;
  /** Told of everything in its order; the next is not read before it is done. What it throws ends the following. */
  readonly emit: (changes: readonly Change<T>[]) => Promise<void> | void;
  /** Told once when nothing is heard any more; it is being tried again. */
  readonly onLost: (error: unknown) => void;
  /** Told once when something is heard again. */
  readonly onRegained?: (() => void) | undefined;
}

const PAGE_SIZE = 500;
/** A watch that ends sooner is a failure, whatever the server says. */
const VERY_SHORT_MS = 1_000;
/** A connection that broke sooner may never have been a watch: nothing tells when one begins. */
const SHORT_MS = 10_000;

/**
 * Follows one list: all there is first, then every change. A watch that breaks goes on where it was; when the server
 * no longer knows that place everything is listed again, and only what differs is told.
 */
export class Follower<T> {
  readonly #source: Source<T>;
  readonly #deps: FollowerDeps<T>;
  readonly #backoff: Backoff;
  #known = new Map<string, Item<T>>();
  /** Where the watch goes on; undefined when everything has to be listed. */
  #version: string | undefined;
  #isLost = false;
  /** The watch of this attempt; undefined before there is one. */
  #watching: { readonly since: number; hasHeard: boolean } | undefined;
  /** Of whoever is told: no fault of the cluster's. */
  #broken: { readonly error: unknown } | undefined;

  constructor(source: Source<T>, deps: FollowerDeps<T>) {
    this.#source = source;
    this.#deps = deps;
    this.#backoff = createBackoff(deps);
  }

  /** How many there are now. */
  get size(): number {
    return this.#known.size;
  }

  /** Lists everything and tells it as added. Throws what went wrong; may then be called again. */
  async begin(signal: AbortSignal): Promise<void> {
    await this.#list(signal);
  }

  /** Follows until the signal is aborted, and then resolves. Rejects only with what `emit` threw. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const hadPlace = this.#version !== undefined;
      this.#watching = undefined;
      let failure: unknown;
      try {
        if (this.#version === undefined) await this.#list(signal);
        await this.#watch(this.#version ?? '', signal);
      } catch (error) {
        failure = error;
      }
      if (this.#broken !== undefined) throw this.#broken.error;
      if (signal.aborted) return;
      const isStale = isTooOld(failure);
      if (isStale || isNonsense(failure)) this.#version = undefined;
      // Histories are forgotten; one that is forgotten again at once is no history.
      if (isStale && hadPlace) continue;
      if (this.#wasWatching(failure)) {
        this.#regain();
        continue;
      }
      this.#lose(failure);
      await this.#backoff.wait(signal, suggestedDelayMs(failure)).catch(() => {});
    }
  }

  /** Whether a watch worked for a while and then ended as watches do, so that it may go on at once. */
  #wasWatching(failure: unknown): boolean {
    if (this.#watching === undefined) return false;
    const { since, hasHeard } = this.#watching;
    const lastedMs = this.#deps.clock.elapsed() - since;
    if (failure === undefined) return lastedMs >= VERY_SHORT_MS;
    const isCut = failure instanceof TransportError && failure.fault === 'closed';
    return isCut && lastedMs >= (hasHeard ? VERY_SHORT_MS : SHORT_MS);
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { pageSize = PAGE_SIZE } = this.#source;
    let listed: Listed<T>;
    try {
      listed = await this.#readPages(pageSize, signal);
    } catch (error) {
      // A list that expires while it is read is asked for whole.
      if (!isExpired(error) || pageSize === 0) throw error;
      listed = await this.#readPages(0, signal);
    }
    const changes = differences(this.#known, listed.items);
    this.#known = listed.items;
    this.#version = listed.resourceVersion;
    await this.#emit(changes);
  }

  async #readPages(pageSize: number, signal: AbortSignal): Promise<Listed<T>> {
    const items = new Map<string, Item<T>>();
    let resourceVersion = '';
    for await (const page of this.#source.pages(pageSize, signal)) {
      for (const item of page.items) items.set(item.uid, item);
      ({ resourceVersion } = page);
    }
    return { items, resourceVersion };
  }

  async #watch(from: string, signal: AbortSignal): Promise<void> {
    const watching = { since: this.#deps.clock.elapsed(), hasHeard: false };
    this.#watching = watching;
    for await (const { resourceVersion, change } of this.#source.watch(from, signal)) {
      if (signal.aborted) return;
      if (resourceVersion !== '') this.#version = resourceVersion;
      watching.hasHeard = true;
      // A server that says one word and hangs up, again and again, is not back.
      if (this.#deps.clock.elapsed() - watching.since >= VERY_SHORT_MS) this.#regain();
      if (change === undefined) continue;
      const { type, item } = change;
      if (type === 'DELETED') this.#known.delete(item.uid);
      else this.#known.set(item.uid, item);
      await this.#emit([{ type, value: item.value }]);
    }
  }

  async #emit(changes: readonly Change<T>[]): Promise<void> {
    try {
      await this.#deps.emit(changes);
    } catch (error) {
      this.#broken = { error };
      throw error;
    }
  }

  #lose(error: unknown): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#deps.onLost(error);
  }

  #regain(): void {
    this.#backoff.reset();
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#deps.onRegained?.();
  }
}

interface Listed<T> {
  readonly items: Map<string, Item<T>>;
  readonly resourceVersion: string;
}

/** What happened between two lists, as far as it can be told: what is gone first, as its name may be taken again. */
function differences<T>(
  before: ReadonlyMap<string, Item<T>>,
  after: ReadonlyMap<string, Item<T>>,
): Change<T>[] {
  const changes: Change<T>[] = [];
  for (const [uid, { value }] of before) {
    if (!after.has(uid)) changes.push({ type: 'DELETED', value });
  }
  for (const [uid, { value, resourceVersion }] of after) {
    const known = before.get(uid);
    if (known === undefined) changes.push({ type: 'ADDED', value });
    else if (known.resourceVersion !== resourceVersion) changes.push({ type: 'MODIFIED', value });
  }
  return changes;
}

/** The server knows nothing of the place we had: it has forgotten it, or was restored to before it. */
function isTooOld(error: unknown): boolean {
  if (isExpired(error) || isGone(error)) return true;
  const causes = statusErrorOf(error)?.details?.causes ?? [];
  return causes.some(({ reason }) => reason === 'ResourceVersionTooLarge');
}

/** A stream that makes no sense may have told other nonsense before. */
function isNonsense(error: unknown): boolean {
  // Values of other types than they should be are read as if they were right.
  if (error instanceof TypeError) return true;
  return error instanceof TransportError && error.fault === 'malformed';
}
