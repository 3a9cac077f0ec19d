import {
  deepCopy,
  isJsonObject,
  type Json,
  type KubeObject,
  StatusError,
} from '@flotilla/machinery';
import { BadReview, requestIn } from './review.ts';
import type { Webhook } from './webhook.ts';

/** Converts objects of one kind between its versions. */
export interface Converter {
  readonly group: string;
  readonly kind: string;
  /** Gets a copy of its own; the apiVersion of what it returns is set afterwards. Throws what cannot be converted. */
  readonly convert: (object: KubeObject, version: string) => KubeObject | Promise<KubeObject>;
}

const CONVERSION = 'apiextensions.k8s.io/v1';

/** The webhook behind `spec.conversion` of CRDs, for all kinds of a program. */
export function conversionWebhook(converters: readonly Converter[], path = '/convert'): Webhook {
  return {
    path,
    answer: async (body) => {
      const request = requestIn(body, CONVERSION, 'ConversionReview');
      const { uid } = request;
      return {
        kind: 'ConversionReview',
        apiVersion: CONVERSION,
        response: { uid, ...(await converted(request, converters)) },
      };
    },
  };
}

/** All of the objects, or why one of them cannot be converted: API servers want all or none. */
async function converted(request: Json, converters: readonly Converter[]): Promise<Json> {
  const { desiredAPIVersion, objects } = request;
  if (typeof desiredAPIVersion !== 'string' || !Array.isArray(objects)) {
    throw new BadReview('it does not say what to convert');
  }
  const convertedObjects: KubeObject[] = [];
  try {
    for (const object of objects) {
      convertedObjects.push(await convertOne(object, desiredAPIVersion, converters));
    }
  } catch (error) {
    if (!(error instanceof StatusError) && !(error instanceof ConversionError)) throw error;
    return { result: { status: 'Failure', message: error.message } };
  }
  return { result: { status: 'Success' }, convertedObjects };
}

/** An object that has no equal in the wanted version. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

async function convertOne(
  object: unknown,
  apiVersion: string,
  converters: readonly Converter[],
): Promise<KubeObject> {
  if (!isJsonObject(object) || typeof object['apiVersion'] !== 'string') {
    throw new BadReview('one of its objects is none');
  }
  const [group, version = ''] = apiVersion.split('/');
  const from = object['apiVersion'].split('/')[0];
  const converter = converters.find(
    (each) => each.group === group && each.group === from && each.kind === object['kind'],
  );
  if (converter === undefined) {
    throw new ConversionError(
      `Cannot convert "${object['apiVersion']} ${String(object['kind'])}" to "${apiVersion}": nobody knows how`,
    );
  }
  const result = await converter.convert(deepCopy(object) as unknown as KubeObject, version);
  return { ...result, apiVersion, kind: converter.kind };
}
