import type { RuleWithOperations } from '../../kinds/cluster/admission-rules.ts';

/** What rules are compared with; `Equivalent` asks about the same object under other resources too. */
export interface Asked {
  readonly operation: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for cluster-scoped objects; a namespace is in itself. */
  readonly namespace: string;
}

/** True when the rule is for this operation on this resource. */
export function ruleMatches(rule: RuleWithOperations, asked: Asked): boolean {
  return (
    scopeMatches(rule.scope, asked) &&
    includes(rule.operations, asked.operation) &&
    includes(rule.apiGroups, asked.group) &&
    includes(rule.apiVersions, asked.version) &&
    resourceMatches(rule.resources, asked)
  );
}

function includes(list: readonly string[] | undefined, wanted: string): boolean {
  return (list ?? []).some((each) => each === '*' || each === wanted);
}

function scopeMatches(
  scope: string | undefined,
  { group, version, resource, namespace }: Asked,
): boolean {
  if (scope === undefined || scope === '*') return true;
  const isNamespace = group === '' && version === 'v1' && resource === 'namespaces';
  const isCluster = isNamespace || namespace === '';
  if (scope === 'Cluster') return isCluster;
  return scope === 'Namespaced' && !isCluster;
}

function resourceMatches(
  resources: readonly string[] | undefined,
  { resource, subresource }: Asked,
): boolean {
  return (resources ?? []).some((text) => {
    const slash = text.indexOf('/');
    const wanted = slash < 0 ? text : text.slice(0, slash);
    const sub = slash < 0 ? '' : text.slice(slash + 1);
    return (wanted === '*' || wanted === resource) && (sub === '*' || sub === subresource);
  });
}
