import { isConflict, isNotFound } from '@flotilla/machinery';
import { type CertificateSigningRequest, CertificateSigningRequests } from './kinds.ts';
import { bootstrapUser, CLUSTER_NAME_LABEL, FIELD_MANAGER } from './names.ts';
import { requestSubject } from './request-subject.ts';
import type { OcmClient, OcmWanted } from './types.ts';

const SIGNER = 'kubernetes.io/kube-apiserver-client';
const SUBJECT_PREFIX = 'system:open-cluster-management:';
/** A group that older agents ask for beside their own. */
const COMMON_GROUP = `${SUBJECT_PREFIX}managed-clusters`;

/** Approves what the agent of a member asks for, and says in a few words what there was, or why it could not. */
export async function approveRequests(
  hub: OcmClient,
  { name, now }: Pick<OcmWanted, 'name' | 'now'>,
  signal: AbortSignal,
): Promise<string> {
  try {
    const { items } = await hub.list(CertificateSigningRequests, {
      labelSelector: `${CLUSTER_NAME_LABEL}=${name}`,
      signal,
    });
    const pending = items.filter(isPending);
    const due = pending.filter((request) => isAgentsRequest(request, name));
    for (const request of due) await approve(hub, { request, at: now() }, signal);
    if (due.length > 0) return 'its certificate was approved';
    const other = pending.find(({ spec }) => spec?.username !== undefined);
    if (other !== undefined) {
      const { spec, metadata } = other;
      return `request ${metadata.name ?? ''} for a certificate is not approved, as it is not exactly what the agent of "${name}" would ask for, or "${spec?.username ?? ''}" is not who was to ask for it`;
    }
    return items.length === 0 ? 'no request for a certificate has come' : '';
  } catch (error) {
    signal.throwIfAborted();
    // Somebody else may approve it, so the member is prepared all the same.
    return `its certificate cannot be approved: ${(error as Error).message}`;
  }
}

/**
 * Whether a request is what the agent of a cluster asks for: label, signer, names and requester, each to the letter.
 * Renewals, for which an agent asks in its own name, are Open Cluster Management's to approve.
 */
export function isAgentsRequest(
  { metadata, spec = {} }: CertificateSigningRequest,
  cluster: string,
): boolean {
  if (metadata.labels?.[CLUSTER_NAME_LABEL] !== cluster) return false;
  if (spec.signerName !== SIGNER || spec.username !== bootstrapUser(cluster)) return false;
  const subject = requestSubject(spec.request ?? '');
  if (subject === undefined) return false;
  const own = `${SUBJECT_PREFIX}${cluster}`;
  const groups = subject.organizations.filter((group) => group !== COMMON_GROUP);
  if (groups.length !== 1 || groups[0] !== own) return false;
  const agent = subject.commonName.startsWith(`${own}:`)
    ? subject.commonName.slice(own.length + 1)
    : '';
  return agent !== '' && !agent.includes(':');
}

/** Neither approved nor denied. */
function isPending({ status }: CertificateSigningRequest): boolean {
  return !(status?.conditions ?? []).some(({ type }) => type === 'Approved' || type === 'Denied');
}

async function approve(
  hub: OcmClient,
  { request, at }: { request: CertificateSigningRequest; at: Date },
  signal: AbortSignal,
): Promise<void> {
  const { conditions = [], ...status } = request.status ?? {};
  const approved = {
    type: 'Approved',
    status: 'True',
    reason: 'RegistrationWantsIt',
    message: 'Asked for by the agent of a cluster that a ClusterRegistration joins',
    lastUpdateTime: at.toISOString().replace(/\.\d+Z$/, 'Z'),
  };
  try {
    await hub.replace(
      CertificateSigningRequests,
      { ...request, status: { ...status, conditions: [...conditions, approved] } },
      { subresource: 'approval', fieldManager: FIELD_MANAGER, signal },
    );
  } catch (error) {
    // Decided or gone meanwhile: the next look sees it.
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}
