import type { Secret } from '@flotilla/client';
import {
  ALIAS_ANNOTATION,
  OWNER_ANNOTATION,
  OWNER_UID_ANNOTATION,
  SECRET_KEYS,
  VERSION_ANNOTATION,
} from '../../cluster-secret/names.ts';
import { HINT_ANNOTATIONS } from '../vendor/vendor-hints.ts';

const KEYS = [SECRET_KEYS.endpoint, SECRET_KEYS.ca, SECRET_KEYS.oldCa, SECRET_KEYS.proxyUrl];
const ANNOTATIONS = [
  ALIAS_ANNOTATION,
  VERSION_ANNOTATION,
  OWNER_ANNOTATION,
  OWNER_UID_ANNOTATION,
  ...HINT_ANNOTATIONS,
];

/**
 * What the inventory keeps of a cluster Secret: nothing that opens the cluster. What is not in memory cannot end up in a
 * profile, and annotations such as the last applied configuration hold credentials as well.
 */
export function slimSecret(secret: Secret): Secret {
  const { apiVersion, kind, metadata, data = {} } = secret;
  const { name, namespace, uid, resourceVersion, creationTimestamp, labels } = metadata;
  return {
    apiVersion: apiVersion ?? 'v1',
    kind: kind ?? 'Secret',
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(labels === undefined ? {} : { labels }),
      annotations: picked(metadata.annotations ?? {}, ANNOTATIONS),
    },
    data: picked(data, KEYS),
  };
}

function picked(
  from: Readonly<Record<string, string>>,
  keys: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = Object.hasOwn(from, key) ? from[key] : undefined;
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
