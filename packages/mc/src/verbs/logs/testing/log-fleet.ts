import { type Client, Nodes, type Pod, Pods } from '@flotilla/client';
import { type FleetOptions, startFleet, type TestFleet } from '../../../testing/start-fleet.ts';
import { startTestKubelet, type TestKubelet } from './test-kubelet.ts';

/** A pod that a test wants. */
export interface PodSpec {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** @default main */
  readonly containers?: readonly string[];
  readonly initContainers?: readonly string[];
  /** @default running */
  readonly state?: 'waiting' | 'running' | 'ended';
  readonly restarts?: number;
}

/** A fleet whose members have a node, and a kubelet that has logs. */
export interface LogFleet extends TestFleet {
  readonly kubelet: (member: string) => TestKubelet;
  readonly createPod: (member: string, pod: PodSpec) => Promise<Pod>;
  /** Has the status of a pod say so. */
  readonly setState: (
    member: string,
    pod: Pick<PodSpec, 'name' | 'namespace' | 'state' | 'restarts'>,
  ) => Promise<void>;
}

/** Starts them. */
export async function startLogFleet(options: FleetOptions = {}): Promise<LogFleet> {
  const fleet = await startFleet(options);
  const kubelets = new Map<string, TestKubelet>();
  const dispose = async (): Promise<void> => {
    for (const kubelet of kubelets.values()) await kubelet[Symbol.asyncDispose]();
    await fleet[Symbol.asyncDispose]();
  };
  try {
    for (const { name, client } of fleet.members) {
      const kubelet = await startTestKubelet();
      kubelets.set(name, kubelet);
      await createNode(client, kubelet.port);
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    ...fleet,
    kubelet: (member) => {
      const found = kubelets.get(member);
      if (found === undefined) throw new Error(`Cannot find member "${member}"`);
      return found;
    },
    createPod: (member, spec) => createPod(fleet.member(member).client, spec),
    setState: async (member, spec) => {
      const { client } = fleet.member(member);
      const key = { name: spec.name, namespace: spec.namespace ?? 'default' };
      const pod = await client.get(Pods, key);
      await client.replace(Pods, withStatus(pod, spec), { subresource: 'status' });
    },
    [Symbol.asyncDispose]: dispose,
  };
}

async function createNode(client: Client, port: number): Promise<void> {
  const node = await client.create(Nodes, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node' },
  });
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  await client.replace(Nodes, { ...node, status }, { subresource: 'status' });
}

async function createPod(client: Client, spec: PodSpec): Promise<Pod> {
  const { name, namespace = 'default', labels, annotations } = spec;
  const container = (each: string) => ({ name: each, image: 'image' });
  const pod = await client.create(Pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: {
      nodeName: 'node',
      containers: (spec.containers ?? ['main']).map(container),
      ...(spec.initContainers === undefined
        ? {}
        : { initContainers: spec.initContainers.map(container) }),
    },
  });
  return await client.replace(Pods, withStatus(pod, spec), { subresource: 'status' });
}

function withStatus(pod: Pod, { state = 'running', restarts = 0 }: Partial<PodSpec>): Pod {
  const states = {
    waiting: { waiting: { reason: 'ContainerCreating' } },
    running: { running: { startedAt: '2026-01-01T00:00:00Z' } },
    ended: { terminated: { exitCode: 0 } },
  };
  const statusOf = ({ name }: { name: string }) => ({
    name,
    image: 'image',
    imageID: '',
    ready: state === 'running',
    restartCount: restarts,
    state: states[state],
    ...(restarts === 0 ? {} : { lastState: states.ended }),
  });
  return {
    ...pod,
    status: {
      phase: state === 'waiting' ? 'Pending' : 'Running',
      containerStatuses: (pod.spec?.containers ?? []).map(statusOf),
      ...(pod.spec?.initContainers === undefined
        ? {}
        : { initContainerStatuses: pod.spec.initContainers.map(statusOf) }),
    },
  };
}

/** A line that was logged at a second, and a fraction of it, of one minute. */
export function at(second: number, text: string): { time: string; text: string } {
  const [whole = '0', fraction = ''] = String(second).split('.');
  return { time: `2026-01-01T10:00:${whole.padStart(2, '0')}.${fraction.padEnd(9, '0')}Z`, text };
}
