import { badRequest, goQuote, internalError, StatusError } from '@flotilla/machinery';
import type { Admission } from '../../objects/engine.ts';
import type { WebhookClient } from '../../webhook/client.ts';
import { WebhookFailure } from '../../webhook/failure.ts';
import type { Invocation } from './invocation.ts';
import {
  InvalidReview,
  type ReviewedObjects,
  readVerdict,
  reviewRequest,
  reviewVersion,
  UnreadableReview,
  type Verdict,
} from './review.ts';

/** What calling webhooks needs. */
export interface CallDeps {
  readonly client: WebhookClient;
  readonly newUid: () => string;
}

/** The webhook could not be asked, or did not answer as it must: its failure policy decides what that means. */
export class CallFailure extends Error {
  constructor(webhook: string, reason: string, options?: { cause: unknown }) {
    super(`failed calling webhook ${goQuote(webhook)}: ${reason}`, options);
    this.name = 'CallFailure';
  }
}

const DEFAULT_TIMEOUT_SECONDS = 10;

/** Asks one webhook; throws its refusal, or a CallFailure. */
export async function callHook(
  { client, newUid }: CallDeps,
  { hook, def }: Invocation,
  asked: { admission: Admission; objects: ReviewedObjects; mutating: boolean },
): Promise<Verdict> {
  const { spec } = hook;
  const { admission, objects, mutating } = asked;
  checkDryRun(spec, admission);
  const version = reviewVersion(spec.admissionReviewVersions ?? []);
  if (version === undefined) {
    throw new CallFailure(
      spec.name,
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    );
  }
  const uid = newUid();
  const body = reviewRequest(admission, objects, { uid, version, def });
  const verdict = await ask(client, { invocation: { hook, def }, admission, body }, (answer) =>
    readVerdict(answer, { uid, version, mutating }),
  );
  for (const warning of verdict.warnings) admission.warn(warning);
  if (!verdict.allowed) throw denial(spec.name, verdict.result);
  return verdict;
}

async function ask(
  client: WebhookClient,
  { invocation, admission, body }: { invocation: Invocation; admission: Admission; body: Buffer },
  read: (answer: Buffer) => Verdict,
): Promise<Verdict> {
  const { spec } = invocation.hook;
  try {
    const answer = await client.post({
      tenant: admission.tenant,
      target: spec.clientConfig,
      body,
      timeoutSeconds: spec.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
      signal: admission.origin?.signal,
    });
    return read(answer);
  } catch (cause) {
    throw new CallFailure(spec.name, reasonOf(cause), { cause });
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof InvalidReview) return `received invalid webhook response: ${cause.message}`;
  if (cause instanceof UnreadableReview) return `failed to call webhook: ${cause.message}`;
  if (!(cause instanceof WebhookFailure)) throw cause;
  return cause.stage === 'client'
    ? `could not get REST client: ${cause.message}`
    : `failed to call webhook: ${cause.message}`;
}

/** A dry run must leave no trace, so only webhooks that promise it are asked. */
function checkDryRun(spec: Invocation['hook']['spec'], { dryRun }: Admission): void {
  if (!dryRun) return;
  if (spec.sideEffects === undefined || spec.sideEffects === null) {
    throw new CallFailure(spec.name, 'Webhook SideEffects is nil');
  }
  if (spec.sideEffects !== 'None' && spec.sideEffects !== 'NoneOnDryRun') {
    throw badRequest(`admission webhook ${goQuote(spec.name)} does not support dry run`);
  }
}

/** The refusal of a webhook, with the Status it sent: never a success, whatever that says. */
export function denial(
  webhook: string,
  result: Readonly<Record<string, unknown>> = {},
): StatusError {
  const by = `admission webhook ${goQuote(webhook)} denied the request`;
  const text = (name: string): string => {
    const value = result[name];
    return typeof value === 'string' ? value : '';
  };
  const explained = text('message') || text('reason');
  const sent = Number(result['code'] ?? 0);
  const code = Number.isInteger(sent) && sent >= 400 && sent <= 999 ? sent : 400;
  const details = result['details'];
  return new StatusError(
    code,
    text('reason') as StatusError['reason'],
    explained === '' ? `${by} without explanation` : `${by}: ${explained}`,
    typeof details === 'object' && details !== null
      ? (details as NonNullable<StatusError['details']>)
      : undefined,
  );
}

/** What a failed call means where the webhook must be asked. */
export function failClosed(failure: CallFailure): StatusError {
  return internalError(failure.message);
}
