import { goQuote } from '@flotilla/machinery';
import type { CrdCondition, CustomResourceDefinition } from './crd.ts';

const ANNOTATION = 'api-approved.kubernetes.io';
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** What a CRD in a group of the Kubernetes community has to say for itself; undefined for all others. */
export function approvalOf(
  crd: CustomResourceDefinition,
): Omit<CrdCondition, 'lastTransitionTime'> | undefined {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(crd.spec.group)) return undefined;
  const type = 'KubernetesAPIApprovalPolicyConformant';
  const approval = crd.metadata.annotations?.[ANNOTATION] ?? '';
  const must = `protected groups must have approval annotation ${goQuote(ANNOTATION)}`;
  if (approval === '') {
    return { type, status: 'False', reason: 'MissingAnnotation', message: `${must}, ${SEE}` };
  }
  if (approval.startsWith('unapproved')) {
    const message = `not approved: ${goQuote(approval)}`;
    return { type, status: 'False', reason: 'UnapprovedAnnotation', message };
  }
  if (isUrl(approval)) {
    const message = `approved in ${approval}`;
    return { type, status: 'True', reason: 'ApprovedAnnotation', message };
  }
  return {
    type,
    status: 'False',
    reason: 'InvalidAnnotation',
    message: `${must} with either a URL or a reason starting with "unapproved", ${SEE}`,
  };
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/\s]+/i.test(text) && URL.canParse(text);
}
