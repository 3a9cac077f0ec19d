import {
  deepEqual,
  type FieldError,
  forbidden,
  invalid,
  isConfigMapKey,
  type KubeObject,
  keyed,
  required,
  setOwn,
  tooLong,
  validateImmutable,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { base64Bytes, base64Length } from './base64.ts';
import { age, nameCell } from './cells.ts';
import { emptyNulls, MAX_DATA_BYTES, sealedDetail } from './config-map.ts';
import { goJsonObjectProblem } from './go-json-problem.ts';
import { keyPairProblem } from './key-pair.ts';

const SERVICE_ACCOUNT_NAME = 'kubernetes.io/service-account.name';

interface Secret extends KubeObject {
  type?: string;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  immutable?: boolean;
}

/** Bytes under file-like keys, with rules per type; `stringData` is folded into `data` as it is read. */
export const secret: KindBehaviour<Secret> = {
  defaults: (object) => {
    foldStringData(object);
    object.type ||= 'Opaque';
  },
  validate,
  validateOnUpdate: false,
  validateUpdate: (object, old) => [
    ...validateImmutable(object.type ?? '', old.type ?? '', 'type'),
    ...validateSealed(object, old),
    ...validate(object),
  ],
  warnings: (object) => {
    if (object.type !== 'kubernetes.io/tls') return [];
    const problem = keyPairProblem(
      base64Bytes(object.data?.['tls.crt']),
      base64Bytes(object.data?.['tls.key']),
    );
    return problem === undefined ? [] : [problem];
  },
  selectableFields: { type: (object) => object.type ?? '' },
  cells: (object, { now }) => [
    nameCell(object),
    object.type ?? '',
    Object.keys(object.data ?? {}).length,
    age(object, now),
  ],
};

function foldStringData(object: Secret): void {
  emptyNulls(object.data);
  const { stringData } = object;
  if (stringData === undefined) return;
  for (const [key, value] of Object.entries(stringData)) {
    object.data ??= {};
    // A plain assignment would lose the key "__proto__".
    setOwn(object.data, key, Buffer.from(value, 'utf8').toString('base64'));
  }
  delete object.stringData;
}

function validate(object: Secret): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(object.data ?? {})) {
    const path = keyed('data', key);
    errors.push(...isConfigMapKey(key).map((message) => invalid(path, key, message)));
    size += base64Length(value);
  }
  if (size > MAX_DATA_BYTES) errors.push(tooLong('data', '', MAX_DATA_BYTES));
  return [...errors, ...validateType(object)];
}

function validateType(object: Secret): FieldError[] {
  const { data = {} } = object;
  switch (object.type) {
    case 'kubernetes.io/service-account-token':
      return object.metadata.annotations?.[SERVICE_ACCOUNT_NAME]
        ? []
        : [required(keyed('metadata.annotations', SERVICE_ACCOUNT_NAME))];
    case 'kubernetes.io/dockercfg':
      return validateJson(data, '.dockercfg');
    case 'kubernetes.io/dockerconfigjson':
      return validateJson(data, '.dockerconfigjson');
    case 'kubernetes.io/basic-auth':
      return Object.hasOwn(data, 'username') || Object.hasOwn(data, 'password')
        ? []
        : [required('data[username]'), required('data[password]')];
    case 'kubernetes.io/ssh-auth':
      return data['ssh-privatekey'] ? [] : [required('data[ssh-privatekey]')];
    case 'kubernetes.io/tls':
      return ['tls.crt', 'tls.key']
        .filter((key) => !Object.hasOwn(data, key))
        .map((key) => required(keyed('data', key)));
    default:
      return [];
  }
}

function validateJson(data: Readonly<Record<string, string>>, key: string): FieldError[] {
  if (!Object.hasOwn(data, key)) return [required(keyed('data', key))];
  const problem = goJsonObjectProblem(base64Bytes(data[key]).toString('utf8'));
  if (problem === undefined) return [];
  return [invalid(keyed('data', key), '<secret contents redacted>', problem)];
}

function validateSealed(object: Secret, old: Secret): FieldError[] {
  if (old.immutable !== true) return [];
  const errors: FieldError[] = [];
  if (object.immutable !== true) errors.push(forbidden('immutable', sealedDetail));
  if (!deepEqual(object.data, old.data)) errors.push(forbidden('data', sealedDetail));
  return errors;
}
