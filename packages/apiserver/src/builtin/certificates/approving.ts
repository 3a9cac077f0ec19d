import { DerError } from '../../authn/der.ts';
import { type ParsedRequest, parseRequest } from '../../authn/parse-request.ts';
import type { Authorizer } from '../../authz/rbac.ts';
import type { Engine } from '../../objects/engine.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import type { Tenant } from '../../storage/store.ts';
import type { BuiltinController } from '../controller.ts';
import { answeringController } from './answering.ts';
import {
  hasCondition,
  isIssued,
  requesterOf,
  requestPem,
  SIGNERS,
  type SigningRequest,
} from './request.ts';
import { kubeletClientProblem } from './signer-rules.ts';

/** Approves what kubelets ask for, if they may: for themselves (renewal), or for a node (joining). */
export function certificateApprovingController(
  engine: Engine,
  requests: ResourceDef,
  authorizer: Authorizer,
): BuiltinController {
  return answeringController(engine, requests, {
    name: 'certificatesigningrequest-approving',
    subresource: 'approval',
    isDue: (request) => !isDecided(request),
    answer: (tenant, request) => approval({ authorizer, tenant }, request),
    withAnswer: (request, message) => {
      const approved = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
      const conditions = [...(request.status?.conditions ?? []), approved];
      return { ...request, status: { ...request.status, conditions } };
    },
  });
}

function isDecided(request: SigningRequest): boolean {
  return isIssued(request) || hasCondition(request, 'Approved') || hasCondition(request, 'Denied');
}

/** Why the request is approved; undefined when it is left to people. */
function approval(
  { authorizer, tenant }: { authorizer: Authorizer; tenant: Tenant },
  request: SigningRequest,
): string | undefined {
  if (request.spec.signerName !== SIGNERS.kubeletClient) return undefined;
  const parsed = readable(request);
  if (parsed === undefined) return undefined;
  if (kubeletClientProblem(parsed, request.spec.usages ?? []) !== undefined) return undefined;
  const may = (subresource: string): boolean =>
    authorizer.decide(tenant, {
      user: requesterOf(request),
      verb: 'create',
      isResource: true,
      group: 'certificates.k8s.io',
      version: '*',
      resource: 'certificatesigningrequests',
      subresource,
      namespace: '',
      name: '',
      path: '',
    }).allowed;
  if (request.spec.username === parsed.commonName && may('selfnodeclient')) {
    return 'Auto approving self kubelet client certificate after SubjectAccessReview.';
  }
  return may('nodeclient')
    ? 'Auto approving kubelet client certificate after SubjectAccessReview.'
    : undefined;
}

/** The request inside; undefined when it cannot be read, and then nobody but its author can help. */
export function readable(request: SigningRequest): ParsedRequest | undefined {
  try {
    return parseRequest(requestPem(request));
  } catch (error) {
    if (error instanceof DerError || isKeyError(error)) return undefined;
    throw error;
  }
}

/** A key that Node's crypto does not know. */
function isKeyError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_');
}
