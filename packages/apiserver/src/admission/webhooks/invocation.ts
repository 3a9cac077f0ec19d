import { StatusError } from '@flotilla/machinery';
import type { Admission } from '../../objects/engine.ts';
import type { Registry } from '../../resources/registry.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import type { Tenant } from '../../storage/store.ts';
import { askedOf, equivalentsOf } from '../matching/equivalents.ts';
import { ruleMatches } from '../matching/rules.ts';
import { type NamespaceLabels, namespaceMatches, objectMatches } from '../matching/selectors.ts';
import type { Hook } from './hooks.ts';

/** A webhook that is to be called, and the resource it wants to see the objects as. */
export interface Invocation {
  readonly hook: Hook;
  readonly def: ResourceDef;
}

/** What finding out needs to know. */
export interface InvocationDeps {
  readonly namespaces: NamespaceLabels;
  readonly registryOf: (tenant: Tenant) => Registry;
  /** Whether the webhook's conditions in CEL hold; throws a refusal where that cannot be told. */
  readonly conditionsHold: (
    invocation: Invocation,
    admission: Admission,
  ) => boolean | Promise<boolean>;
}

const EXEMPT = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);

/** Admission's own configuration is never subject to it: a bad one could not be taken away again. */
export function isExempt({ def, kind }: Admission): boolean {
  const { group, kind: name } = kind ?? def;
  return group === 'admissionregistration.k8s.io' && EXEMPT.has(name);
}

/** Decides whether a webhook is called; undefined when the write is none of its business. */
export async function invocationOf(
  { namespaces, registryOf, conditionsHold }: InvocationDeps,
  hook: Hook,
  admission: Admission,
): Promise<Invocation | undefined> {
  const { selectors } = hook;
  const inNamespace = namespaceMatches(selectors.namespace, admission, namespaces);
  if (inNamespace === false) return undefined;
  const onObject = objectMatches(selectors.object, admission);
  if (onObject === false) return undefined;
  const def = matchedResource(hook, admission, registryOf);
  if (def === undefined) return undefined;
  // Only now: who has no rule for a request does not refuse it either.
  if (inNamespace instanceof StatusError) throw inNamespace;
  if (onObject instanceof StatusError) throw onObject;
  const invocation = { hook, def };
  const isCalled =
    (hook.spec.matchConditions ?? []).length === 0 || (await conditionsHold(invocation, admission));
  return isCalled ? invocation : undefined;
}

function matchedResource(
  { spec }: Hook,
  admission: Admission,
  registryOf: InvocationDeps['registryOf'],
): ResourceDef | undefined {
  const rules = spec.rules ?? [];
  const { def } = admission;
  const asked = askedOf(admission, def);
  if (rules.some((rule) => ruleMatches(rule, asked))) return def;
  if (spec.matchPolicy !== 'Equivalent') return undefined;
  // Most rules are not about this resource in any version, so that is found out first.
  const related = rules.filter((rule) =>
    ruleMatches({ ...rule, apiGroups: ['*'], apiVersions: ['*'] }, asked),
  );
  if (related.length === 0) return undefined;
  const equivalents = equivalentsOf(registryOf(admission.tenant), def);
  for (const rule of related) {
    const found = equivalents.find((each) => ruleMatches(rule, askedOf(admission, each)));
    if (found !== undefined) return found;
  }
  return undefined;
}
