import {
  at,
  child,
  duplicate,
  type FieldError,
  forbidden,
  goQuote,
  invalid,
  keyed,
  negativeDetail,
  notSupported,
  required,
} from '@flotilla/machinery';
import { amountOf } from '../core/quantity-fields.ts';
import {
  isHugePages,
  isIntegerResource,
  isOvercommitAllowed,
  validateContainerResourceName,
  validateResourceName,
} from '../core/resource-names.ts';
import type { ResourceRequirements } from './container-types.ts';
import type { PodOptions } from './pod-options.ts';
import {
  compareQuantityTexts,
  fractionalQuantity,
  isQuantity,
  quantityIsMultiple,
} from './quantities.ts';
import { dnsLabelErrors } from './support.ts';

const HUGE_PAGES = 'hugepages-';

/** What the checks of resources need to know of the pod. */
export interface ResourceContext {
  readonly claimNames: readonly string[];
  readonly options: PodOptions;
  /** Pod-level resources allow fewer names. */
  readonly level: 'container' | 'pod';
}

/** True unless the name is a huge page whose size does not divide the quantity. */
export function hugePagesAreDivisible(name: string, quantity: string): boolean {
  if (!isHugePages(name)) return true;
  const size = name.slice(HUGE_PAGES.length);
  return isQuantity(size) && quantityIsMultiple(quantity, size);
}

/** True for resources that pod-level requests and limits may name. */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}

/** Requests, limits and claims of a container or a pod. */
export function resourceErrors(
  resources: ResourceRequirements | undefined,
  path: string,
  context: ResourceContext,
): FieldError[] {
  const { limits = {}, requests = {}, claims } = resources ?? {};
  const limitsPath = child(path, 'limits');
  const requestsPath = child(path, 'requests');
  const errors: FieldError[] = [];
  for (const [name, quantity] of Object.entries(limits)) {
    errors.push(...entryErrors(name, quantity, { path: keyed(limitsPath, name), context }));
    errors.push(...hugePageErrors(name, quantity, { path: keyed(limitsPath, name), context }));
  }
  for (const [name, quantity] of Object.entries(requests)) {
    errors.push(...entryErrors(name, quantity, { path: keyed(requestsPath, name), context }));
    const limit = amountOf(limits, name);
    if (limit === undefined) {
      if (!isOvercommitAllowed(name)) {
        errors.push(required(limitsPath, 'Limit must be set for non overcommitable resources'));
      }
    } else if (compareQuantityTexts(quantity, limit) !== 0 && !isOvercommitAllowed(name)) {
      const detail = `must be equal to ${name} limit of ${limit}`;
      errors.push(invalid(requestsPath, quantity, detail));
    } else if (compareQuantityTexts(quantity, limit) > 0) {
      const detail = `must be less than or equal to ${name} limit of ${limit}`;
      errors.push(invalid(requestsPath, quantity, detail));
    }
    errors.push(...hugePageErrors(name, quantity, { path: keyed(requestsPath, name), context }));
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const computes = names.some((name) => name === 'cpu' || name === 'memory');
  if (!computes && names.some(isHugePages)) {
    errors.push(forbidden(path, 'HugePages require cpu or memory'));
  }
  return [...errors, ...claimErrors(claims ?? [], child(path, 'claims'), context)];
}

interface Entry {
  readonly path: string;
  readonly context: ResourceContext;
}

function entryErrors(name: string, quantity: string, { path, context }: Entry): FieldError[] {
  const errors =
    context.level === 'pod' ? podNameErrors(name, path) : validateContainerResourceName(name, path);
  if (compareQuantityTexts(quantity, '0') < 0) errors.push(invalid(path, quantity, negativeDetail));
  if (isIntegerResource(name) && fractionalQuantity(quantity)) {
    errors.push(invalid(path, quantity, 'must be an integer'));
  }
  return errors;
}

function hugePageErrors(name: string, quantity: string, { path, context }: Entry): FieldError[] {
  if (context.options.allowIndivisibleHugePages || hugePagesAreDivisible(name, quantity)) return [];
  return [invalid(path, quantity, `${quantity} is not positive integer multiple of ${name}`)];
}

function podNameErrors(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (errors.length > 0 || isPodLevelResource(name)) return errors;
  return [notSupported(path, name, ['cpu', 'hugepages-', 'memory'])];
}

function claimErrors(
  claims: readonly { name: string; request?: string }[],
  path: string,
  { claimNames }: ResourceContext,
): FieldError[] {
  const seen = new Set<string>();
  return claims.flatMap(({ name, request = '' }, index) => {
    const here = at(path, index);
    if (name === '') return [required(here)];
    const errors: FieldError[] = [];
    if (seen.has(name)) {
      errors.push(duplicate(here, name));
    } else {
      const key = request === '' ? name : `${name}/${request}`;
      if (request !== '') errors.push(...dnsLabelErrors(request, child(here, 'request')));
      if (seen.has(key)) errors.push(duplicate(here, key));
      else if (request === '') {
        const parts = [...seen].filter((other) => other.startsWith(`${name}/`));
        errors.push(...parts.map(() => duplicate(here, name)));
      }
      seen.add(key);
    }
    if (!claimNames.includes(name)) {
      const known = [...claimNames].sort().join(', ');
      const detail = `must be one of the names in pod.spec.resourceClaims${known === '' ? ' which is empty' : `: ${known}`}`;
      errors.push({
        type: 'FieldValueNotFound',
        field: here,
        message: `Not found: ${goQuote(name)}: ${detail}`,
      });
    }
    return errors;
  });
}
