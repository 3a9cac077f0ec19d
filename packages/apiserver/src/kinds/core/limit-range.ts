import {
  at,
  child,
  compareQuantities,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  isQualifiedName,
  type KubeObject,
  keyed,
  parseQuantity,
  quantityToNumber,
  required,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { nameAndCreation } from './cells.ts';
import { amountOf, compareAmounts, type ResourceList, roundResources } from './quantity-fields.ts';
import {
  isOvercommitAllowed,
  validateContainerResourceName,
  validateResourceName,
} from './resource-names.ts';

const standardTypes = ['Pod', 'Container', 'PersistentVolumeClaim'];

interface LimitRangeItem {
  type: string;
  max?: ResourceList;
  min?: ResourceList;
  default?: ResourceList;
  defaultRequest?: ResourceList;
  maxLimitRequestRatio?: ResourceList;
}

interface LimitRange extends KubeObject {
  spec: { limits: LimitRangeItem[] | null };
}

/** Bounds and defaults for what pods and containers of a namespace ask for. */
export const limitRange: KindBehaviour<LimitRange> = {
  createOnUpdate: true,
  defaults: (object) => {
    for (const item of object.spec.limits ?? []) setDefaults(item);
  },
  validate: (object) => {
    const seen = new Set<string>();
    return (object.spec.limits ?? []).flatMap((item, index) => {
      const path = at('spec.limits', index);
      const errors = validateType(item.type, child(path, 'type'));
      if (seen.has(item.type)) errors.push(duplicate(child(path, 'type'), item.type));
      seen.add(item.type);
      return [...errors, ...validateItem(item, path)];
    });
  },
  cells: nameAndCreation,
};

/** Containers without a limit get the highest; without a request, the limit, or at least the lowest. */
function setDefaults(item: LimitRangeItem): void {
  if (item.type === 'Container') {
    const limits = { ...item.max, ...item.default };
    const requests = { ...item.min, ...limits, ...item.defaultRequest };
    if (Object.keys(limits).length > 0) item.default = limits;
    if (Object.keys(requests).length > 0) item.defaultRequest = requests;
  }
  for (const field of [
    'max',
    'min',
    'default',
    'defaultRequest',
    'maxLimitRequestRatio',
  ] as const) {
    roundResources(item[field]);
  }
}

function validateType(type: string, path: string): FieldError[] {
  const errors = isQualifiedName(type).map((message) => invalid(path, type, message));
  if (errors.length > 0 || type.includes('/') || standardTypes.includes(type)) return errors;
  return [invalid(path, type, 'must be a standard limit type or fully qualified')];
}

function validateItem(item: LimitRangeItem, path: string): FieldError[] {
  const names = (field: keyof LimitRangeItem & string) => validateNames(item, field, path);
  const errors = [...names('max'), ...names('min')];
  if (item.type === 'Pod') {
    for (const field of ['default', 'defaultRequest'] as const) {
      if (Object.keys(item[field] ?? {}).length === 0) continue;
      const detail = "may not be specified when `type` is 'Pod'";
      errors.push(forbidden(child(path, field), detail));
    }
  } else errors.push(...names('default'), ...names('defaultRequest'));
  if (
    item.type === 'PersistentVolumeClaim' &&
    item.min?.['storage'] === undefined &&
    item.max?.['storage'] === undefined
  ) {
    const detail = 'either minimum or maximum storage value is required, but neither was provided';
    errors.push(required(child(path, 'limits'), detail));
  }
  errors.push(...names('maxLimitRequestRatio'));
  const considered = item.type === 'Pod' ? { ...item, default: {}, defaultRequest: {} } : item;
  const resources = new Set(
    [
      considered.max,
      considered.min,
      considered.default,
      considered.defaultRequest,
      considered.maxLimitRequestRatio,
    ].flatMap((list) => Object.keys(list ?? {})),
  );
  for (const name of resources) errors.push(...validateResource(considered, name, path));
  return errors;
}

function validateNames(
  item: LimitRangeItem,
  field: keyof LimitRangeItem & string,
  path: string,
): FieldError[] {
  const forContainers = item.type === 'Pod' || item.type === 'Container';
  const rule = forContainers ? validateContainerResourceName : validateResourceName;
  return Object.keys(item[field] ?? {}).flatMap((name) =>
    rule(name, keyed(child(path, field), name)),
  );
}

function validateResource(item: LimitRangeItem, name: string, path: string): FieldError[] {
  const min = amountOf(item.min, name);
  const max = amountOf(item.max, name);
  const limit = amountOf(item.default, name);
  const request = amountOf(item.defaultRequest, name);
  const where = (field: string) => keyed(child(path, field), name);
  const errors: FieldError[] = [];
  /** Reports that the first amount exceeds the second; upstream does not always show the field's own value. */
  const exceeds = (
    [low, lowText]: [string | undefined, string],
    [high, highText]: [string | undefined, string],
    report: { field: string; shown: string | undefined },
  ) => {
    if (low === undefined || high === undefined || compareAmounts(low, high) <= 0) return;
    const detail = `${lowText} ${low} is greater than ${highText} ${high}`;
    errors.push(invalid(where(report.field), report.shown, detail));
  };
  const inRequest = { field: 'defaultRequest', shown: request };
  exceeds([min, 'min value'], [max, 'max value'], { field: 'min', shown: min });
  exceeds([min, 'min value'], [request, 'default request value'], inRequest);
  exceeds([request, 'default request value'], [max, 'max value'], inRequest);
  exceeds([request, 'default request value'], [limit, 'default limit value'], inRequest);
  exceeds([min, 'min value'], [limit, 'default value'], { field: 'default', shown: min });
  exceeds([limit, 'default value'], [max, 'max value'], { field: 'default', shown: max });
  errors.push(...validateRatio(item, name, where('maxLimitRequestRatio')));
  if (
    !isOvercommitAllowed(name) &&
    limit !== undefined &&
    request !== undefined &&
    compareAmounts(limit, request) !== 0
  ) {
    const detail = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
    errors.push(invalid(where('defaultRequest'), request, detail));
  }
  return errors;
}

function validateRatio(item: LimitRangeItem, name: string, path: string): FieldError[] {
  const text = amountOf(item.maxLimitRequestRatio, name);
  if (text === undefined) return [];
  const ratio = parseQuantity(text);
  const errors: FieldError[] = [];
  if (compareQuantities(ratio, parseQuantity('1')) < 0) {
    errors.push(invalid(path, text, `ratio ${text} is less than 1`));
  }
  const min = amountOf(item.min, name);
  const max = amountOf(item.max, name);
  if (min === undefined || max === undefined) return errors;
  const limit = quantityToNumber(parseQuantity(max)) / quantityToNumber(parseQuantity(min));
  if (quantityToNumber(ratio) > limit) {
    const detail = `ratio ${text} is greater than max/min = ${limit.toFixed(6)}`;
    errors.push(invalid(path, text, detail));
  }
  return errors;
}
