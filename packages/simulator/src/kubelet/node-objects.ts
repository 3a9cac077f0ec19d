import { createHash } from 'node:crypto';
import type { Condition, Lease, Node } from '../kinds.ts';

/** One simulated machine. */
export interface NodeSpec {
  readonly name: string;
  readonly podCIDR: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** What of a node is known only when the simulator runs. */
export interface NodeFacts {
  readonly hostIP: string;
  readonly kubeletPort: number;
  /** The version of the server, which kubelets share. */
  readonly version: string;
  readonly now: string;
}

/** Marks nodes that are made up. */
export const SIMULATED = 'simulator.flotilla.dev/simulated';

const CAPACITY = { cpu: '8', memory: '32Gi', pods: '110', 'ephemeral-storage': '100Gi' };

/** A node as it registers. */
export function nodeObject({ name, podCIDR, labels }: NodeSpec): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        ...labels,
      },
      annotations: { [SIMULATED]: 'true', 'node.alpha.kubernetes.io/ttl': '0' },
    },
    spec: { podCIDR, podCIDRs: [podCIDR] },
  };
}

/** What the kubelet of a healthy node reports. */
export function nodeStatus(node: Node, facts: NodeFacts): NonNullable<Node['status']> {
  const { name = '' } = node.metadata;
  return {
    ...node.status,
    capacity: { ...CAPACITY },
    allocatable: { ...CAPACITY },
    conditions: nodeConditions(node.status?.conditions ?? [], facts.now),
    // No host name: API servers would prefer it and look for it in DNS.
    addresses: [{ type: 'InternalIP', address: facts.hostIP }],
    daemonEndpoints: { kubeletEndpoint: { Port: facts.kubeletPort } },
    nodeInfo: {
      machineID: hash(`machine/${name}`).slice(0, 32),
      systemUUID: uuid(`system/${name}`),
      bootID: uuid(`boot/${name}`),
      kernelVersion: '0.0.0-simulated',
      osImage: 'Flotilla simulator',
      containerRuntimeVersion: 'simulator://1.0.0',
      kubeletVersion: facts.version,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  };
}

const HEALTHY: readonly Pick<Condition, 'type' | 'status' | 'reason' | 'message'>[] = [
  {
    type: 'MemoryPressure',
    status: 'False',
    reason: 'KubeletHasSufficientMemory',
    message: 'kubelet has sufficient memory available',
  },
  {
    type: 'DiskPressure',
    status: 'False',
    reason: 'KubeletHasNoDiskPressure',
    message: 'kubelet has no disk pressure',
  },
  {
    type: 'PIDPressure',
    status: 'False',
    reason: 'KubeletHasSufficientPID',
    message: 'kubelet has sufficient PID available',
  },
  {
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    message: 'kubelet is posting ready status',
  },
];

function nodeConditions(before: readonly Condition[], now: string): Condition[] {
  return HEALTHY.map((said) => {
    const last = before.find(({ type }) => type === said.type);
    const isSame = last?.status === said.status;
    return {
      type: said.type,
      status: said.status,
      lastHeartbeatTime: now,
      lastTransitionTime: (isSame ? last.lastTransitionTime : undefined) ?? now,
      reason: said.reason ?? '',
      message: said.message ?? '',
    };
  });
}

/** The sign of life of a node. */
export function nodeLease(node: Node, now: string): Lease {
  const { name = '', uid = '' } = node.metadata;
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name,
      namespace: 'kube-node-lease',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
    },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: now },
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function uuid(text: string): string {
  return hash(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
