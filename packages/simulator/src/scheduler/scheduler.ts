import type { Client } from '@flotilla/client';
import { defineKind, isConflict, isNotFound, type KubeObject } from '@flotilla/machinery';
import { type Node, Nodes, type Pod, Pods } from '../kinds.ts';
import { findCondition } from '../pod-facts.ts';
import type { Tell } from '../workloads/context.ts';
import { FIELD_MANAGER, type World } from '../world/world.ts';
import { chooseNode } from './schedule.ts';

/** What the scheduler needs. */
export interface SchedulerDeps {
  readonly world: World;
  readonly tell: Tell;
  readonly client: Client;
  readonly signal: AbortSignal;
}

const COMPONENT = 'default-scheduler';

const PodBindings = defineKind({
  group: '',
  version: 'v1',
  kind: 'Binding',
  plural: 'bindings',
  namespaced: true,
});

/** Whether a pod waits for a node and for us. */
export function isUnscheduled({ spec, metadata }: Pod): boolean {
  return (
    (spec.nodeName ?? '') === '' &&
    (spec.schedulerName ?? COMPONENT) === COMPONENT &&
    (spec.schedulingGates ?? []).length === 0 &&
    metadata.deletionTimestamp === undefined
  );
}

/** Puts pods onto nodes one at a time, so that no two count on the same room. */
export function createScheduler(deps: SchedulerDeps): (pod: Pod) => Promise<undefined> {
  let turn: Promise<unknown> = Promise.resolve();
  return (pod) => {
    const mine = turn.then(() => schedule(deps, pod));
    turn = mine.catch(() => {});
    return mine;
  };
}

async function schedule(deps: SchedulerDeps, given: Pod): Promise<undefined> {
  const { world, tell } = deps;
  const { namespace, name = '' } = given.metadata;
  const pod = world.of(Pods).get({ namespace, name });
  if (pod === undefined || !isUnscheduled(pod)) return undefined;
  const all = world.of(Pods).list();
  const decision = chooseNode(pod, world.of(Nodes).list().filter(isReadyNode), (node) =>
    all.filter(({ spec }) => spec.nodeName === node),
  );
  if ('message' in decision) {
    await tellUnschedulable(deps, pod, decision.message);
    return undefined;
  }
  await bind(deps, pod, decision.node);
  const note = `Successfully assigned ${namespace ?? ''}/${name} to ${decision.node}`;
  tell(COMPONENT, pod, { reason: 'Scheduled', action: 'Binding', note });
  return undefined;
}

async function bind(
  { client, signal, world }: SchedulerDeps,
  pod: Pod,
  node: string,
): Promise<void> {
  const { namespace, name = '', uid } = pod.metadata;
  const binding: KubeObject = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, namespace, ...(uid === undefined ? {} : { uid }) },
    target: { apiVersion: 'v1', kind: 'Node', name: node },
  };
  try {
    await client.create(PodBindings, binding, { signal, fieldManager: FIELD_MANAGER });
    // The answer says nothing of the pod, and the next one must not count on the same room.
    world.of(Pods).wrote(await client.get(Pods, { namespace, name }, { signal }));
  } catch (error) {
    // Gone or bound by another: the watch tells.
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}

async function tellUnschedulable(
  { world, tell }: SchedulerDeps,
  pod: Pod,
  message: string,
): Promise<void> {
  const before = findCondition(pod, 'PodScheduled');
  if (before?.status === 'False' && before.message === message) return;
  const conditions = (pod.status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  const { generation } = pod.metadata;
  await world.updateStatus(Pods, {
    ...pod,
    status: {
      ...pod.status,
      conditions: [
        ...conditions,
        {
          type: 'PodScheduled',
          status: 'False',
          ...(generation === undefined ? {} : { observedGeneration: generation }),
          lastProbeTime: null,
          lastTransitionTime: before?.lastTransitionTime ?? world.timestamp(),
          reason: 'Unschedulable',
          message,
        },
      ],
    },
  });
  tell(COMPONENT, pod, {
    type: 'Warning',
    reason: 'FailedScheduling',
    action: 'Scheduling',
    note: message,
  });
}

/** A node that is not ready has a taint that says so; one that never reported has not. */
function isReadyNode(node: Node): boolean {
  return findCondition(node, 'Ready') !== undefined;
}
