import {
  type FieldError,
  forbidden,
  type KubeObject,
  notSupported,
  required,
  validateImmutable,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from '../core/cells.ts';

/** The highest value anyone but the system may give. */
const HIGHEST_USER_PRIORITY = 1_000_000_000;
const SYSTEM_PREFIX = 'system-';

const systemPriorities: Readonly<Record<string, number>> = {
  'system-node-critical': 2 * HIGHEST_USER_PRIORITY + 1000,
  'system-cluster-critical': 2 * HIGHEST_USER_PRIORITY,
};

interface PriorityClass extends KubeObject {
  value: number;
  globalDefault?: boolean;
  preemptionPolicy?: string;
}

/** How important pods are against each other. Its generation stays 1: nothing that counts may change. */
export const priorityClass: KindBehaviour<PriorityClass> = {
  defaults: (object) => {
    object.preemptionPolicy ??= 'PreemptLowerPriority';
  },
  prepareForCreate: (object) => {
    object.metadata.generation = 1;
  },
  prepareForUpdate: (object, old) => {
    if (old.metadata.generation !== undefined) {
      object.metadata.generation = old.metadata.generation;
    }
  },
  validate: (object) => [...validateValue(object), ...validatePreemption(object.preemptionPolicy)],
  validateOnUpdate: false,
  validateUpdate: (object, old) => [
    ...(object.value === old.value ? [] : [forbidden('value', 'may not be changed in an update.')]),
    ...validateImmutable(object.preemptionPolicy, old.preemptionPolicy, 'preemptionPolicy'),
  ],
  cells: (object, { now }) => [
    nameCell(object),
    object.value,
    object.globalDefault ?? false,
    age(object, now),
    object.preemptionPolicy ?? '',
  ],
};

function validateValue({ metadata, value, globalDefault = false }: PriorityClass): FieldError[] {
  const { name = '' } = metadata;
  if (!name.startsWith(SYSTEM_PREFIX)) {
    if (value <= HIGHEST_USER_PRIORITY) return [];
    const detail = `maximum allowed value of a user defined priority is ${HIGHEST_USER_PRIORITY}`;
    return [forbidden('value', detail)];
  }
  const problem = systemProblem(name, value, globalDefault);
  if (problem === undefined) return [];
  const detail = `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: ${problem}`;
  return [forbidden('metadata.name', detail)];
}

function systemProblem(name: string, value: number, globalDefault: boolean): string | undefined {
  const expected = Object.hasOwn(systemPriorities, name) ? systemPriorities[name] : undefined;
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function validatePreemption(policy: string | undefined): FieldError[] {
  if (policy === undefined || policy === 'PreemptLowerPriority' || policy === 'Never') return [];
  if (policy === '') return [required('preemptionPolicy')];
  return [notSupported('preemptionPolicy', policy, ['PreemptLowerPriority', 'Never'])];
}
