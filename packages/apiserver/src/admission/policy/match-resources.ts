import { StatusError } from '@flotilla/machinery';
import type { NamedRule } from '../../kinds/cluster/admission-rules.ts';
import type { Admission } from '../../objects/engine.ts';
import type { Registry } from '../../resources/registry.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import { askedOf, equivalentsOf } from '../matching/equivalents.ts';
import { ruleMatches } from '../matching/rules.ts';
import { type NamespaceLabels, namespaceMatches, objectMatches } from '../matching/selectors.ts';
import type { Constraints } from './policy-index.ts';

/** The resource under which a write is what the constraints ask for; undefined when it is not. Throws what is wrong with them. */
export function matchedUnder(
  { resources, selectors }: Constraints,
  admission: Admission,
  { namespaces, registry }: { namespaces: NamespaceLabels; registry: Registry },
): ResourceDef | undefined {
  const inNamespace = namespaceMatches(selectors.namespace, admission, namespaces);
  if (inNamespace === false) return undefined;
  const onObject = objectMatches(selectors.object, admission);
  if (onObject === false) return undefined;
  const isEquivalent = resources.matchPolicy === 'Equivalent';
  const under = (rules: readonly NamedRule[]): ResourceDef | undefined =>
    resourceOf(rules, admission, isEquivalent ? registry : undefined);
  if (under(resources.excludeResourceRules ?? []) !== undefined) return undefined;
  const wanted = resources.resourceRules ?? [];
  const def = wanted.length === 0 ? admission.def : under(wanted);
  if (def === undefined) return undefined;
  if (inNamespace instanceof StatusError) throw inNamespace;
  if (onObject instanceof StatusError) throw onObject;
  return def;
}

function resourceOf(
  rules: readonly NamedRule[],
  admission: Admission,
  registry: Registry | undefined,
): ResourceDef | undefined {
  const { def, name } = admission;
  const isNamed = ({ resourceNames = [] }: NamedRule): boolean =>
    resourceNames.length === 0 || resourceNames.includes(name);
  const asked = askedOf(admission, def);
  if (rules.some((rule) => ruleMatches(rule, asked) && isNamed(rule))) return def;
  if (registry === undefined || rules.length === 0) return undefined;
  const related = rules.filter(
    (rule) =>
      isNamed(rule) && ruleMatches({ ...rule, apiGroups: ['*'], apiVersions: ['*'] }, asked),
  );
  if (related.length === 0) return undefined;
  const equivalents = equivalentsOf(registry, def);
  for (const rule of related) {
    const found = equivalents.find((each) => ruleMatches(rule, askedOf(admission, each)));
    if (found !== undefined) return found;
  }
  return undefined;
}
