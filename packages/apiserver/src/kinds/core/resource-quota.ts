import {
  child,
  type FieldError,
  immutableDetail,
  invalid,
  type KubeObject,
  keyed,
  required,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from './cells.ts';
import { amountOf, type ResourceList, roundResources, validateAmount } from './quantity-fields.ts';
import { isStandardQuotaResource, validateQuotaResourceName } from './resource-names.ts';

/** Each of these errors shows all scopes, so that a long list would grow with its square. */
const MAX_REPEATS = 64;
const podResources = ['pods'];
const podComputeResources = [
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
];
const claimResources = ['persistentvolumeclaims', 'requests.storage'];

/** What each scope can limit; scopes with more than one word take an operator. */
const scopeResources: Readonly<Record<string, readonly string[]>> = {
  Terminating: [...podResources, ...podComputeResources],
  NotTerminating: [...podResources, ...podComputeResources],
  BestEffort: podResources,
  NotBestEffort: [...podResources, ...podComputeResources],
  PriorityClass: [...podResources, ...podComputeResources],
  CrossNamespacePodAffinity: [...podResources, ...podComputeResources],
  VolumeAttributesClass: claimResources,
};

const existenceScopes = [
  'BestEffort',
  'NotBestEffort',
  'Terminating',
  'NotTerminating',
  'CrossNamespacePodAffinity',
];

const opposites: readonly (readonly [string, string])[] = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

interface ScopeRequirement {
  scopeName: string;
  operator: string;
  values?: string[];
}

interface ResourceQuota extends KubeObject {
  spec: {
    hard?: ResourceList;
    scopes?: string[];
    scopeSelector?: { matchExpressions?: ScopeRequirement[] };
  };
  status: { hard?: ResourceList; used?: ResourceList };
}

/** How much a namespace may hold in total. */
export const resourceQuota: KindBehaviour<ResourceQuota> = {
  defaults: ({ spec, status }) => {
    roundResources(spec.hard);
    roundResources(status.hard);
    roundResources(status.used);
  },
  prepareForCreate: (object) => {
    object.status = {};
  },
  validate: (object) => [...validateSpec(object), ...validateStatus(object)],
  validateOnUpdate: false,
  validateUpdate: (object, old) => {
    const errors = validateSpec(object);
    const next = new Set(object.spec.scopes);
    const before = new Set(old.spec.scopes);
    if (next.size !== before.size || [...next].some((scope) => !before.has(scope))) {
      errors.push(invalid('spec.scopes', object.spec.scopes ?? null, immutableDetail));
    }
    return errors;
  },
  validateStatusUpdate: (object) => [
    ...(object.metadata.resourceVersion ? [] : [required('resourceVersion')]),
    ...validateStatus(object),
  ],
  cells: (object, { now }) => {
    const names = Object.keys(object.status.hard ?? {}).sort();
    const limits = names.filter((name) => name.startsWith('limits.'));
    const requests = names.filter((name) => !name.startsWith('limits.'));
    return [
      nameCell(object),
      usageCell(object, requests),
      usageCell(object, limits),
      age(object, now),
    ];
  },
};

function validateSpec({ spec }: ResourceQuota): FieldError[] {
  return [
    ...validateAmounts(spec.hard, 'spec.hard'),
    ...validateScopes(spec),
    ...validateScopeSelector(spec),
  ];
}

function validateStatus({ status }: ResourceQuota): FieldError[] {
  return [
    ...validateAmounts(status.hard, 'status.hard'),
    ...validateAmounts(status.used, 'status.used'),
  ];
}

function validateAmounts(list: ResourceList | undefined, path: string): FieldError[] {
  return Object.entries(list ?? {}).flatMap(([name, amount]) => [
    ...validateQuotaResourceName(name, keyed(path, name)),
    ...validateAmount(name, amount, keyed(path, name)),
  ]);
}

function validateScopes({ hard, scopes = [] }: ResourceQuota['spec']): FieldError[] {
  const path = 'spec.scopes';
  const errors: FieldError[] = [];
  for (const scope of scopes) {
    if (errors.length >= MAX_REPEATS) break;
    if (!isScope(scope)) errors.push(invalid(path, scopes, 'unsupported scope'));
    for (const _name of foreignResources(scope, hard)) {
      errors.push(invalid(path, scopes, 'unsupported scope applied to resource'));
    }
  }
  for (const pair of opposites) {
    if (pair.every((scope) => scopes.includes(scope))) {
      errors.push(invalid(path, scopes, 'conflicting scopes'));
    }
  }
  return errors;
}

function validateScopeSelector(spec: ResourceQuota['spec']): FieldError[] {
  if (spec.scopeSelector === undefined) return [];
  const path = 'spec.scopeSelector.matchExpressions';
  const expressions = spec.scopeSelector.matchExpressions ?? [];
  const errors: FieldError[] = [];
  for (const expression of expressions) {
    if (errors.length >= MAX_REPEATS) break;
    const { scopeName, operator } = expression;
    if (!isScope(scopeName)) {
      errors.push(invalid(child(path, 'scopeName'), scopeName, 'unsupported scope'));
    }
    for (const _name of foreignResources(scopeName, spec.hard)) {
      const shown = { MatchExpressions: expressions.map(shownRequirement) };
      errors.push(invalid(path, shown, 'unsupported scope applied to resource'));
    }
    if (existenceScopes.includes(scopeName) && operator !== 'Exists') {
      const detail =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      errors.push(invalid(child(path, 'operator'), operator, detail));
    }
    errors.push(...validateOperator(expression, path));
  }
  const names = expressions.map(({ scopeName }) => scopeName);
  for (const pair of opposites) {
    if (pair.every((scope) => names.includes(scope))) {
      errors.push(invalid(path, spec.scopes ?? null, 'conflicting scopes'));
    }
  }
  return errors;
}

function validateOperator({ operator, values = [] }: ScopeRequirement, path: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn': {
      const detail =
        "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      return values.length > 0 ? [] : [required(child(path, 'values'), detail)];
    }
    case 'Exists':
    case 'DoesNotExist': {
      const detail =
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      return values.length === 0 ? [] : [invalid(child(path, 'values'), values, detail)];
    }
    default:
      return [invalid(child(path, 'operator'), operator, 'not a valid selector operator')];
  }
}

function shownRequirement({ scopeName, operator, values }: ScopeRequirement): unknown {
  return { ScopeName: scopeName, Operator: operator, Values: values ?? null };
}

function isScope(scope: string): boolean {
  return Object.hasOwn(scopeResources, scope);
}

/** Limited resources a scope cannot be applied to. */
function foreignResources(scope: string, hard: ResourceList | undefined): string[] {
  const allowed = isScope(scope) ? scopeResources[scope] : undefined;
  if (allowed === undefined) return [];
  return Object.keys(hard ?? {})
    .sort()
    .filter((name) => isStandardQuotaResource(name) && !allowed.includes(name));
}

function usageCell({ status }: ResourceQuota, names: readonly string[]): string {
  return names
    .map(
      (name) =>
        `${name}: ${amountOf(status.used, name) ?? '0'}/${amountOf(status.hard, name) ?? '0'}`,
    )
    .join(', ');
}
