import {
  byteLength,
  deepEqual,
  type FieldError,
  forbidden,
  invalid,
  isConfigMapKey,
  type KubeObject,
  keyed,
  tooLong,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { repeatMetadata } from '../finalizer-names.ts';
import { base64Length } from './base64.ts';
import { age, nameCell } from './cells.ts';

/** The most data a ConfigMap or a Secret may hold: 1 MiB. */
export const MAX_DATA_BYTES = 1024 * 1024;

/** The detail about a field of an object whose `immutable` is true. */
export const sealedDetail = 'field is immutable when `immutable` is set';

interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
  immutable?: boolean;
}

/** Text and bytes under file-like keys; once immutable, for good. */
export const configMap: KindBehaviour<ConfigMap> = {
  defaults: ({ binaryData }) => emptyNulls(binaryData),
  validate,
  validateOnUpdate: false,
  // Upstream checks the metadata once more, between the seal and the data.
  validateUpdate: (object, old) => [
    ...validateSealed(object, old),
    ...repeatMetadata(object.metadata),
    ...validate(object),
  ],
  cells: (object, { now }) => [
    nameCell(object),
    Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length,
    age(object, now),
  ],
};

/** Go reads a null among bytes as no bytes. */
export function emptyNulls(bytes: Record<string, string | null> | undefined): void {
  for (const [key, value] of Object.entries(bytes ?? {})) {
    if (value === null && bytes !== undefined) bytes[key] = '';
  }
}

function validate(object: ConfigMap): FieldError[] {
  const { data = {}, binaryData = {} } = object;
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    const path = keyed('data', key);
    errors.push(...isConfigMapKey(key).map((message) => invalid(path, key, message)));
    if (Object.hasOwn(binaryData, key)) {
      errors.push(invalid(path, key, 'duplicate of key present in binaryData'));
    }
    size += byteLength(value);
  }
  for (const [key, value] of Object.entries(binaryData)) {
    const path = keyed('binaryData', key);
    errors.push(...isConfigMapKey(key).map((message) => invalid(path, key, message)));
    size += base64Length(value);
  }
  // Upstream's path of the whole object prints as an empty index.
  if (size > MAX_DATA_BYTES) errors.push(tooLong('[]', '', MAX_DATA_BYTES));
  return errors;
}

function validateSealed(object: ConfigMap, old: ConfigMap): FieldError[] {
  if (old.immutable !== true) return [];
  const errors: FieldError[] = [];
  if (object.immutable !== true) errors.push(forbidden('immutable', sealedDetail));
  if (!deepEqual(object.data, old.data)) errors.push(forbidden('data', sealedDetail));
  if (!deepEqual(object.binaryData, old.binaryData)) {
    errors.push(forbidden('binaryData', sealedDetail));
  }
  return errors;
}
