import { formatTime } from '@flotilla/machinery';
import { isSignedByItself } from '../../authn/parse-request.ts';
import type { RequestedCertificate } from '../../authn/sign-request.ts';
import type { Engine } from '../../objects/engine.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import type { Tenant } from '../../storage/store.ts';
import type { BuiltinController } from '../controller.ts';
import { answeringController } from './answering.ts';
import { readable } from './approving.ts';
import { hasCondition, isIssued, SIGNERS, type SigningRequest } from './request.ts';
import { signerProblem } from './signer-rules.ts';

/** Upstream's --cluster-signing-duration: a year. */
const LONGEST_SECONDS = 365 * 24 * 60 * 60;
/** Twice the time by which certificates are backdated. */
const SHORTEST_SECONDS = 600;

/** Makes the certificate: the tenant's authority, which nobody else sees, signs. */
export type Certify = (tenant: Tenant, request: RequestedCertificate) => string;

/** Answers approved requests for the signers whose authority is the tenant's own. */
export function certificateSigningController(
  engine: Engine,
  requests: ResourceDef,
  certify: Certify,
): BuiltinController {
  return answeringController<Answer>(engine, requests, {
    name: 'certificatesigningrequest-signing',
    subresource: 'status',
    isDue: isToBeSigned,
    answer: (tenant, request) => answerTo(request, (asked) => certify(tenant, asked)),
    withAnswer: (request, answer) => ({
      ...request,
      status: statusWith(request, answer, engine.now()),
    }),
  });
}

const OURS: readonly string[] = Object.values(SIGNERS);

function isToBeSigned(request: SigningRequest): boolean {
  return (
    OURS.includes(request.spec.signerName) &&
    hasCondition(request, 'Approved') &&
    !hasCondition(request, 'Denied') &&
    !hasFailed(request) &&
    !isIssued(request)
  );
}

function hasFailed({ status }: SigningRequest): boolean {
  return (status?.conditions ?? []).some(
    (condition) => condition.type === 'Failed' && (condition.status ?? 'True') === 'True',
  );
}

type Answer = { readonly certificate: string } | { readonly problem: string };

/** Undefined when the request says nothing that could be signed. */
function answerTo(
  request: SigningRequest,
  certify: (asked: RequestedCertificate) => string,
): Answer | undefined {
  const { signerName, usages = [], expirationSeconds } = request.spec;
  const parsed = readable(request);
  if (parsed === undefined) return undefined;
  const problem = signerProblem(signerName, parsed, usages);
  if (problem !== undefined) return { problem };
  // Whoever cannot prove to have the key gets nothing, and is not told again and again.
  if (!isSignedByItself(parsed)) return undefined;
  const lifetimeMs = lifetimeSeconds(expirationSeconds) * 1000;
  return { certificate: certify({ request: parsed, usages, lifetimeMs }) };
}

/** What was asked for, within what is allowed. */
function lifetimeSeconds(asked: number | undefined): number {
  return Math.max(SHORTEST_SECONDS, Math.min(LONGEST_SECONDS, asked ?? LONGEST_SECONDS));
}

function statusWith(
  { status }: SigningRequest,
  answer: Answer,
  now: Date,
): NonNullable<SigningRequest['status']> {
  if ('certificate' in answer) {
    return { ...status, certificate: Buffer.from(answer.certificate).toString('base64') };
  }
  const failed = {
    type: 'Failed',
    status: 'True',
    reason: 'SignerValidationFailure',
    message: answer.problem,
    lastUpdateTime: formatTime(now),
  };
  return { ...status, conditions: [...(status?.conditions ?? []), failed] };
}
