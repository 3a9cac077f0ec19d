import { type KubeObject, type LabelSelector, parseJson } from '@flotilla/machinery';
import type { MatchCondition, RuleWithOperations } from '../../kinds/cluster/admission-rules.ts';
import type { Store, Tenant } from '../../storage/store.ts';
import type { WebhookTarget } from '../../webhook/endpoint.ts';
import { type CompiledSelectors, compileSelectors } from '../matching/selectors.ts';

/** A webhook of a configuration, as stored. */
export interface WebhookSpec {
  readonly name: string;
  readonly clientConfig: WebhookTarget;
  readonly rules?: readonly RuleWithOperations[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly sideEffects?: string | null;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[] | null;
  readonly matchConditions?: readonly MatchCondition[];
  readonly reinvocationPolicy?: string;
}

/** A webhook ready to be asked. */
export interface Hook {
  /** Tells webhooks apart that share their name. */
  readonly id: string;
  readonly spec: WebhookSpec;
  readonly selectors: CompiledSelectors;
}

/** The webhooks of every tenant, in the order they are called. */
export interface HookIndex extends Disposable {
  readonly of: (tenant: Tenant) => readonly Hook[];
}

/** Follows the configurations of one resource; a tenant's are read when it is first asked about. */
export function createHookIndex(
  store: Store,
  resource: 'mutatingwebhookconfigurations' | 'validatingwebhookconfigurations',
): HookIndex {
  const prefix = `admissionregistration.k8s.io/${resource}/`;
  const tenants = new Map<Tenant, readonly Hook[]>();
  const subscription = store.changes((changes) => {
    for (const { tenant, key } of changes) {
      // Configurations change rarely, so all of the tenant's are read anew.
      if (key.startsWith(prefix)) tenants.delete(tenant);
    }
  });
  return {
    of: (tenant) => {
      let hooks = tenants.get(tenant);
      if (hooks === undefined) {
        hooks = readHooks(store, tenant, prefix);
        tenants.set(tenant, hooks);
      }
      return hooks;
    },
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  };
}

/** By the names of their configurations, which is the order of the keys. */
function readHooks(store: Store, tenant: Tenant, prefix: string): Hook[] {
  using snapshot = store.snapshot(tenant);
  return snapshot
    .range(prefix, { limit: Number.MAX_SAFE_INTEGER })
    .flatMap(({ value }) =>
      hooksOf(parseJson(value, { strict: false }).value as unknown as KubeObject),
    );
}

function hooksOf(configuration: KubeObject): Hook[] {
  const seen = new Map<string, number>();
  const webhooks = (configuration['webhooks'] ?? []) as readonly WebhookSpec[];
  return webhooks.map((spec) => {
    const count = seen.get(spec.name) ?? 0;
    seen.set(spec.name, count + 1);
    return {
      id: `${configuration.metadata.name ?? ''}/${spec.name}/${count}`,
      spec,
      selectors: compileSelectors(spec),
    };
  });
}
