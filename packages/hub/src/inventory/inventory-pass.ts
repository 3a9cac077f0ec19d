import type { ClusterRegistration } from '@flotilla/api';
import type { Client, Secret } from '@flotilla/client';
import {
  type Clock,
  isConflict,
  keyOfObject,
  type ObjectKey,
  suggestedDelayMs,
} from '@flotilla/machinery';
import type {
  ControllerMeter,
  ControllerObserver,
  EventRecorder,
  Logger,
  PassOutcome,
  RunBounds,
  WorkQueue,
} from '@flotilla/runtime';
import { LOCAL_CLUSTER } from '../cluster-secret/names.ts';
import type { InventoryConfig } from './inventory-controller.ts';
import type { OwnWrites } from './own-writes.ts';
import type { ProfilesCache } from './profile/profiles-cache.ts';
import { publishCluster } from './publish-cluster.ts';
import type { ClusterFacts } from './sources/cluster-facts.ts';
import { findSource, type Source } from './sources/find-source.ts';
import { publishedName } from './sources/registration-facts.ts';
import { slimRegistration } from './sources/slim-registration.ts';
import { type Publication, tellRegistration } from './tell-registration.ts';

/** What passes of one run work with. */
export interface InventoryPassContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  readonly config: InventoryConfig;
  readonly logger: Logger;
  readonly meter: ControllerMeter;
  readonly observer: ControllerObserver;
  readonly recorder: EventRecorder;
  readonly bounds: RunBounds;
  readonly queue: WorkQueue;
  readonly profiles: ProfilesCache;
  readonly hub: () => ClusterFacts | undefined;
  readonly registrations: OwnWrites<ClusterRegistration> & {
    /** Those that have a name or want it, as the cache has them. */
    readonly named: (name: string) => ClusterRegistration[];
  };
  readonly secret: (name: string) => Secret | undefined;
}

/** Failures in a row before a registration says so: a hub that hiccups is no news. */
const FAILURES_TO_TELL = 3;
const PASS_TIMEOUT_MS = 60_000;

/** Makes what looks at the cluster of a name; however that ends, the queue is told, and nothing is thrown. */
export function createInventoryPass(
  context: InventoryPassContext,
): (name: string) => Promise<void> {
  const { client, clock, config, logger, meter, queue, bounds, profiles, registrations } = context;
  const running = new Set<AbortController>();
  bounds.abort.addEventListener('abort', () => {
    for (const each of running) each.abort(bounds.abort.reason);
  });

  async function begin(name: string): Promise<void> {
    const beganAt = clock.elapsed();
    const outcome = await traced(name, () => attempt(name));
    meter.passed(outcome, clock.elapsed() - beganAt);
  }

  function traced(name: string, body: () => Promise<PassOutcome>): Promise<PassOutcome> {
    const { around } = context.observer;
    if (around === undefined) return body();
    const id = Math.floor(context.random() * 2 ** 32).toString(16);
    return around({ controller: 'inventory', id, namespace: config.namespace, name }, body);
  }

  async function attempt(name: string): Promise<PassOutcome> {
    if (isOver()) return 'aborted';
    const cut = new AbortController();
    running.add(cut);
    const timer = clock.later(PASS_TIMEOUT_MS, () =>
      cut.abort(new Error(`Cannot publish "${name}" within ${PASS_TIMEOUT_MS} ms`)),
    );
    try {
      await look(name, cut.signal);
      queue.forget(name);
      return 'done';
    } catch (error) {
      if (isOver()) return 'aborted';
      if (isConflict(error)) {
        // Somebody was quicker; the cache is about to hear of it.
        queue.addAgain(name, 'change');
        return 'conflict';
      }
      await fail(name, error, cut.signal);
      return 'failed';
    } finally {
      timer[Symbol.dispose]();
      running.delete(cut);
    }
  }

  async function look(name: string, signal: AbortSignal): Promise<void> {
    const { seen, obstacle } = profiles;
    if (seen === undefined) {
      if (obstacle !== undefined) {
        await tellAll({ name, source: undefined }, { status: 'False', ...obstacle }, signal);
      }
      return;
    }
    const source = sourceOf(name);
    // The hub has not said yet what it is, which is no reason to take its profile away.
    if (source === undefined && name === LOCAL_CLUSTER && config.includesHub) return;
    const publication = await publishCluster(
      {
        client,
        signal,
        clock,
        namespace: config.namespace,
        profiles: seen,
        sourceOf,
        registrationOf,
        wrote: meter.wrote,
        record: (regarding, note) => context.recorder.record(regarding, note, meter.eventDropped),
        enqueue: (other) => queue.add(other),
      },
      name,
      source,
    );
    if (publication !== undefined) await tellAll({ name, source }, publication, signal);
  }

  /** The speaker hears what became of its profile, the others that it is not theirs. */
  async function tellAll(
    { name, source }: { name: string; source: Source | undefined },
    publication: Publication,
    signal: AbortSignal,
  ): Promise<void> {
    const how = {
      client,
      signal,
      now: clock.now,
      wrote: (key: ObjectKey, written: ClusterRegistration) =>
        registrations.wrote(key, slimRegistration(written)),
      record: (regarding: ClusterRegistration, note: Parameters<EventRecorder['record']>[1]) =>
        context.recorder.record(regarding, note, meter.eventDropped),
    };
    for (const each of registrations.named(name)) {
      // One that nobody has looked at yet has no status to add to.
      if (publishedName(each) !== name || each.status?.phase === undefined) continue;
      const known = registrations.get(keyOfObject(each)) ?? each;
      const isSpeaker = source?.registration?.metadata.uid === each.metadata.uid;
      const isTaken = source !== undefined && !isSpeaker && publication.status === 'True';
      await tellRegistration(how, known, isTaken ? taken(name, source) : publication);
    }
  }

  async function fail(name: string, error: unknown, signal: AbortSignal): Promise<void> {
    const failures = queue.failures(name);
    logger.error('Cannot publish a cluster', { err: error, cluster: name, failures });
    queue.addFailed(name, 'other', suggestedDelayMs(error));
    if (failures < FAILURES_TO_TELL) return;
    const cause = error instanceof Error ? error.message : String(error);
    const message = `Cannot write the ClusterProfile of "${name}": ${cause}`.slice(0, 1024);
    const cluster = { name, source: undefined };
    await tellAll(cluster, { status: 'False', reason: 'WriteFailed', message }, signal).catch(
      (err: unknown) => logger.warn('Cannot write down what failed', { err, cluster: name }),
    );
  }

  function sourceOf(name: string): Source | undefined {
    return findSource(
      {
        registrations: registrations.named(name),
        secret: context.secret(name),
        hub: name === LOCAL_CLUSTER && config.includesHub ? context.hub() : undefined,
      },
      { name, includesUnregistered: config.includesUnregistered },
    );
  }

  function registrationOf(source: string): ClusterRegistration | undefined {
    const key = registrationKey(source);
    return key === undefined ? undefined : registrations.get(key);
  }

  const isOver = () => bounds.abort.aborted || !bounds.mayWrite();

  return begin;
}

function taken(name: string, { facts }: Source): Publication {
  return {
    status: 'False',
    reason: 'NameTaken',
    message: `Cannot publish "${name}": its ClusterProfile shows the cluster of ${facts.source}`,
  };
}

function registrationKey(source: string): ObjectKey | undefined {
  const [, namespace, name] = /^registration ([^/]+)\/(.+)$/.exec(source) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}
