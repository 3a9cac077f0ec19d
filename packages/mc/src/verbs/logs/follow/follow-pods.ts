import {
  createInformer,
  type Informer,
  type Pod,
  Pods,
  withoutManagedFields,
} from '@flotilla/client';
import { isBadRequest, isNotFound } from '@flotilla/machinery';
import type { Member } from '../../../fan-out/member.ts';
import { findPlaces, sourcesOf } from '../find-logs.ts';
import { isMeant, selectionOf } from '../list-pods.ts';
import { type LogOutcome, withinLimit } from '../log-run.ts';
import type { LogSource, PodSearch } from '../log-source.ts';
import {
  childSignal,
  countLogs,
  type FollowRun,
  followSource,
  tellLogFailure,
} from './follow-run.ts';
import { isPassing } from './is-passing.ts';
import { LossNotes } from './loss-notes.ts';
import { Retry } from './retry.ts';

/**
 * Follows the logs of all pods that a search finds, now and later, until the user ends it. A cluster that cannot be
 * reached joins when it can.
 */
export async function followPods(run: FollowRun, member: Member): Promise<LogOutcome> {
  using ending = childSignal(member);
  const following = new FollowedPods(run, member, ending.signal);
  try {
    return await following.run();
  } catch (error) {
    ending.abort(error);
    throw error;
  } finally {
    await following.ended();
  }
}

class FollowedPods {
  readonly #run: FollowRun;
  readonly #member: Member;
  readonly #signal: AbortSignal;
  readonly #notes: LossNotes;
  /** The newest run of each container that is, or was, followed. */
  readonly #known = new Map<string, number>();
  /** What is under way for each container: its runs come one after the other. */
  readonly #work = new Map<string, Promise<void>>();
  readonly #informing: Promise<void>[] = [];
  #hasSynced = false;
  #isCrowded = false;
  readonly #failing: Promise<never>;
  #fail: (error: unknown) => void = () => {};

  constructor(run: FollowRun, member: Member, signal: AbortSignal) {
    this.#run = run;
    this.#member = member;
    this.#signal = signal;
    this.#notes = new LossNotes(member.cluster.name, run.session.io);
    this.#failing = new Promise((_resolve, reject) => {
      this.#fail = reject;
    });
    this.#failing.catch(() => {});
    signal.addEventListener('abort', () => this.#fail(signal.reason), { once: true });
    if (signal.aborted) this.#fail(signal.reason);
  }

  async run(): Promise<LogOutcome> {
    const searches = await this.#searches();
    const informers = searches.map((search) => ({ search, informer: this.#inform(search) }));
    const synced = informers.map(({ informer }) => informer.synced(this.#signal));
    await Promise.race([Promise.all(synced), this.#failing]);
    const pods = informers.flatMap(({ search, informer }) =>
      informer.list().filter((pod) => isMeant(pod, search)),
    );
    this.#hasSynced = true;
    await this.#begin(pods);
    for (const { search, informer } of informers) {
      informer.subscribe({
        added: (pod, { isInitial }) => this.#see(pod, search, isInitial),
        updated: (pod) => this.#see(pod, search, false),
      });
    }
    return await this.#failing;
  }

  /** Resolves when nothing is under way any more. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#informing, ...this.#work.values()]);
  }

  /** Where to look for pods; that has to be asked where a workload names them. */
  async #searches(): Promise<readonly PodSearch[]> {
    const { plan, session } = this.#run;
    const { clock, random } = session.io;
    const retry = new Retry({
      clock,
      random,
      lost: (error) => this.#notes.lost('', error),
      back: () => this.#notes.back(''),
    });
    for (;;) {
      try {
        const { searches } = await withinLimit(this.#run, this.#member, (signal) =>
          findPlaces(this.#member, plan, { signal, clock }),
        );
        retry.worked(true);
        return searches;
      } catch (error) {
        if (!this.#isWorthWaiting(error)) throw error;
        await retry.failed(error, this.#signal);
      }
    }
  }

  #inform(search: PodSearch): Informer<Pod> {
    const { clock, random } = this.#run.session.io;
    const informer = createInformer<Pod>({
      client: this.#member.client,
      kind: Pods,
      selection: selectionOf(search),
      transform: (pod) => withoutManagedFields(pod),
      clock,
      random,
      report: (error) => {
        if (this.#hasSynced || this.#isWorthWaiting(error)) this.#notes.lost('', error);
        else this.#fail(error);
      },
    });
    this.#informing.push(informer.start(this.#signal));
    return informer;
  }

  /** Of one cluster alone, and where the first failure counts, kubectl's ways are kept. */
  #isWorthWaiting(error: unknown): boolean {
    const { fleet, session } = this.#run;
    const isAlone = fleet.clusters.length === 1 || session.settings.execution.failFast;
    return !isAlone && isPassing(error) && !this.#signal.aborted;
  }

  async #begin(pods: readonly Pod[]): Promise<void> {
    const { plan, tell } = this.#run;
    const { sources, notes } =
      pods.length === 0 ? { sources: [], notes: [] } : sourcesOf(pods, plan);
    tell(this.#member, notes);
    await Promise.race([countLogs(this.#run, this.#member, sources.length), this.#failing]);
  }

  #see(pod: Pod, search: PodSearch, isInitial: boolean): void {
    this.#notes.back('');
    if (!isMeant(pod, search)) return;
    for (const source of this.#sources(pod)) {
      const { state, restarts } = source.state;
      const key = `${source.uid}/${source.container}`;
      const known = this.#known.get(key);
      if (state === 'none' || (known !== undefined && known >= restarts)) continue;
      this.#known.set(key, restarts);
      const isNew = !isInitial || known !== undefined;
      const before = this.#work.get(key) ?? Promise.resolve();
      const work = before.then(() => this.#follow(key, source, isNew));
      this.#work.set(key, work);
      void work.then(() => {
        if (this.#work.get(key) === work) this.#work.delete(key);
      });
    }
  }

  /** A pod without the container that is asked for has nothing to follow. */
  #sources(pod: Pod): readonly LogSource[] {
    try {
      return sourcesOf([pod], this.#run.plan).sources;
    } catch {
      return [];
    }
  }

  async #follow(key: string, source: LogSource, isNew: boolean): Promise<void> {
    const { streams, plan } = this.#run;
    const { name } = this.#member.cluster;
    if (!streams.hasRoom(name)) this.#tellCrowd(source);
    try {
      await streams.run(name, async () => {
        if (this.#signal.aborted) return;
        await followSource(this.#run, this.#member, {
          source,
          // All of a log that began after us is new.
          window: isNew ? {} : plan.window,
          signal: this.#signal,
          notes: this.#notes,
        });
      });
    } catch (error) {
      if (isNotFound(error)) return;
      // Not started after all: there will be word of it.
      if (isBadRequest(error)) this.#known.delete(key);
      else await tellLogFailure(this.#run, this.#member, { source, error }).catch(this.#fail);
    }
  }

  #tellCrowd({ pod }: LogSource): void {
    if (this.#isCrowded) return;
    this.#isCrowded = true;
    this.#run.tell(
      this.#member,
      [
        `pod/${pod} waits until another log ends, use --max-log-requests or --max-total-log-requests to increase the limit`,
      ],
      true,
    );
  }
}
