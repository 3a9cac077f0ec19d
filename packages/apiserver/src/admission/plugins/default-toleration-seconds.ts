import type { Toleration } from '../../kinds/workloads/scheduling-types.ts';
import type { Admission } from '../../objects/engine.ts';
import { podOf } from './pod-of.ts';

const SECONDS = 300;
const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** A pod stays five minutes on a node that has gone quiet, unless it says otherwise. */
export function defaultTolerationSeconds(admission: Admission): void {
  const pod = podOf(admission, ['CREATE', 'UPDATE']);
  if (pod === undefined) return;
  const given = pod.spec.tolerations ?? [];
  const missing = TAINTS.filter((taint) => !given.some((each) => covers(each, taint)));
  if (missing.length === 0) return;
  pod.spec.tolerations = [
    ...given,
    ...missing.map((key) => ({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: SECONDS,
    })),
  ];
}

function covers({ key = '', effect = '' }: Toleration, taint: string): boolean {
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}
