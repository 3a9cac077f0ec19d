import { type DaemonSet, DaemonSets, type Node, type Pod, type Toleration } from '../kinds.ts';
import { matchesNode, tolerates } from '../scheduler/node-rules.ts';
import { podOfTemplate, podPrefix } from './pod-of-template.ts';
import { REVISION_LABEL } from './stateful-pods.ts';

/** What daemons put up with: they are there to help a node that is in trouble. */
const TOLERATIONS: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];
const NETWORK: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/** The daemon for one node; the scheduler may put it nowhere else. */
export function daemonPod(set: DaemonSet, { hash, node }: { hash: string; node: string }): Pod {
  const name = { generateName: podPrefix(set.metadata.name ?? '') };
  const pod = podOfTemplate(set.spec.template, { kind: DaemonSets, object: set }, name);
  const generation = set.metadata.annotations?.[TEMPLATE_GENERATION];
  pod.metadata.labels = {
    ...pod.metadata.labels,
    [REVISION_LABEL]: hash,
    ...(generation === undefined ? {} : { 'pod-template-generation': generation }),
  };
  pod.spec.tolerations = [
    ...(pod.spec.tolerations ?? []),
    ...TOLERATIONS,
    ...(pod.spec.hostNetwork === true ? [NETWORK] : []),
  ];
  const { nodeAffinity } = pod.spec.affinity ?? {};
  const terms =
    nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const here = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  pod.spec.affinity = {
    ...pod.spec.affinity,
    nodeAffinity: {
      ...nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms:
          terms.length === 0
            ? [{ matchFields: here }]
            : terms.map((term) => ({ ...term, matchFields: here })),
      },
    },
  };
  return pod;
}

/** The node a daemon is on or meant for. */
export function nodeOfDaemon({ spec }: Pod): string | undefined {
  if (spec.nodeName !== undefined && spec.nodeName !== '') return spec.nodeName;
  const terms =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const field = terms?.[0]?.matchFields?.find(({ key }) => key === 'metadata.name');
  return field?.values?.[0];
}

/** Whether a DaemonSet wants a pod on a node. */
export function shouldRunOn(set: DaemonSet, node: Node): boolean {
  const { spec } = set.spec.template;
  const tolerations = [...(spec.tolerations ?? []), ...TOLERATIONS];
  return (
    matchesNode(spec, node) &&
    (node.spec?.taints ?? [])
      .filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute')
      .every((taint) => isStarting(taint.key) || tolerates(tolerations, taint))
  );
}

/** A node that is about to be ready gets its daemons at once; the scheduler keeps them waiting. */
function isStarting(key: string): boolean {
  return key === 'node.kubernetes.io/not-ready';
}
