import {
  at,
  child,
  deepEqual,
  duplicate,
  type FieldError,
  forbidden,
  formatTime,
  humanDuration,
  invalid,
  type KubeObject,
  notSupported,
  required,
} from '@flotilla/machinery';
import type { KindBehaviour, KindContext } from '../behaviour.ts';
import { base64Bytes } from '../core/base64.ts';
import { age, nameCell } from '../core/cells.ts';
import { diffValues } from '../value-diff.ts';
import { certificateProblem, requestProblem } from './certificate-pem.ts';
import { validateSignerName } from './signer-name.ts';

const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown';
const MIN_SECONDS = 600;
const verdicts = ['Approved', 'Denied'];
const lasting = [...verdicts, 'Failed'];

const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

interface CsrCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastUpdateTime?: string | null;
  lastTransitionTime?: string | null;
}

interface CertificateSigningRequest extends KubeObject {
  spec: {
    request: string | null;
    signerName: string;
    expirationSeconds?: number;
    usages?: string[];
    username?: string;
    uid?: string;
    groups?: string[];
    extra?: Record<string, string[]>;
  };
  status: { conditions?: CsrCondition[]; certificate?: string };
}

type Csr = CertificateSigningRequest;

/** A wish for a certificate: approved through one subresource, answered through another. */
export const certificateSigningRequest: KindBehaviour<Csr> = {
  nameRule: () => [],
  prepareForCreate: stampRequester,
  prepareForUpdate: (object, old) => {
    object.spec = old.spec;
    object.status = old.status;
  },
  prepareForStatusUpdate: (object, old, { now }) => {
    for (const verdict of verdicts) keepConditions(object, old, verdict);
    stampConditions(object, old, now());
  },
  validate: (object) => validate(object, undefined),
  validateOnUpdate: false,
  validateUpdate: (object, old) => validateChange(object, old, 'object'),
  validateStatusUpdate: (object, old) => validateChange(object, old, 'status'),
  subresources: {
    approval: {
      prepareForUpdate: (object, old, { now }) => {
        stampConditions(object, old, now());
        const { conditions } = object.status;
        object.spec = old.spec;
        object.status = { ...old.status, ...(conditions === undefined ? {} : { conditions }) };
        if (conditions === undefined) delete object.status.conditions;
      },
      validateUpdate: (object, old) => validateChange(object, old, 'approval'),
    },
  },
  selectableFields: { 'spec.signerName': ({ spec }) => spec.signerName },
  cells: (object, { now }) => [
    nameCell(object),
    age(object, now),
    object.spec.signerName || '<none>',
    object.spec.username ?? '',
    object.spec.expirationSeconds === undefined
      ? '<none>'
      : humanDuration(object.spec.expirationSeconds * 1000),
    statusCell(object),
  ],
};

/** Who asks is what the server knows, never what the request says. */
function stampRequester(object: Csr, { user, requester }: KindContext): void {
  const { spec } = object;
  spec.username = user;
  delete spec.uid;
  delete spec.groups;
  delete spec.extra;
  if (requester?.uid) spec.uid = requester.uid;
  if (requester?.groups.length) spec.groups = [...requester.groups];
  const extra = Object.entries(requester?.extra ?? {}).map(([key, values]) => [key, [...values]]);
  if (extra.length > 0) spec.extra = Object.fromEntries(extra);
  object.status = {};
}

function conditions(object: Csr): readonly CsrCondition[] {
  return object.status.conditions ?? [];
}

function ofType(object: Csr, type: string): CsrCondition[] {
  return conditions(object).filter((condition) => condition.type === type);
}

/** Writers of status leave the verdict as it is; adding or removing one is for validation to refuse. */
function keepConditions(object: Csr, old: Csr, type: string): void {
  const kept = ofType(old, type);
  if (kept.length === 0 || kept.length !== ofType(object, type).length) return;
  object.status.conditions = conditions(object).map((condition) =>
    condition.type === type ? (kept.shift() ?? condition) : condition,
  );
}

function stampConditions(object: Csr, old: Csr, now: Date): void {
  if (object.status.conditions === undefined) return;
  const time = formatTime(now);
  object.status.conditions = object.status.conditions.map((condition) => {
    const before = conditions(old).find(
      ({ type, status, lastTransitionTime }) =>
        type === condition.type && status === condition.status && lastTransitionTime,
    );
    return {
      ...condition,
      lastUpdateTime: condition.lastUpdateTime || time,
      lastTransitionTime: condition.lastTransitionTime || before?.lastTransitionTime || time,
    };
  });
}

function validate(object: Csr, old: Csr | undefined): FieldError[] {
  const { spec } = object;
  const errors: FieldError[] = [];
  const problem = requestProblem(base64Bytes(spec.request ?? ''));
  if (problem !== undefined) errors.push(invalid('spec.request', spec.request ?? null, problem));
  errors.push(...validateUsages(spec.usages ?? [], old));
  if (spec.signerName === LEGACY_SIGNER && old?.spec.signerName !== LEGACY_SIGNER) {
    const detail = 'the legacy signerName is not allowed via this API version';
    errors.push(invalid('spec.signerName', spec.signerName, detail));
  } else errors.push(...validateSignerName(spec.signerName, 'spec.signerName'));
  if (spec.expirationSeconds !== undefined && spec.expirationSeconds < MIN_SECONDS) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    errors.push(invalid('spec.expirationSeconds', spec.expirationSeconds, detail));
  }
  errors.push(...validateConditionList(object, old));
  const certificate = object.status.certificate ?? '';
  if (certificate !== (old?.status.certificate ?? '') || old === undefined) {
    const broken = certificateProblem(base64Bytes(certificate));
    if (broken !== undefined) {
      errors.push(invalid('status.certificate', '<certificate data>', broken));
    }
  }
  return errors;
}

function validateUsages(asked: readonly string[], old: Csr | undefined): FieldError[] {
  const path = 'spec.usages';
  if (asked.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const before = old?.spec.usages ?? [];
  if (before.every((usage) => usages.includes(usage))) {
    for (const [index, usage] of asked.entries()) {
      if (!usages.includes(usage)) errors.push(notSupported(at(path, index), usage, usages));
    }
  }
  if (new Set(before).size === before.length) {
    const seen = new Set<string>();
    for (const [index, usage] of asked.entries()) {
      if (seen.has(usage)) errors.push(duplicate(at(path, index), usage));
      seen.add(usage);
    }
  }
  return errors;
}

function validateConditionList(object: Csr, old: Csr | undefined): FieldError[] {
  const path = 'status.conditions';
  const hadBoth = old !== undefined && verdicts.every((verdict) => ofType(old, verdict).length > 0);
  const seen = new Set<string>();
  return conditions(object).flatMap(({ type, status }, index) => {
    const itemPath = at(path, index);
    const errors: FieldError[] = type === '' ? [required(child(itemPath, 'type'))] : [];
    const allowed = lasting.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
    if (status === '') errors.push(required(child(itemPath, 'status')));
    else if (!allowed.includes(status)) {
      errors.push(notSupported(child(itemPath, 'status'), status, allowed));
    }
    const other = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    if (!hadBoth && other !== undefined && seen.has(other)) {
      errors.push(invalid(path, type, 'Approved and Denied conditions are mutually exclusive'));
    }
    if (seen.has(type)) errors.push(duplicate(child(itemPath, 'type'), type));
    seen.add(type);
    return errors;
  });
}

function validateChange(
  object: Csr,
  old: Csr,
  through: 'object' | 'status' | 'approval',
): FieldError[] {
  const path = 'status.conditions';
  const errors = validate(object, old);
  for (const type of lasting) {
    if (ofType(object, type).length < ofType(old, type).length) {
      errors.push(forbidden(path, `updates may not remove a condition of type "${type}"`));
    }
  }
  for (const type of through === 'approval' ? [] : verdicts) {
    const next = ofType(object, type);
    const before = ofType(old, type);
    if (next.length > before.length) {
      errors.push(forbidden(path, `updates may not add a condition of type "${type}"`));
    } else if (next.length === before.length && !deepEqual(next, before)) {
      const diff = diffValues(before.map(shownCondition), next.map(shownCondition));
      errors.push(forbidden(path, `updates may not modify a condition of type "${type}"\n${diff}`));
    }
  }
  const certificate = old.status.certificate ?? '';
  if ((object.status.certificate ?? '') !== certificate) {
    if (through !== 'status') {
      errors.push(forbidden('status.certificate', 'updates may not set certificate content'));
    } else if (certificate !== '') {
      const detail = 'updates may not modify existing certificate content';
      errors.push(forbidden('status.certificate', detail));
    }
  }
  return errors;
}

function shownCondition(condition: CsrCondition): unknown {
  return {
    Type: condition.type,
    Status: condition.status,
    Reason: condition.reason ?? '',
    Message: condition.message ?? '',
    LastUpdateTime: condition.lastUpdateTime ?? null,
    LastTransitionTime: condition.lastTransitionTime ?? null,
  };
}

function statusCell(object: Csr): string {
  const has = (type: string) => ofType(object, type).length > 0;
  const verdict = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  const failed = has('Failed') ? ',Failed' : '';
  return `${verdict}${failed}${object.status.certificate ? ',Issued' : ''}`;
}
