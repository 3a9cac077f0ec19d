import {
  at,
  child,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  isValidLabelValue,
  type KubeObject,
  keyed,
  notSupported,
  parseQuantity,
  quantityValue,
  validateImmutable,
  validateLabelName,
  validateLabels,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from '../core/cells.ts';
import { validateDNSLabel } from '../core/fields.ts';
import { validateTaintEffect } from '../core/node.ts';
import { deprecatedNodeLabel } from '../core/node-selector.ts';
import { type ResourceList, validateAmount } from '../core/quantity-fields.ts';
import { isHugePages, validateContainerResourceName } from '../core/resource-names.ts';

interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

interface RuntimeClass extends KubeObject {
  handler: string;
  overhead?: { podFixed?: ResourceList };
  scheduling?: { nodeSelector?: Record<string, string>; tolerations?: Toleration[] };
}

/** How containers of a pod are run. */
export const runtimeClass: KindBehaviour<RuntimeClass> = {
  createOnUpdate: true,
  unconditionalUpdate: false,
  validate: ({ handler, overhead, scheduling }) => [
    ...validateDNSLabel(handler, 'handler'),
    ...validateOverhead(overhead?.podFixed ?? {}, 'overhead'),
    ...(scheduling === undefined ? [] : validateScheduling(scheduling, 'scheduling')),
  ],
  validateUpdate: (object, old) => validateImmutable(object.handler, old.handler, 'handler'),
  warnings: ({ scheduling }) =>
    Object.keys(scheduling?.nodeSelector ?? {}).flatMap((key) => {
      const message = deprecatedNodeLabel(key);
      return message === undefined ? [] : [`scheduling.nodeSelector: ${message}`];
    }),
  cells: (object, { now }) => [nameCell(object), object.handler, age(object, now)],
};

function validateOverhead(limits: ResourceList, path: string): FieldError[] {
  const limitsPath = child(path, 'limits');
  const names = Object.keys(limits);
  const errors = Object.entries(limits).flatMap(([name, amount]) => {
    const itemPath = keyed(limitsPath, name);
    const problems = [
      ...validateContainerResourceName(name, itemPath),
      ...validateAmount(name, amount, itemPath),
    ];
    if (isHugePages(name) && !isWholePages(name, amount)) {
      const detail = `${amount} is not positive integer multiple of ${name}`;
      problems.push(invalid(itemPath, amount, detail));
    }
    return problems;
  });
  const hasCompute = names.includes('cpu') || names.includes('memory');
  if (names.some(isHugePages) && !hasCompute) {
    errors.push(forbidden(path, 'HugePages require cpu or memory'));
  }
  return errors;
}

function isWholePages(name: string, amount: string): boolean {
  try {
    const page = quantityValue(parseQuantity(name.slice('hugepages-'.length)));
    return page > 0n && quantityValue(parseQuantity(amount)) % page === 0n;
  } catch {
    return false;
  }
}

function validateScheduling(
  { nodeSelector, tolerations = [] }: NonNullable<RuntimeClass['scheduling']>,
  path: string,
): FieldError[] {
  const errors =
    nodeSelector === undefined ? [] : validateLabels(nodeSelector, child(path, 'nodeSelector'));
  const listPath = child(path, 'tolerations');
  for (const [index, toleration] of tolerations.entries()) {
    // Upstream adds the field's name twice for the rules, and once for repeats.
    errors.push(...validateToleration(toleration, at(child(listPath, 'tolerations'), index)));
  }
  const seen = new Set<string>();
  for (const [index, toleration] of tolerations.entries()) {
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    const identity = JSON.stringify([key, operator, value, effect]);
    if (seen.has(identity))
      errors.push(duplicate(at(listPath, index), shownToleration(toleration)));
    seen.add(identity);
  }
  return errors;
}

function validateToleration(toleration: Toleration, path: string): FieldError[] {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
  const operatorPath = child(path, 'operator');
  const errors = key === '' ? [] : validateLabelName(key, child(path, 'key'));
  if (key === '' && operator !== 'Exists') {
    const detail =
      'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalid(operatorPath, operator, detail));
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    errors.push(invalid(child(path, 'effect'), effect, detail));
  }
  const messages = isValidLabelValue(value);
  if (operator === 'Exists') {
    if (value !== '') {
      const detail = "value must be empty when `operator` is 'Exists'";
      errors.push(invalid(operatorPath, value, detail));
    }
  } else if (operator !== '' && operator !== 'Equal') {
    errors.push(notSupported(operatorPath, operator, ['Equal', 'Exists']));
  } else if (messages.length > 0) errors.push(invalid(operatorPath, value, messages.join(';')));
  if (effect !== '') errors.push(...validateTaintEffect(effect, child(path, 'effect')));
  return errors;
}

function shownToleration(toleration: Toleration): unknown {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
  return {
    Key: key,
    Operator: operator,
    Value: value,
    Effect: effect,
    TolerationSeconds: tolerationSeconds ?? null,
  };
}
