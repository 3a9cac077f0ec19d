import {
  ClusterRoleBindings,
  ClusterRoles,
  Namespaces,
  type ServiceAccount,
  ServiceAccounts,
} from '@flotilla/client';
import { isAlreadyExists, isNotFound, type Kind, type KubeObject } from '@flotilla/machinery';
import { SecretValue } from '@flotilla/runtime';
import {
  BOOTSTRAP_ROLE,
  bootstrapAccount,
  bootstrapBinding,
  FIELD_MANAGER,
  OCM_NAMESPACE,
} from './names.ts';
import { OcmProblem } from './ocm-problem.ts';
import type { OcmClient } from './types.ts';

/** What an agent has to be able to do until it has a certificate: what OCM's own bootstrap role allows, but for reading ConfigMaps. */
const RULES = [
  {
    apiGroups: ['certificates.k8s.io'],
    resources: ['certificatesigningrequests'],
    verbs: ['create', 'get', 'list', 'watch'],
  },
  {
    apiGroups: ['cluster.open-cluster-management.io'],
    resources: ['managedclusters'],
    verbs: ['create', 'get', 'list', 'watch'],
  },
  {
    apiGroups: ['cluster.open-cluster-management.io'],
    resources: ['managedclustersets/join'],
    verbs: ['create'],
  },
];

/** As long as OCM's own importer gives agents. */
const TOKEN_SECONDS = 24 * 3600;

/** Makes the account that the agent of a member begins with, with no more rights than it needs. */
export async function ensureBootstrapAccount(
  hub: OcmClient,
  cluster: string,
  signal: AbortSignal,
): Promise<void> {
  const name = bootstrapAccount(cluster);
  const account: ServiceAccount = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace: OCM_NAMESPACE, name },
    automountServiceAccountToken: false,
  };
  const apply = <T extends KubeObject>(kind: Kind<T>, object: T) =>
    hub.apply(kind, object, { fieldManager: FIELD_MANAGER, force: true, signal });
  const rbac = 'rbac.authorization.k8s.io';
  try {
    await apply(ServiceAccounts, account).catch(async (error: unknown) => {
      if (!isNotFound(error)) throw error;
      await ensureNamespace(hub, OCM_NAMESPACE, signal);
      return apply(ServiceAccounts, account);
    });
    await apply(ClusterRoles, {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name: BOOTSTRAP_ROLE },
      rules: RULES,
    });
    await apply(ClusterRoleBindings, {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: bootstrapBinding(cluster) },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: BOOTSTRAP_ROLE },
      subjects: [{ kind: 'ServiceAccount', namespace: OCM_NAMESPACE, name }],
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new OcmProblem(
      'HubNotReady',
      `Cannot make the account that the agent of "${cluster}" begins with: ${(error as Error).message}`,
    );
  }
}

/** A token of that account, and when it ends. */
export async function bootstrapToken(
  hub: OcmClient,
  cluster: string,
  signal: AbortSignal,
): Promise<{ token: SecretValue; expiresAt: string }> {
  const request: KubeObject = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { namespace: OCM_NAMESPACE, name: bootstrapAccount(cluster) },
    spec: { expirationSeconds: TOKEN_SECONDS },
  };
  try {
    const { status } = await hub.create<KubeObject>(ServiceAccounts, request, {
      subresource: 'token',
      signal,
    });
    const { token = '', expirationTimestamp = '' } = (status ?? {}) as Record<string, string>;
    if (token === '') throw new Error('the hub answered without a token');
    return { token: new SecretValue(token), expiresAt: expirationTimestamp };
  } catch (error) {
    signal.throwIfAborted();
    throw new OcmProblem(
      'HubNotReady',
      `Cannot get a token for the agent of "${cluster}": ${(error as Error).message}`,
    );
  }
}

/** Takes away what an agent could begin with again. */
export async function removeBootstrapAccount(
  hub: OcmClient,
  cluster: string,
  signal: AbortSignal,
): Promise<void> {
  const account = { namespace: OCM_NAMESPACE, name: bootstrapAccount(cluster) };
  await absent(hub.delete(ServiceAccounts, account, { signal }));
  await absent(hub.delete(ClusterRoleBindings, { name: bootstrapBinding(cluster) }, { signal }));
}

/** Makes a namespace unless it is there. */
export async function ensureNamespace(
  client: Pick<OcmClient, 'create'>,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await client.create(Namespaces, namespace, { fieldManager: FIELD_MANAGER, signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

async function absent(deletion: Promise<unknown>): Promise<void> {
  await deletion.catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}
