import type { Io } from '../io.ts';
import { UsageError } from '../usage-error.ts';
import { PartialAnswer } from './answer-errors.ts';
import { type Classified, classify, notStarted, ofEnding } from './classify.ts';
import { FailedFast, TimeLimit } from './endings.ts';
import type { FanOutOptions, Fleet } from './fleet.ts';
import { isFailure } from './is-failure.ts';
import type { Member } from './member.ts';
import { type MemberDeps, openMember } from './open-member.ts';
import type { Outcome } from './outcome.ts';
import { createPlaces, inTurn, type Place } from './places.ts';
import { type Limits, limitsOf } from './time-limits.ts';

/** What a run needs of the world. */
export interface RunDeps extends MemberDeps {
  readonly io: MemberDeps['io'] & Pick<Io, 'signal'>;
}

/**
 * How many connections are made for clusters whose turn has not come. A turn is then one round trip instead of three,
 * and ports that swallow attempts hold none of the few turns; open files are bounded all the same.
 */
const AHEAD = 22;

/**
 * How many connections are begun before sockets have their turn. Begun all at once, the first request would leave when
 * the last handshake is under way, and all answers would come together, with nothing to do before.
 */
const BEGUN_PER_TURN = 4;

/** One fan-out, from the first cluster to the last. */
export class FanOutRun<T> {
  readonly #deps: RunDeps;
  readonly #ask: (member: Member) => Promise<T>;
  readonly #options: FanOutOptions<T>;
  #limits: Limits = { concurrency: 1, clusterMs: 0, runMs: 0 };
  #outcomes: (Outcome<T> | undefined)[] = [];
  /** Those whose turn has not come; the next one is the last. */
  #queue: Place[] = [];
  /** Connected, and waiting for their turn. */
  readonly #ready: Place[] = [];
  /** Those whose time runs. */
  readonly #working = new Set<Place>();
  #asking = 0;
  #connecting = 0;
  #mayBegin = BEGUN_PER_TURN;
  #left = 0;
  /** Why nothing is started any more. */
  #ending: unknown;
  /** What is nobody's outcome, and thrown once everything has ended. */
  #error: { readonly thrown: unknown } | undefined;
  readonly #closing: PromiseLike<void>[] = [];
  #finish: () => void = () => {};

  constructor(deps: RunDeps, ask: (member: Member) => Promise<T>, options: FanOutOptions<T>) {
    this.#deps = deps;
    this.#ask = ask;
    this.#options = options;
  }

  /** Asks them all; the outcomes are in their order. */
  async over(fleet: Fleet): Promise<Outcome<T>[]> {
    const { io, settings } = this.#deps;
    const { signal, clock } = io;
    const { unhealthy } = settings.execution;
    const { places, outcomes } = createPlaces<T>(fleet, unhealthy);
    const known = outcomes.filter((outcome) => outcome !== undefined);
    this.#outcomes = outcomes;
    this.#left = outcomes.length;
    this.#limits = limitsOf(settings.execution, this.#options, places.length);
    this.#queue = inTurn(places, unhealthy);

    const done = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    const interrupt = () => this.#end(signal.reason);
    const { runMs } = this.#limits;
    const timer =
      runMs > 0 ? clock.later(runMs, () => this.#end(new TimeLimit('run', runMs))) : undefined;
    signal.addEventListener('abort', interrupt, { once: true });
    if (signal.aborted) interrupt();
    for (const outcome of known) this.#tell(outcome);
    this.#pump();
    if (this.#left > 0) await done;
    signal.removeEventListener('abort', interrupt);
    timer?.[Symbol.dispose]();
    // Sockets that are destroyed are closed within a turn or two, and nothing is left open for whoever comes next.
    await Promise.allSettled(this.#closing);
    if (this.#error !== undefined) throw this.#error.thrown as Error;
    return this.#outcomes.flatMap((outcome) => (outcome === undefined ? [] : [outcome]));
  }

  /** A few of those that are being asked, for progress. */
  waiting(): string[] {
    return [...this.#working].slice(0, 3).map(({ cluster }) => cluster.name);
  }

  /** Gives out what is free: turns first, to those that are connected before others. */
  #pump(): void {
    while (this.#ending === undefined && this.#asking < this.#limits.concurrency) {
      const place = this.#ready.shift() ?? this.#next();
      if (place === undefined) break;
      this.#asking += 1;
      place.stage = 'asking';
      void this.#take(place);
    }
    // A cluster that is connected to has been started, which `--fail-fast` wants of as few as possible.
    const most = this.#deps.settings.execution.failFast ? 0 : AHEAD;
    while (this.#ending === undefined && this.#connecting + this.#ready.length < most) {
      const place = this.#next();
      if (place === undefined) break;
      this.#connecting += 1;
      place.stage = 'connecting';
      void this.#connect(place);
    }
  }

  /** The next cluster to connect to, unless sockets come first. */
  #next(): Place | undefined {
    if (this.#mayBegin === 0) return undefined;
    const place = this.#queue.pop();
    if (place === undefined) return undefined;
    if (this.#mayBegin === BEGUN_PER_TURN) {
      setImmediate(() => {
        this.#mayBegin = BEGUN_PER_TURN;
        this.#pump();
      });
    }
    this.#mayBegin -= 1;
    return place;
  }

  /** Makes the connection of a cluster before its turn. */
  async #connect(place: Place): Promise<void> {
    const signal = this.#start(place);
    try {
      const { transport } = await this.#open(place, signal);
      await transport.prepare?.({ signal });
      if (place.stage !== 'connecting') return;
      this.#stop(place);
      this.#connecting -= 1;
      place.stage = 'ready';
      this.#ready.push(place);
      this.#pump();
    } catch (error) {
      this.#fail(place, error);
    }
  }

  /** It is a cluster's turn. */
  async #take(place: Place): Promise<void> {
    const signal = this.#start(place);
    try {
      const member = await this.#open(place, signal);
      if (place.stage === 'over') return;
      const value = await this.#ask(member);
      // Who hands in something when told to end has not been asked to the end.
      if (signal.aborted) throw new PartialAnswer(value, signal.reason);
      const status = this.#options.isEmpty?.(value) === true ? 'empty' : 'ok';
      this.#settle(place, { status, value });
    } catch (error) {
      if (error instanceof UsageError) this.#crash(error);
      this.#fail(place, error);
    }
  }

  /** Lets the cluster's time run, as much of it as is left. */
  #start(place: Place): AbortSignal {
    const { clock } = this.#deps.io;
    const { clusterMs } = this.#limits;
    place.controller ??= new AbortController();
    place.since = clock.elapsed();
    this.#working.add(place);
    if (clusterMs > 0) {
      place.timer = clock.later(Math.max(0, clusterMs - place.usedMs), () =>
        this.#abort(place, new TimeLimit('cluster', clusterMs)),
      );
    }
    return place.controller.signal;
  }

  #stop(place: Place): void {
    if (!this.#working.delete(place)) return;
    place.usedMs += this.#deps.io.clock.elapsed() - place.since;
    place.timer?.[Symbol.dispose]();
    place.timer = undefined;
  }

  async #open(place: Place, signal: AbortSignal): Promise<Member> {
    if (place.member !== undefined) return place.member;
    const { cluster, route } = place;
    let member: Member;
    try {
      member = await openMember({ cluster, route, signal }, this.#deps);
    } catch (error) {
      const found = classify(error, route);
      // What cannot even be opened is a route that does not work, whatever the file system calls it.
      this.#settle(place, found.status === 'error' ? { ...found, status: 'noaccess' } : found);
      throw error;
    }
    place.member = member;
    // Its time was up while files were read.
    if (place.stage === 'over') this.#close(place);
    return member;
  }

  #fail(place: Place, error: unknown): void {
    if (place.stage === 'over') return;
    const partial = error instanceof PartialAnswer ? { value: error.value as T } : {};
    const reason: unknown = place.controller?.signal.reason;
    const ended = reason === undefined ? undefined : ofEnding(reason, place.route);
    this.#settle(place, { ...(ended ?? classify(error, place.route)), ...partial });
  }

  /** Ends one cluster. Whoever is asking it hears of it first and may hand in what has come so far. */
  #abort(place: Place, reason: unknown): void {
    place.controller?.abort(reason);
    setImmediate(() => this.#fail(place, reason));
  }

  /** Ends everything: what is under way, and what will never be. */
  #end(reason: unknown): void {
    this.#ending ??= reason;
    for (const place of [...this.#queue.splice(0).reverse(), ...this.#ready.splice(0)]) {
      this.#settle(place, notStarted(reason));
    }
    if (reason instanceof FailedFast && this.#options.isWrite === true) return;
    for (const place of [...this.#working]) this.#abort(place, reason);
  }

  #crash(thrown: unknown): void {
    this.#error ??= { thrown };
    this.#end(new FailedFast());
  }

  /** The first outcome of a cluster is its outcome; its slot is free from then on, whatever `ask` still does. */
  #settle(place: Place, found: Classified | Pick<Outcome<T>, 'status' | 'value'>): void {
    const { cluster, route, stage } = place;
    if (stage === 'over') return;
    this.#stop(place);
    place.stage = 'over';
    if (stage === 'asking') this.#asking -= 1;
    if (stage === 'connecting') this.#connecting -= 1;
    const elapsedMs = Math.round(place.usedMs);
    const outcome: Outcome<T> = { cluster, route, elapsedMs, ...found };
    this.#outcomes[place.index] = outcome;
    this.#close(place);
    this.#tell(outcome);
    this.#pump();
  }

  #tell(outcome: Outcome<T>): void {
    try {
      this.#options.onOutcome?.(outcome);
    } catch (error) {
      this.#crash(error);
    }
    const { failFast, requireAll } = this.#deps.settings.execution;
    if (failFast && this.#ending === undefined && isFailure(outcome.status, requireAll)) {
      this.#end(new FailedFast());
    }
    this.#left -= 1;
    if (this.#left === 0) this.#finish();
  }

  #close(place: Place): void {
    if (place.member === undefined) return;
    this.#closing.push(place.member.transport[Symbol.asyncDispose]());
    // Others may take long; what this one needed is not kept for them.
    place.member = undefined;
  }
}
