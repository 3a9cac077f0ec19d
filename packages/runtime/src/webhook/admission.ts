import {
  deepCopy,
  encodeJson,
  formatGroupVersionKind,
  isJsonObject,
  type Json,
  type Kind,
  type KubeObject,
  StatusError,
} from '@flotilla/machinery';
import { redact } from '../conditions/redact.ts';
import { jsonDiff } from './json-diff.ts';
import { type AdmissionRequest, BadReview, requestIn } from './review.ts';
import type { Webhook } from './webhook.ts';

/** One object under review. */
export interface Review<T extends KubeObject> {
  readonly request: AdmissionRequest<T>;
  /** What is to be stored; undefined on DELETE and CONNECT. Mutating webhooks change it in place. */
  readonly object: T | undefined;
  /** What is stored; undefined on CREATE and CONNECT. */
  readonly oldObject: T | undefined;
  /** Shown to the user, whether the object is accepted or not. */
  readonly warn: (text: string) => void;
  /** Put into the audit log. */
  readonly annotate: (key: string, value: string) => void;
  readonly signal: AbortSignal;
}

/** Looks at an object; throws a StatusError (`invalidObject`, `forbiddenError`, …) to refuse it. */
export type Reviewer<T extends KubeObject> = (review: Review<T>) => void | Promise<void>;

const ADMISSION = 'admission.k8s.io/v1';
/** API servers cut longer ones, and all of them together at 4 KB. */
const LONGEST_WARNING = 256;
const MOST_WARNINGS = 16;

/**
 * A webhook that may change objects: it edits `review.object`, and what it did becomes a JSON Patch.
 *
 * @example
 * mutatingWebhook(ClusterRegistrations, ({ object }) => {
 *   if (object !== undefined) object.metadata.labels = { ...object.metadata.labels, seen: 'true' };
 * });
 */
export function mutatingWebhook<T extends KubeObject>(kind: Kind<T>, review: Reviewer<T>): Webhook {
  return { path: pathOf('mutate', kind), answer: answerer(kind, review, true) };
}

/** A webhook that accepts or refuses objects; what it changes is dropped. */
export function validatingWebhook<T extends KubeObject>(
  kind: Kind<T>,
  review: Reviewer<T>,
): Webhook {
  return { path: pathOf('validate', kind), answer: answerer(kind, review, false) };
}

/** The path under which controller-runtime would serve it, too: `/validate-apps-v1-deployment`. */
function pathOf(verb: 'mutate' | 'validate', { group, version, kind }: Kind): string {
  return `/${verb}-${group.replaceAll('.', '-')}-${version}-${kind.toLowerCase()}`;
}

function answerer<T extends KubeObject>(
  kind: Kind<T>,
  review: Reviewer<T>,
  mayChange: boolean,
): Webhook['answer'] {
  return async (body, signal) => {
    const request = requestOf(body, kind);
    const given = request.object ?? undefined;
    const object = given === undefined ? undefined : deepCopy(given);
    const warnings: string[] = [];
    const annotations: Record<string, string> = {};
    const refusal = await refusalOf(() =>
      review({
        request,
        object,
        oldObject: request.oldObject ?? undefined,
        warn: (text) => {
          if (warnings.length < MOST_WARNINGS)
            warnings.push(redact(text).slice(0, LONGEST_WARNING));
        },
        annotate: (key, value) => {
          annotations[key] = value;
        },
        signal,
      }),
    );
    const steps = mayChange && refusal === undefined ? jsonDiff(given, object) : [];
    return {
      kind: 'AdmissionReview',
      apiVersion: ADMISSION,
      response: {
        uid: request.uid,
        allowed: refusal === undefined,
        ...(refusal === undefined ? {} : { status: refusal }),
        ...(steps.length === 0
          ? {}
          : {
              patchType: 'JSONPatch',
              patch: Buffer.from(encodeJson(steps)).toString('base64'),
            }),
        ...(warnings.length === 0 ? {} : { warnings }),
        ...(Object.keys(annotations).length === 0 ? {} : { auditAnnotations: annotations }),
      },
    };
  };
}

/** A StatusError is an answer; anything else is a fault, after which the failure policy decides. */
async function refusalOf(review: () => void | Promise<void>): Promise<Json | undefined> {
  try {
    await review();
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const { code, reason, message, details } = error;
    return {
      status: 'Failure',
      code,
      reason,
      message,
      ...(details === undefined ? {} : { details }),
    };
  }
}

function requestOf<T extends KubeObject>(body: unknown, kind: Kind<T>): AdmissionRequest<T> {
  const request = requestIn(body, ADMISSION, 'AdmissionReview');
  const asked = request['kind'];
  const isOurs =
    isJsonObject(asked) &&
    asked['group'] === kind.group &&
    asked['version'] === kind.version &&
    asked['kind'] === kind.kind;
  if (!isOurs) {
    const found = JSON.stringify(asked ?? null).slice(0, 200);
    throw new BadReview(`it is about ${found}, this path is for "${formatGroupVersionKind(kind)}"`);
  }
  for (const name of ['object', 'oldObject'] as const) {
    const value = request[name];
    if (value !== undefined && value !== null && !isJsonObject(value)) {
      throw new BadReview(`its ${name} is no object`);
    }
  }
  return request as unknown as AdmissionRequest<T>;
}
