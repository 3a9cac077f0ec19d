import { forbiddenError, type KubeObject, notFound, parseJson } from '@flotilla/machinery';
import type { CelBindings } from '@flotilla/machinery/cel';
import type { Admission } from '../objects/engine.ts';
import { createObjectIndex } from '../objects/object-index.ts';
import { groupResource } from '../resources/resource.ts';
import type { Store, Tenant } from '../storage/store.ts';
import type { WebhookClient } from '../webhook/client.ts';
import type { AdmissionPlugin, PluginDeps } from './plugin.ts';
import { authorizersOf } from './policy/authorizers.ts';
import { compileExpression } from './policy/expressions.ts';
import { inputsOf, shownNamespace } from './policy/inputs.ts';
import { checkConditions } from './policy/match-conditions.ts';
import { validatingPolicies } from './policy/plugin.ts';
import { createPolicyIndex } from './policy/policy-index.ts';
import { createHookIndex } from './webhooks/hooks.ts';
import type { Invocation } from './webhooks/invocation.ts';
import { mutatingWebhooks } from './webhooks/mutating.ts';
import { validatingWebhooks } from './webhooks/validating.ts';

/** What users extend admission with: webhooks of both kinds, and policies. */
export function extensiblePlugins(
  { engine, authorizer, registryOf }: PluginDeps,
  client: WebhookClient,
): readonly AdmissionPlugin[] {
  const { store } = engine;
  const namespaces = createObjectIndex(
    store,
    'core/namespaces/',
    (object) => (object as unknown as KubeObject).metadata.labels ?? {},
  );
  const authorizers = (admission: Admission): CelBindings => authorizersOf(authorizer, admission);
  const shared = {
    client,
    namespaces,
    registryOf,
    newUid: engine.newUid,
    conditionsHold: (invocation: Invocation, admission: Admission) =>
      conditionsHold(invocation, admission, authorizers),
  };
  const mutating = mutatingWebhooks({
    ...shared,
    hooks: createHookIndex(store, 'mutatingwebhookconfigurations'),
  });
  const validating = validatingWebhooks({
    ...shared,
    hooks: createHookIndex(store, 'validatingwebhookconfigurations'),
  });
  const policies = validatingPolicies({
    engine,
    policies: createPolicyIndex(store),
    namespaces,
    registryOf,
    namespaceObject: (tenant, name) => namespaceObject(store, tenant, name),
    authorizers,
  });
  return [
    mutating,
    policies,
    {
      ...validating,
      [Symbol.dispose]: () => {
        validating[Symbol.dispose]?.();
        namespaces[Symbol.dispose]();
      },
    },
  ];
}

function namespaceObject(store: Store, tenant: Tenant, name: string): Record<string, unknown> {
  const entry = store.read(tenant, `core/namespaces/${name}`);
  if (entry === undefined) throw notFound({ group: '', resource: 'namespaces' }, name);
  return shownNamespace(parseJson(entry.value, { strict: false }).value as unknown as KubeObject);
}

/** A webhook's conditions in CEL; what cannot be told is for its failure policy to decide. */
async function conditionsHold(
  { hook, def }: Invocation,
  admission: Admission,
  authorizers: (admission: Admission) => CelBindings,
): Promise<boolean> {
  const { matchConditions = [], failurePolicy } = hook.spec;
  const conditions = matchConditions.map(({ expression }) =>
    compileExpression(expression, 'bool', {
      hasParams: false,
      hasAuthorizer: true,
      expressions: 'stored',
    }),
  );
  const bindings = {
    ...(await inputsOf(admission, def)),
    namespaceObject: null,
    ...authorizers(admission),
  };
  const verdict = checkConditions(conditions, { bindings }, failurePolicy);
  if ('holds' in verdict) return verdict.holds;
  throw forbiddenError(groupResource(admission.def), admission.name, verdict.error);
}
