import { encodeJson, internalError, type KubeObject } from '@flotilla/machinery';
import type { Tenant } from '../storage/store.ts';
import type { WebhookClient } from '../webhook/client.ts';
import { WebhookFailure } from '../webhook/failure.ts';
import type { ConvertRemotely } from './conversion.ts';
import {
  BadConversion,
  kindText,
  readReview,
  reviewRequest,
  reviewVersion,
} from './conversion-review.ts';
import type { CustomResourceDefinition } from './crd.ts';

/** Upstream's limit on one conversion. */
const TIMEOUT_SECONDS = 30;
/** Lists larger than this are sent in parts: an answer must fit into what we are willing to hold. */
const MAX_REVIEW_BYTES = 4 * 1024 * 1024;

/** What asking a conversion webhook takes. */
export interface ConversionWebhookDeps {
  readonly client: WebhookClient;
  readonly newUid: () => string;
}

/** Gives the function that asks a CRD's conversion webhook; undefined where the CRD has none. */
export function conversionWebhook(
  { client, newUid }: ConversionWebhookDeps,
  tenant: Tenant,
  crd: CustomResourceDefinition,
): ConvertRemotely | undefined {
  const { conversion } = crd.spec;
  if (conversion?.strategy !== 'Webhook') return undefined;
  const { clientConfig = {}, conversionReviewVersions = [] } = conversion.webhook ?? {};
  return async (objects, desired) => {
    const converted: KubeObject[] = [];
    for (const part of parts(objects)) {
      const about = kindText(part[0]);
      try {
        const review = {
          uid: newUid(),
          version: reviewVersion(conversionReviewVersions),
          desired,
          objects: part,
        };
        const body = Buffer.from(encodeJson(reviewRequest(review)));
        const answer = await client.post({
          tenant,
          target: clientConfig,
          body,
          timeoutSeconds: TIMEOUT_SECONDS,
        });
        converted.push(...readReview(review, answer));
      } catch (error) {
        if (error instanceof WebhookFailure) {
          throw internalError(`conversion webhook for ${about} failed: ${error.message}`);
        }
        if (error instanceof BadConversion) throw internalError(error.message);
        throw error;
      }
    }
    return converted;
  };
}

function* parts(objects: readonly KubeObject[]): Generator<readonly KubeObject[]> {
  let part: KubeObject[] = [];
  let size = 0;
  for (const object of objects) {
    const bytes = encodeJson(object).length;
    if (part.length > 0 && size + bytes > MAX_REVIEW_BYTES) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(object);
    size += bytes;
  }
  if (part.length > 0) yield part;
}
