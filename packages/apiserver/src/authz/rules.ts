import type { Attributes } from './attributes.ts';

/** One rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Whether one rule allows what is asked. */
export function ruleAllows(rule: PolicyRule, asked: Attributes): boolean {
  if (!has(rule.verbs, asked.verb)) return false;
  if (!asked.isResource)
    return (rule.nonResourceURLs ?? []).some((url) => urlMatches(url, asked.path));
  return (
    has(rule.apiGroups ?? [], asked.group) &&
    resourceMatches(rule.resources ?? [], asked.resource, asked.subresource) &&
    nameMatches(rule.resourceNames ?? [], asked.name)
  );
}

function has(list: readonly string[], wanted: string): boolean {
  return list.includes('*') || list.includes(wanted);
}

function resourceMatches(list: readonly string[], resource: string, subresource: string): boolean {
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return list.some(
    (each) =>
      each === '*' || each === combined || (subresource !== '' && each === `*/${subresource}`),
  );
}

function nameMatches(names: readonly string[], name: string): boolean {
  return names.length === 0 || names.includes(name);
}

function urlMatches(pattern: string, path: string): boolean {
  if (pattern === '*' || pattern === path) return true;
  return pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1));
}
