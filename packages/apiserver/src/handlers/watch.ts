import {
  encodeJson,
  expired,
  internalError,
  type KubeObject,
  StatusError,
} from '@flotilla/machinery';
import type { Clock } from '../clock.ts';
import type { ApiResponse, Sink } from '../http/exchange.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { decodeAll, decodeStored, isServable, parseResourceVersion } from '../objects/stored.ts';
import { keyOf, rangePrefix } from '../resources/resource.ts';
import { type Change, Compacted, type Entry, type Subscription } from '../storage/store.ts';
import { type ChangeView, type EventType, frame, transition } from './change-view.ts';
import { ConversionQueue } from './conversion-queue.ts';
import type { FanOut, Flushable } from './fan-out.ts';
import { tooLargeRevision } from './list-snapshot.ts';
import { type Accepted, negotiate } from './negotiate.ts';
import { type ListOptions, listOptions } from './options.ts';
import { partialMetadata } from './partial-metadata.ts';
import { namespaceToRead, type Selection, selection } from './selection.ts';
import { type IncludeObject, includeObject, table } from './table.ts';

/** What a watch needs beyond the engine. */
export interface WatchDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly view: (def: Scope['def'], change: Change) => ChangeView;
  readonly fanOut: FanOut;
  /** A number between 0 and 1: spreads the ends of watches that began together. */
  readonly random: () => number;
  /** Registers a watch to be ended when the server stops; the returned function forgets it. */
  readonly onShutdown: (end: () => void) => () => void;
  readonly reached: (tenant: string, revision: number, withinMs: number) => Promise<boolean>;
  /** Hears what broke a watch off. */
  readonly report: (error: unknown) => void;
}

const BOOKMARK_MS = 60_000;
/** Upstream's --min-request-timeout: watches without a timeout of their own last 30 to 60 minutes. */
const MIN_WATCH_MS = 1_800_000;
/** A client this far behind is cut off: it must list again rather than hold our memory. */
const MAX_BUFFERED = 16 * 1024 * 1024;
/** A client that takes nothing of the initial objects for so long is cut off: they are held in a snapshot meanwhile. */
const STALLED_MS = 60_000;
const SLICE = 250;
const FUTURE_WAIT_MS = 3_000;

/** GET with `watch=true`. */
export async function watch(deps: WatchDeps, scope: Scope): Promise<ApiResponse> {
  const { request, def, info, tenant } = scope;
  const options = listOptions(request.query, true);
  const accepted = negotiate(request.headers['accept'], 'watch');
  const wanted = selection(def, options, info.name);
  const revision = parseResourceVersion(options.resourceVersion, 'parameter');
  if (
    options.sendInitialEvents === true &&
    revision > deps.engine.store.revision(tenant) &&
    !(await deps.reached(tenant, revision, FUTURE_WAIT_MS))
  ) {
    throw tooLargeRevision(revision, deps.engine.store.revision(tenant));
  }
  const stream = new WatchStream(deps, scope, {
    options,
    accepted,
    wanted,
    revision,
    includeObject: accepted.view === 'Table' ? includeObject(request.query) : 'Metadata',
  });
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: { start: (sink) => stream.start(sink) },
  };
}

interface WatchRequest {
  readonly options: ListOptions;
  readonly accepted: Accepted;
  readonly wanted: Selection;
  readonly revision: number;
  readonly includeObject: IncludeObject;
}

/** One client's watch from its first byte to its last. */
class WatchStream implements Flushable {
  readonly #deps: WatchDeps;
  readonly #scope: Scope;
  readonly #request: WatchRequest;
  readonly #cleanups: (() => void)[] = [];
  readonly #prefix: string;
  #sink: Sink | undefined;
  #subscription: Subscription | undefined;
  /** Changes that arrive while the initial objects are still being written. */
  #waiting: Change[] | undefined;
  #waitingBytes = 0;
  /** Changes that wait for this watch's turn. */
  readonly #pending: Change[] = [];
  /** Newest revision the client has seen or need not see. */
  #revision = 0;
  #columnsSent = false;
  readonly #conversions = new ConversionQueue({
    isOpen: () => this.#sink !== undefined,
    // What cannot be converted ends the watch.
    failed: (error) => {
      const message = error instanceof Error ? error.message : String(error);
      this.#fail(error instanceof StatusError ? error : internalError(message));
    },
    overrun: () => this.#sink?.destroy(),
  });
  #stopStallTimer = (): void => {};

  constructor(deps: WatchDeps, scope: Scope, request: WatchRequest) {
    this.#deps = deps;
    this.#scope = scope;
    this.#request = request;
    const namespace = namespaceToRead(scope.info.namespace, request.wanted);
    const { name } = request.wanted;
    // Of a watch for one object only that object's changes are any of its business.
    const isOne = name !== undefined && (namespace !== '' || !scope.def.namespaced);
    this.#prefix = isOne ? keyOf(scope.def, namespace, name) : rangePrefix(scope.def, namespace);
  }

  start(sink: Sink): void {
    this.#sink = sink;
    sink.onClose(() => this.#close());
    this.#cleanups.push(this.#deps.onShutdown(() => this.#end()));
    const forget = this.#scope.def.onReplaced?.(() => this.#end());
    if (forget !== undefined) this.#cleanups.push(forget);
    this.#armTimeout();
    const { options, revision } = this.#request;
    const { engine } = this.#deps;
    const { tenant } = this.#scope;
    // Without a revision, or with "0", a watch begins with the objects that exist.
    const initial =
      options.sendInitialEvents ??
      (options.resourceVersion === '' || options.resourceVersion === '0');
    if (initial) {
      this.#startWithObjects();
      return;
    }
    this.#revision = revision;
    // A revision we have not reached yet: start here, and let through only what comes after it.
    const after =
      revision === 0
        ? engine.store.revision(tenant)
        : Math.min(revision, engine.store.revision(tenant));
    if (!this.#subscribe(after)) return;
    this.#armBookmarks();
  }

  #subscribe(after: number): boolean {
    try {
      this.#subscription = this.#deps.engine.store.watch(
        this.#scope.tenant,
        // History turned out damaged: the client must list again rather than miss something.
        { prefix: this.#prefix, after, ended: () => this.#sink?.destroy() },
        (changes) => this.#receive(changes),
      );
      return true;
    } catch (error) {
      if (!(error instanceof Compacted)) throw error;
      this.#fail(expired(`too old resource version: ${after} (${error.oldest})`));
      return false;
    }
  }

  /** Writes every present object as ADDED, in slices, then what changed meanwhile. */
  #startWithObjects(): void {
    const { engine } = this.#deps;
    const { tenant, def } = this.#scope;
    const { wanted, options } = this.#request;
    const snapshot = engine.store.snapshot(tenant);
    this.#cleanups.push(() => snapshot[Symbol.dispose]());
    this.#revision = snapshot.revision;
    this.#waiting = [];
    if (!this.#subscribe(snapshot.revision)) return;
    let after: string | undefined;
    const isRemote = def.conversion?.remote !== undefined;
    const nextEntries = (): Entry[] =>
      snapshot.range(this.#prefix, { ...(after === undefined ? {} : { after }), limit: SLICE });
    const writeSlice = (sink: Sink, entries: Entry[], converted?: KubeObject[]): void => {
      let room = true;
      for (const entry of entries) {
        after = entry.key;
        if (wanted.everything && this.#plain && isServable(def, entry)) {
          room = sink.write(frame('ADDED', entry.value));
          continue;
        }
        const object = converted?.shift() ?? decodeStored(def, entry.value);
        if (wanted.matches(object)) room = this.#write('ADDED', object);
      }
      if (entries.length === SLICE) {
        if (room) setImmediate(next);
        else this.#onDrain(sink, next);
        return;
      }
      snapshot[Symbol.dispose]();
      if (options.sendInitialEvents === true && options.allowWatchBookmarks) {
        this.#bookmark({ 'k8s.io/initial-events-end': 'true' });
      }
      const waiting = this.#waiting ?? [];
      this.#waiting = undefined;
      this.#receive(waiting);
      this.#armBookmarks();
    };
    const next = (): void => {
      if (!isRemote) {
        this.#guarded((sink) => writeSlice(sink, nextEntries()));
        return;
      }
      this.#conversions.add(async () => {
        const entries = nextEntries();
        const converted = await decodeAll(
          def,
          entries.map(({ value }) => value),
        );
        this.#guarded((sink) => writeSlice(sink, entries, converted));
      });
    };
    next();
  }

  /** Runs a turn of writing. A damaged record breaks the watch off; the client must not miss what could not be read. */
  #guarded(turn: (sink: Sink) => void): void {
    const sink = this.#sink;
    if (sink === undefined) return;
    try {
      turn(sink);
    } catch (error) {
      this.#deps.report(error);
      sink.destroy();
    }
  }

  #onDrain(sink: Sink, next: () => void): void {
    const cancel = this.#deps.clock.after(STALLED_MS, () => sink.destroy());
    this.#stopStallTimer = cancel;
    sink.onDrain(() => {
      cancel();
      next();
    });
  }

  /** True when the client wants the stored bytes as they are. */
  get #plain(): boolean {
    return this.#request.accepted.view === 'object';
  }

  #receive(changes: readonly Change[]): void {
    if (this.#waiting !== undefined) {
      for (const change of changes) {
        this.#waiting.push(change);
        this.#waitingBytes += (change.value ?? change.previous)?.length ?? 0;
      }
      if (this.#waitingBytes > MAX_BUFFERED) this.#sink?.destroy();
      return;
    }
    if (this.#scope.def.conversion?.remote === undefined) {
      this.#pending.push(...changes);
      this.#deps.fanOut.enqueue(this);
      return;
    }
    this.#conversions.add(async () => {
      for (const change of changes) {
        // The same view for every watch, so each change is converted once.
        await this.#deps.view(this.#scope.def, change).load();
      }
      this.#pending.push(...changes);
      this.#deps.fanOut.enqueue(this);
    });
  }

  /** Writes the changes that have come since the last time. */
  flush(): void {
    this.#guarded((sink) => this.#writePending(sink));
  }

  #writePending(sink: Sink): void {
    const { wanted, accepted } = this.#request;
    const frames: Buffer[] = [];
    for (const change of this.#pending.splice(0)) {
      if (change.revision <= this.#revision) continue;
      this.#revision = change.revision;
      const view = this.#deps.view(this.#scope.def, change);
      const type = wanted.everything ? view.type : transition(view, wanted);
      if (type === undefined) continue;
      if (accepted.view === 'object') frames.push(view.frame(type));
      else {
        const object = type === 'DELETED' ? view.previous() : view.current();
        if (object !== undefined) this.#write(type, object);
      }
    }
    if (frames.length > 0) sink.write(this.#deps.fanOut.join(frames));
    if (sink.buffered > MAX_BUFFERED) sink.destroy();
  }

  #write(type: EventType, object: KubeObject): boolean {
    const { accepted } = this.#request;
    let shown: unknown = object;
    if (accepted.view === 'Table') shown = this.#tableOf(object);
    else if (accepted.view === 'PartialObjectMetadata') {
      shown = partialMetadata(this.#scope.def, object, accepted.viewVersion);
    }
    return this.#sink?.write(frame(type, Buffer.from(encodeJson(shown)))) ?? false;
  }

  /** A one-row table per event; only the first carries the column definitions. */
  #tableOf(object: KubeObject): unknown {
    const { accepted } = this.#request;
    const withColumns = !this.#columnsSent;
    this.#columnsSent = true;
    return table(this.#scope.def, [object], {
      version: accepted.viewVersion,
      includeObject: this.#request.includeObject,
      now: this.#deps.engine.now(),
      metadata: { resourceVersion: object.metadata.resourceVersion ?? '' },
      withColumns,
    });
  }

  /** Everything up to the tenant's present revision has been written or does not concern this watch, unless it lags. */
  #catchUp(): void {
    this.flush();
    if (this.#subscription?.isBehind === true || this.#conversions.isBusy) return;
    const { engine } = this.#deps;
    this.#revision = Math.max(this.#revision, engine.store.revision(this.#scope.tenant));
  }

  /** Tells the client how far it has come, so that a resumed watch need not start further back. */
  #bookmark(annotations?: Record<string, string>): void {
    const { def } = this.#scope;
    const { accepted } = this.#request;
    const metadata = {
      resourceVersion: String(this.#revision),
      ...(annotations === undefined ? {} : { annotations }),
    };
    const empty: KubeObject = { kind: def.kind, apiVersion: def.apiVersion, metadata };
    // As Go has it: what a kind always has is there, so that its printer finds it.
    const shown = accepted.view === 'PartialObjectMetadata' ? empty : def.canonicalize(empty);
    if (accepted.view === 'object') this.#sink?.write(frame('BOOKMARK', def.encode(shown)));
    else this.#write('BOOKMARK', shown);
  }

  #armBookmarks(): void {
    if (!this.#request.options.allowWatchBookmarks || this.#sink === undefined) return;
    const { clock } = this.#deps;
    let cancel = (): void => {};
    const arm = (): void => {
      cancel = clock.after(BOOKMARK_MS, () => {
        this.#catchUp();
        // Writing may have shown the client to be gone.
        if (this.#sink === undefined) return;
        this.#bookmark();
        arm();
      });
    };
    arm();
    this.#cleanups.push(() => cancel());
  }

  #armTimeout(): void {
    const { timeoutSeconds } = this.#request.options;
    const ms =
      timeoutSeconds === undefined || timeoutSeconds <= 0
        ? // Whole seconds: Node keeps a list for every duration, long after its timers are gone.
          MIN_WATCH_MS + 1_000 * Math.floor((this.#deps.random() * MIN_WATCH_MS) / 1_000)
        : timeoutSeconds * 1_000;
    this.#cleanups.push(this.#deps.clock.after(ms, () => this.#end()));
  }

  /** Ends the watch in good order: with a bookmark where the client asked for them. */
  #end(): void {
    if (this.#sink === undefined) return;
    if (this.#request.options.allowWatchBookmarks && this.#waiting === undefined) {
      this.#catchUp();
      this.#bookmark();
    }
    this.#sink?.end();
    this.#close();
  }

  #fail(error: StatusError): void {
    this.#sink?.write(frame('ERROR', Buffer.from(encodeJson(error.toStatus()))));
    this.#sink?.end();
    this.#close();
  }

  #close(): void {
    this.#sink = undefined;
    this.#waiting = undefined;
    this.#stopStallTimer();
    this.#subscription?.[Symbol.dispose]();
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
  }
}
