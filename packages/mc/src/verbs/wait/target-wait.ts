import type { ApiResource } from '@flotilla/client';
import type { KubeObject } from '@flotilla/machinery';
import { type Change, Follower, type FollowerDeps } from '../../follow/follower.ts';
import type { Source } from '../../follow/source.ts';
import type { Condition } from './condition.ts';
import { ObjectWait } from './object-wait.ts';

/** Where something is, which has to meet conditions. */
export interface TargetPlace {
  readonly resource: ApiResource;
  /** The name of the one object; undefined for a selection of them. */
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly conditions: readonly Condition[];
}

/** What a target needs of its cluster. */
export interface TargetDeps extends Omit<FollowerDeps<KubeObject>, 'emit'> {
  /** What is followed: the target, or one object of it. */
  readonly source: (one?: {
    readonly name: string;
    readonly namespace: string | undefined;
  }) => Source<KubeObject>;
  /** Shows an object that has met a condition. */
  readonly show: (object: KubeObject) => Promise<void>;
}

/**
 * One object by its name, or those that a selection had when it was first listed, until all have met the conditions.
 * Where a selection has to be created first, it is what it has when it first has any.
 */
export class TargetWait {
  readonly place: TargetPlace;
  readonly #deps: TargetDeps;
  readonly #objects = new Map<string, ObjectWait>();
  readonly #follower: Follower<KubeObject>;
  readonly #running: Promise<void>[] = [];
  readonly #stop = new AbortController();
  #isOpen = true;
  /** Aborted by whoever ends the wait, or when there is nothing left to wait for. */
  #signal: AbortSignal = this.#stop.signal;
  #broken: { readonly error: unknown } | undefined;

  constructor(place: TargetPlace, deps: TargetDeps) {
    this.place = place;
    this.#deps = deps;
    const { name } = place;
    if (name !== undefined && this.#isForCreation) this.#add(this.#keyOf(name), name);
    this.#follower = new Follower(deps.source(), {
      ...deps,
      emit: (changes) =>
        name === undefined
          ? this.#seeSelection(changes)
          : this.#seeOne(this.#keyOf(name), changes, this.#follower),
    });
  }

  get objects(): readonly ObjectWait[] {
    return [...this.#objects.values()];
  }

  get isDone(): boolean {
    return !this.#isOpen && this.objects.every(({ isDone }) => isDone);
  }

  /** Looks at what is there. May be called again after it threw, and only then. */
  async begin(signal: AbortSignal): Promise<void> {
    await this.#follower.begin(signal);
    // What nobody has created yet may still come.
    if (!this.#isForCreation) this.#isOpen = false;
  }

  /** Follows until everything has met the conditions, or the signal is aborted. Throws what showing threw. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.isDone) return;
    this.#signal = AbortSignal.any([signal, this.#stop.signal]);
    this.#start(this.#follower);
    await new Promise<void>((resolve) => {
      if (this.#signal.aborted) resolve();
      this.#signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.allSettled(this.#running);
    if (this.#broken !== undefined) throw this.#broken.error as Error;
  }

  get #isForCreation(): boolean {
    return this.place.conditions[0]?.kind === 'create';
  }

  #start(follower: Follower<KubeObject>): void {
    const run = follower.run(this.#signal).catch((error: unknown) => {
      this.#broken ??= { error };
      this.#stop.abort();
    });
    this.#running.push(run);
  }

  async #seeSelection(changes: readonly Change<KubeObject>[]): Promise<void> {
    for (const { type, value } of changes) {
      const { name = '', namespace } = value.metadata;
      const key = this.#keyOf(name, namespace);
      if (this.#isOpen && type === 'ADDED') this.#add(key, name);
      const object = this.#objects.get(key);
      if (object === undefined || object.isDone) continue;
      if (type === 'DELETED') this.#followOne(key, { name, namespace });
      else await this.#see(object, value);
    }
    if (this.#objects.size > 0) this.#isOpen = false;
    this.#endWhenDone();
  }

  /** What leaves a selection may be gone, or only have other labels now: it is looked for by its name. */
  #followOne(
    key: string,
    one: { readonly name: string; readonly namespace: string | undefined },
  ): void {
    const follower: Follower<KubeObject> = new Follower(this.#deps.source(one), {
      ...this.#deps,
      emit: (changes) => this.#seeOne(key, changes, follower),
    });
    this.#start(follower);
  }

  async #seeOne(
    key: string,
    changes: readonly Change<KubeObject>[],
    follower: Follower<KubeObject>,
  ): Promise<void> {
    for (const { type, value } of changes) {
      if (this.#isOpen && type !== 'DELETED') this.#add(key, value.metadata.name ?? '');
      const object = this.#objects.get(key);
      if (object !== undefined) await this.#see(object, type === 'DELETED' ? undefined : value);
    }
    const object = this.#objects.get(key);
    if (changes.length === 0 && follower.size === 0 && object !== undefined) {
      await this.#see(object, undefined);
    }
    if (object !== undefined) this.#isOpen = false;
    this.#endWhenDone();
  }

  async #see(object: ObjectWait, now: KubeObject | undefined): Promise<void> {
    for (const shown of object.see(now)) await this.#deps.show(shown);
  }

  #endWhenDone(): void {
    if (this.isDone) this.#stop.abort();
  }

  #add(key: string, name: string): void {
    if (this.#objects.has(key)) return;
    this.#objects.set(key, new ObjectWait(name, this.place.conditions));
  }

  #keyOf(name: string, namespace = this.place.namespace): string {
    return `${namespace ?? ''}/${name}`;
  }
}
