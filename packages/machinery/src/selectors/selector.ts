import { goQuote } from '../go/quote.ts';
import { ParseError } from '../parse-error.ts';
import type { LabelSelector } from './label-selector.ts';
import {
  formatRequirement,
  type LabelOperator,
  type LabelRequirement,
  matchesRequirement,
  newRequirement,
} from './requirement.ts';

/** A label selector ready to match: all requirements must hold. None means everything. */
export interface Selector {
  readonly requirements: readonly LabelRequirement[];
  /** True for the selector of an absent LabelSelector, which selects no object at all. */
  readonly matchesNothing: boolean;
}

/** Selects every object. */
export const everything: Selector = { requirements: [], matchesNothing: false };

/** Selects no object. */
export const nothing: Selector = { requirements: [], matchesNothing: true };

const operators: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/** A selector of these requirements, in the order of their keys. */
export function selectorOf(requirements: readonly LabelRequirement[]): Selector {
  if (requirements.length === 0) return everything;
  const sorted = [...requirements].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return { requirements: sorted, matchesNothing: false };
}

/** Selects what carries all of these labels; not validated, as labels of stored objects already are. */
export function selectorFromLabels(labels: Readonly<Record<string, string>>): Selector {
  return selectorOf(
    Object.entries(labels).map(([key, value]) => ({ key, operator: '=', values: [value] })),
  );
}

/** The selector of an object's LabelSelector: absent selects nothing, empty selects everything. */
export function labelSelectorAsSelector(source: LabelSelector | undefined | null): Selector {
  if (source === undefined || source === null) return nothing;
  const requirements = Object.entries(source.matchLabels ?? {}).map(([key, value]) =>
    newRequirement(key, '=', [value]),
  );
  for (const expression of source.matchExpressions ?? []) {
    const operator = Object.hasOwn(operators, expression.operator)
      ? operators[expression.operator]
      : undefined;
    if (operator === undefined) {
      throw new ParseError(
        `${goQuote(expression.operator)} is not a valid label selector operator`,
      );
    }
    requirements.push(newRequirement(expression.key, operator, expression.values ?? []));
  }
  return selectorOf(requirements);
}

/** A LabelSelector as columns print it: `<none>` when empty or absent, `<error>` when it makes no sense. */
export function formatLabelSelector(source: LabelSelector | undefined | null): string {
  try {
    return formatSelector(labelSelectorAsSelector(source)) || '<none>';
  } catch (error) {
    if (error instanceof ParseError) return '<error>';
    throw error;
  }
}

/** A selector in the form it is parsed from. */
export function formatSelector(selector: Selector): string {
  return selector.requirements.map(formatRequirement).join(',');
}

/** Labels as `a=b,c=d`, sorted; '' when there are none. */
export function formatLabels(labels: Readonly<Record<string, string>> | undefined | null): string {
  return Object.entries(labels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',');
}

/** Whether an object with these labels is selected. */
export function matchesLabels(
  selector: Selector,
  labels: Readonly<Record<string, string>> | undefined | null,
): boolean {
  if (selector.matchesNothing) return false;
  const present = labels ?? {};
  for (const requirement of selector.requirements) {
    if (!matchesRequirement(requirement, present)) return false;
  }
  return true;
}

/** Whether a selector selects every object, so that matching can be skipped. */
export function selectsEverything(selector: Selector): boolean {
  return !selector.matchesNothing && selector.requirements.length === 0;
}
