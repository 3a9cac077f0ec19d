import { setMaxListeners } from 'node:events';
import type { Client } from '@flotilla/client';
import type { Clock, Kind, KubeObject } from '@flotilla/machinery';
import { createRecorder, type EventRecorder, type Logger, silentLogger } from '@flotilla/runtime';
import {
  CronJobs,
  DaemonSets,
  Deployments,
  Jobs,
  Nodes,
  type Pod,
  Pods,
  ReplicaSets,
  Services,
  StatefulSets,
} from './kinds.ts';
import { keepNodes } from './kubelet/keep-nodes.ts';
import { createKubelet } from './kubelet/kubelet.ts';
import { startKubeletServer } from './kubelet/kubelet-server.ts';
import type { NodeSpec } from './kubelet/node-objects.ts';
import { podCidr } from './kubelet/pod-ips.ts';
import { watchForeignLease } from './leases/foreign-lease.ts';
import { createPasses, type Pass } from './passes.ts';
import { createScheduler, isUnscheduled } from './scheduler/scheduler.ts';
import type { Recheck, Tell, Workloads } from './workloads/context.ts';
import { reconcileCronJob } from './workloads/cron-job.ts';
import { reconcileDaemonSet } from './workloads/daemon-set.ts';
import { reconcileDeployment } from './workloads/deployment.ts';
import { reconcileJob } from './workloads/job.ts';
import { releaseOrphan } from './workloads/job-count.ts';
import { reconcileReplicaSet } from './workloads/replica-set.ts';
import { reconcileService } from './workloads/service.ts';
import { reconcileStatefulSet } from './workloads/stateful-set.ts';
import { createWorld } from './world/world.ts';

/** How to simulate. */
export interface SimulatorOptions {
  /** An administrator's; stays the caller's to close. */
  readonly client: Client;
  readonly clock: Clock;
  /** From 0 to below 1, to spread what would happen at once. */
  readonly random: () => number;
  /** How many machines to make up. @default 1 */
  readonly nodes?: number;
  /** What their names begin with; a number from 0 on follows. @default 'node' */
  readonly nodePrefix?: string;
  /** Labels of the nodes, such as their region. @default none */
  readonly nodeLabels?: Readonly<Record<string, string>>;
  /** @default says nothing */
  readonly logger?: Logger;
}

/** A cluster that is made up, as long as it is not disposed of. */
export interface Simulator extends AsyncDisposable {
  readonly nodes: readonly string[];
  /** Where its kubelets answer. */
  readonly kubeletPort: number;
}

/** API servers dial the kubelets of their nodes here, and nobody else can. */
const HOST = '127.0.0.1';

/**
 * Makes an API server look like a cluster with machines: nodes are ready, workloads get their pods, and pods run. Resolves
 * when the nodes are ready.
 *
 * @example
 * await using simulator = await startSimulator({ client, clock: systemClock, random, nodes: 2 });
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { client, clock, random, logger = silentLogger } = options;
  const nodes = nodeSpecs(options);
  const stop = new AbortController();
  const { signal } = stop;
  setMaxListeners(0, signal);
  const closing: (() => Promise<unknown>)[] = [];
  const dispose = async (): Promise<void> => {
    stop.abort();
    for (const close of closing.reverse()) await close();
    closing.length = 0;
  };
  const report = (err: unknown): void => {
    if (!signal.aborted) logger.warn('A watch of the simulator failed and goes on', { err });
  };
  try {
    const { gitVersion = 'v0.0.0' } = (await client.raw({ path: '/version', signal })) as {
      gitVersion?: string;
    };
    const world = createWorld({ client, clock, random, report, signal });
    const kubelets = await startKubeletServer({ host: HOST, clock, findPod: world.of(Pods).get });
    closing.push(async () => kubelets[Symbol.asyncDispose]());
    const events = createEvents({ client, clock, random, logger });
    closing.push(() => events.close());

    const work: Workloads = { world, tell: events.tell };
    const released = (): void => {
      for (const kind of [...WORKLOADS, Pods]) passes.addAll(kind);
    };
    const watched = { client, clock, random, report, released };
    const manager = watchForeignLease({ ...watched, name: 'kube-controller-manager' });
    const scheduler = watchForeignLease({ ...watched, name: 'kube-scheduler' });
    const passes = createPasses({
      world,
      informers: world.informers,
      passes: [
        ...workloadPasses(work, manager.isHeld),
        podPass({
          play: createKubelet({
            ...work,
            hostIP: HOST,
            nodes: new Map(nodes.map((node) => [node.name, node])),
          }),
          schedule: createScheduler({ ...work, client, signal }),
          // A pod that was let go comes again as another version of itself.
          isLetGo: async (pod) => !manager.isHeld() && (await releaseOrphan(world, pod)),
          isScheduledElsewhere: scheduler.isHeld,
        }),
      ],
      clock,
      logger,
    });

    const watching = [world.start(signal), manager.informer.start(signal)];
    watching.push(scheduler.informer.start(signal));
    closing.push(() => Promise.all(watching));
    await Promise.all([
      world.synced(signal),
      manager.informer.synced(signal),
      scheduler.informer.synced(signal),
    ]);
    const kept = await keepNodes({
      client,
      clock,
      logger,
      nodes,
      isThere: (name) => world.of(Nodes).get({ name }) !== undefined,
      facts: { hostIP: HOST, kubeletPort: kubelets.port, version: gitVersion },
      signal,
    });
    closing.push(() => kept.ended);
    const working = passes.run(signal);
    closing.push(() => working);
    return {
      nodes: nodes.map(({ name }) => name),
      kubeletPort: kubelets.port,
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

const WORKLOADS: readonly Kind[] = [
  Deployments,
  ReplicaSets,
  StatefulSets,
  DaemonSets,
  Jobs,
  CronJobs,
  Services,
];

function workloadPasses(work: Workloads, isElsewhere: () => boolean): Pass[] {
  const pass = <T extends KubeObject>(
    kind: Kind<T>,
    reconcile: (work: Workloads, object: T) => Promise<Recheck>,
    // The caller gives it objects of its own kind only.
  ): Pass => ({ kind, isElsewhere, run: (object) => reconcile(work, object as T) });
  return [
    pass(Deployments, reconcileDeployment),
    pass(ReplicaSets, reconcileReplicaSet),
    pass(StatefulSets, reconcileStatefulSet),
    pass(DaemonSets, reconcileDaemonSet),
    pass(Jobs, reconcileJob),
    pass(CronJobs, reconcileCronJob),
    pass(Services, reconcileService),
  ];
}

function podPass(deps: {
  readonly play: ReturnType<typeof createKubelet>;
  readonly schedule: ReturnType<typeof createScheduler>;
  readonly isLetGo: (pod: Pod) => Promise<boolean>;
  readonly isScheduledElsewhere: () => boolean;
}): Pass {
  return {
    kind: Pods,
    run: async (object) => {
      const pod = object as Pod;
      if (await deps.isLetGo(pod)) return undefined;
      if ((pod.spec.nodeName ?? '') !== '') return deps.play(pod);
      if (!isUnscheduled(pod) || deps.isScheduledElsewhere()) return undefined;
      return deps.schedule(pod);
    },
  };
}

function nodeSpecs({
  nodes = 1,
  nodePrefix = 'node',
  nodeLabels = {},
}: SimulatorOptions): NodeSpec[] {
  return Array.from({ length: nodes }, (_, index) => ({
    name: `${nodePrefix}-${index}`,
    podCIDR: podCidr(index),
    labels: nodeLabels,
  }));
}

interface EventsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/** One recorder a component, because events say who reports them. */
function createEvents(options: EventsOptions): { tell: Tell; close: () => Promise<void> } {
  const recorders = new Map<string, EventRecorder>();
  return {
    tell: (component, regarding, happening) => {
      let recorder = recorders.get(component);
      if (recorder === undefined) {
        recorder = createRecorder({ ...options, controller: component, instance: component });
        recorders.set(component, recorder);
      }
      recorder.record(regarding, happening);
    },
    close: async () => {
      for (const recorder of recorders.values()) await recorder[Symbol.asyncDispose]();
    },
  };
}
