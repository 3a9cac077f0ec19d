import {
  child,
  type FieldError,
  forbidden,
  invalid,
  type KubeObject,
  notSupported,
  required,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from '../core/cells.ts';
import { type FlowCondition, validateFlowConditions } from './flow-conditions.ts';

const MAX_QUEUES = 10_000_000;
/** Bits of the hash that deals requests to queues. */
const MAX_HASH_BITS = 60;
const PRESERVE_ZERO = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
const types = ['Exempt', 'Limited'];
const responses = ['Queue', 'Reject'];

interface Queuing {
  queues: number;
  handSize: number;
  queueLengthLimit: number;
}

interface Limited {
  nominalConcurrencyShares?: number;
  limitResponse: { type: string; queuing?: Queuing };
  lendablePercent?: number;
  borrowingLimitPercent?: number;
}

interface Exempt {
  nominalConcurrencyShares?: number;
  lendablePercent?: number;
}

interface PriorityLevelConfiguration extends KubeObject {
  spec: { type: string; limited?: Limited; exempt?: Exempt };
  status: { conditions?: FlowCondition[] };
}

/** How many requests of one kind are served at a time. */
export const priorityLevelConfiguration: KindBehaviour<PriorityLevelConfiguration> = {
  keepsMetadataOnStatus: true,
  generation: 'spec',
  defaults: ({ spec: { limited, exempt } }) => {
    if (exempt !== undefined) {
      exempt.nominalConcurrencyShares ??= 0;
      exempt.lendablePercent ??= 0;
    }
    if (limited === undefined) return;
    limited.nominalConcurrencyShares ??= 30;
    limited.lendablePercent ??= 0;
    const { queuing } = limited.limitResponse;
    if (queuing === undefined) return;
    queuing.handSize ||= 8;
    queuing.queues ||= 64;
    queuing.queueLengthLimit ||= 50;
  },
  validate: (object) => [
    ...(Object.hasOwn(object.metadata.annotations ?? {}, PRESERVE_ZERO)
      ? [forbidden('metadata.annotations', `annotation '${PRESERVE_ZERO}' is forbidden`)]
      : []),
    ...validateSpec(object),
    ...validateFlowConditions(object.status.conditions),
  ],
  validateStatusUpdate: ({ status }) => validateFlowConditions(status.conditions),
  cells: (object, { now }) => {
    const { type, limited } = object.spec;
    const queuing = limited?.limitResponse.queuing;
    return [
      nameCell(object),
      type,
      limited?.nominalConcurrencyShares ?? '<none>',
      queuing?.queues ?? '<none>',
      queuing?.handSize ?? '<none>',
      queuing?.queueLengthLimit ?? '<none>',
      age(object, now),
    ];
  },
};

function validateSpec({ metadata, spec }: PriorityLevelConfiguration): FieldError[] {
  const { type, limited, exempt } = spec;
  const errors: FieldError[] = [];
  if ((metadata.name === 'exempt') !== (type === 'Exempt')) {
    const detail = "must be 'Exempt' if and only if `name` is 'exempt'";
    errors.push(invalid('spec.type', type, detail));
  }
  if (!types.includes(type)) return [...errors, notSupported('spec.type', type, types)];
  if (type === 'Exempt') {
    if (limited !== undefined) {
      errors.push(forbidden('spec.limited', 'must be nil if the type is not Limited'));
    }
    return exempt === undefined ? errors : [...errors, ...validateExempt(exempt, 'spec.exempt')];
  }
  if (exempt !== undefined) {
    errors.push(forbidden('spec.exempt', 'must be nil if the type is Limited'));
  }
  if (limited !== undefined) return [...errors, ...validateLimited(limited, 'spec.limited')];
  return [...errors, required('spec.limited', 'must not be empty when type is Limited')];
}

function validateExempt(exempt: Exempt, path: string): FieldError[] {
  return [
    ...validateShares(exempt.nominalConcurrencyShares, path),
    ...validateLendable(exempt.lendablePercent, path),
  ];
}

function validateLimited(limited: Limited, path: string): FieldError[] {
  const { borrowingLimitPercent: borrowing } = limited;
  const errors = [
    ...validateShares(limited.nominalConcurrencyShares, path),
    ...validateResponse(limited.limitResponse, child(path, 'limitResponse')),
    ...validateLendable(limited.lendablePercent, path),
  ];
  if (borrowing !== undefined && borrowing < 0) {
    const detail = 'if specified, must be a non-negative integer';
    errors.push(invalid(child(path, 'borrowingLimitPercent'), borrowing, detail));
  }
  return errors;
}

function validateShares(shares: number | undefined, path: string): FieldError[] {
  if (shares === undefined || shares >= 0) return [];
  const detail = 'must be a non-negative integer';
  return [invalid(child(path, 'nominalConcurrencyShares'), shares, detail)];
}

function validateLendable(percent: number | undefined, path: string): FieldError[] {
  if (percent === undefined || (percent >= 0 && percent <= 100)) return [];
  const detail = 'must be between 0 and 100, inclusive';
  return [invalid(child(path, 'lendablePercent'), percent, detail)];
}

function validateResponse({ type, queuing }: Limited['limitResponse'], path: string): FieldError[] {
  const queuingPath = child(path, 'queuing');
  if (!responses.includes(type)) return [notSupported(child(path, 'type'), type, responses)];
  if (type === 'Reject') {
    const detail = 'must be nil if limited.limitResponse.type is not Limited';
    return queuing === undefined ? [] : [forbidden(queuingPath, detail)];
  }
  if (queuing !== undefined) return validateQueuing(queuing, queuingPath);
  const detail = 'must not be empty if limited.limitResponse.type is Limited';
  return [required(queuingPath, detail)];
}

function validateQueuing(queuing: Queuing, path: string): FieldError[] {
  const { queues, handSize, queueLengthLimit } = queuing;
  const errors: FieldError[] = [];
  if (queueLengthLimit <= 0) {
    errors.push(invalid(child(path, 'queueLengthLimit'), queueLengthLimit, 'must be positive'));
  }
  const queuesPath = child(path, 'queues');
  if (queues <= 0) errors.push(invalid(queuesPath, queues, 'must be positive'));
  else if (queues > MAX_QUEUES) {
    errors.push(invalid(queuesPath, queues, `must not be greater than ${MAX_QUEUES}`));
  }
  const handPath = child(path, 'handSize');
  if (handSize <= 0) errors.push(invalid(handPath, handSize, 'must be positive'));
  else if (handSize > queues) {
    errors.push(invalid(handPath, handSize, `should not be greater than queues (${queues})`));
  } else if (Math.ceil(Math.log2(queues) * handSize) > MAX_HASH_BITS) {
    const detail = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${MAX_HASH_BITS}`;
    errors.push(invalid(handPath, handSize, detail));
  }
  return errors;
}
