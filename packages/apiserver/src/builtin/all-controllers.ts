import { policyStatusController } from '../admission/policy/status-controller.ts';
import type { Authorizer } from '../authz/rbac.ts';
import type { Engine } from '../objects/engine.ts';
import type { Registry } from '../resources/registry.ts';
import type { ResourceDef } from '../resources/resource.ts';
import type { Identity } from '../server.ts';
import type { Tenant } from '../storage/store.ts';
import { tokenCleanerController } from './bootstrap-tokens/cleaner.ts';
import { bootstrapSignerController } from './bootstrap-tokens/signer.ts';
import { certificateApprovingController } from './certificates/approving.ts';
import { certificateCleaningController } from './certificates/cleaning.ts';
import { certificateSigningController } from './certificates/signing.ts';
import type { BuiltinController } from './controller.ts';
import { garbageCollectionController } from './garbage-collection/controller.ts';
import { kindLookup } from './kind-lookup.ts';
import { namespaceContentController } from './namespace-defaults.ts';
import { namespaceLifecycleController } from './namespace-lifecycle.ts';
import { resourceQuotaController } from './quota/controller.ts';
import { eventRecorder } from './record-event.ts';
import { roleAggregationController } from './role-aggregation.ts';
import { serviceAccountTokensController } from './service-account-tokens/controller.ts';

/** What the built-in controllers need of the server around them. */
export interface ControllersDeps {
  readonly engine: Engine;
  /** The kinds of Kubernetes itself. */
  readonly registry: Registry;
  /** All kinds a tenant has. */
  readonly registryOf: (tenant: Tenant) => Registry;
  readonly authorizer: Authorizer;
  readonly identity: Pick<Identity, 'caBundle' | 'certify' | 'signLegacyToken'>;
  readonly report: (error: unknown) => void;
}

/** Every controller that is built in, by the names kube-controller-manager gives them. */
export function builtinControllers(deps: ControllersDeps): BuiltinController[] {
  const { engine, registry, registryOf, report } = deps;
  const namespaces = need(registry, '', 'namespaces');
  const lookup = kindLookup(registryOf);
  const record = eventRecorder(engine, need(registry, '', 'events'));
  const contents = (tenant: Tenant): readonly ResourceDef[] =>
    registryOf(tenant)
      .stored()
      .filter((def) => def.namespaced && def.verbs.includes('delete'));
  return [
    namespaceLifecycleController(engine, namespaces, contents),
    ...namespaceContents(deps, namespaces),
    roleAggregationController(engine, need(registry, 'rbac.authorization.k8s.io', 'clusterroles')),
    garbageCollectionController({ engine, lookup, namespaces, record, report }),
    ...certificates(deps),
    ...tokens(deps),
    policyStatusController(
      engine,
      need(registry, 'admissionregistration.k8s.io', 'validatingadmissionpolicies'),
      registryOf,
    ),
    resourceQuotaController({
      engine,
      quotas: need(registry, '', 'resourcequotas'),
      lookup,
      contents,
    }),
  ];
}

function certificates({
  engine,
  registry,
  authorizer,
  identity: { certify },
}: ControllersDeps): BuiltinController[] {
  const requests = need(registry, 'certificates.k8s.io', 'certificatesigningrequests');
  return [
    certificateApprovingController(engine, requests, authorizer),
    ...(certify === undefined ? [] : [certificateSigningController(engine, requests, certify)]),
    certificateCleaningController(engine, requests),
  ];
}

function tokens({
  engine,
  registry,
  identity: { caBundle, signLegacyToken },
}: ControllersDeps): BuiltinController[] {
  const secrets = need(registry, '', 'secrets');
  const serviceAccounts = need(registry, '', 'serviceaccounts');
  const sign = signLegacyToken;
  return [
    bootstrapSignerController(engine, need(registry, '', 'configmaps'), secrets),
    tokenCleanerController(engine, secrets),
    ...(sign === undefined
      ? []
      : [serviceAccountTokensController({ engine, secrets, serviceAccounts, caBundle, sign })]),
  ];
}

function namespaceContents(
  { engine, registry, identity: { caBundle } }: ControllersDeps,
  namespaces: ResourceDef,
): BuiltinController[] {
  return [
    namespaceContentController(engine, namespaces, {
      controller: 'serviceaccount',
      def: need(registry, '', 'serviceaccounts'),
      name: 'default',
      make: () => ({ kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'default' } }),
      isRight: () => true,
    }),
    namespaceContentController(engine, namespaces, {
      controller: 'root-ca-certificate-publisher',
      def: need(registry, '', 'configmaps'),
      name: 'kube-root-ca.crt',
      make: (tenant) => ({
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: {
          name: 'kube-root-ca.crt',
          annotations: {
            'kubernetes.io/description':
              'The CAs that signed the certificate of this API server, for clients inside the cluster.',
          },
        },
        data: { 'ca.crt': caBundle(tenant) },
      }),
      isRight: (tenant, object) =>
        (object['data'] as Record<string, string> | undefined)?.['ca.crt'] === caBundle(tenant),
    }),
  ];
}

/** A resource that the server cannot be without. */
function need(registry: Registry, group: string, resource: string): ResourceDef {
  const def = registry.find(group, 'v1', resource);
  if (def === undefined) throw new Error(`Cannot start without "${resource}": no such resource`);
  return def;
}
