// A server with the programs that make a cluster of it: controllers, a scheduler, and nodes played by kwok.
import {
  type Component,
  type RunningComponents,
  startComponents,
} from '../tools/real-kubernetes/components.ts';
import { type Api, apiOf } from './api.ts';
import { type Side, type SideName, startSide } from './sides.ts';

/** A side with its components at work and its nodes ready. */
export interface Cluster extends AsyncDisposable {
  readonly side: Side;
  readonly api: Api;
  readonly components: RunningComponents;
}

/** How many nodes a cluster has. */
export const NODES = 2;

const ALL: readonly Component[] = ['kube-controller-manager', 'kube-scheduler', 'kwok'];

/** Starts a side as a cluster. */
export async function startCluster(name: SideName): Promise<Cluster> {
  const side = await startSide(name);
  const components = startComponents(side, ALL);
  const api = apiOf(side);
  const dispose = async () => {
    api[Symbol.dispose]();
    await components.stop();
    await side.stop();
  };
  try {
    for (let number = 0; number < NODES; number++) {
      await api.create('/api/v1/nodes', node(`node-${number}`));
    }
    await api.until('/api/v1/nodes', ({ body }) => body.items.every(isReady));
    return { side, api, components, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    const ends = ALL.map((component) => components.log(component).slice(-2_000));
    await dispose();
    throw new Error(`Cannot make a cluster of ${name}:\n${ends.join('\n')}`, { cause: error });
  }
}

function node(name: string) {
  const resources = { cpu: '32', memory: '256Gi', pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    status: { allocatable: resources, capacity: resources },
  };
}

interface Node {
  readonly spec: { readonly taints?: readonly unknown[] };
  readonly status: { readonly conditions?: readonly { type: string; status: string }[] };
}

/** Ready, and free of the taint that a new node has until the controller manager knows it. */
function isReady({ spec, status }: Node): boolean {
  const condition = status.conditions?.find(({ type }) => type === 'Ready');
  return condition?.status === 'True' && (spec.taints ?? []).length === 0;
}
