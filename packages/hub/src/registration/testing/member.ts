import { type Access, type Client, createClient, createTransport } from '@flotilla/client';
import { defineKind, isAlreadyExists, type KubeObject, systemClock } from '@flotilla/machinery';
import { startServer, type TestApiServer } from '@flotilla/testkit';
import { type TestPair, testPair } from '../../cluster-secret/testing/certificate.ts';

/** A member cluster of a test. */
export interface TestMember extends AsyncDisposable {
  readonly server: TestApiServer;
  readonly access: Access;
  readonly client: Client;
  /** A client certificate that it takes for an administrator's. */
  readonly pair: TestPair;
  /** A token of a ServiceAccount, which is an administrator unless told otherwise. */
  readonly token: (account: string, options?: TokenOptions) => Promise<string>;
}

/** What a token is to be. */
export interface TokenOptions {
  readonly seconds?: number;
  /** False: the account may do nothing. @default true */
  readonly isAdmin?: boolean;
}

const ServiceAccounts = core('ServiceAccount', 'serviceaccounts');
const ClusterRoleBindings = defineKind({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
});

/** Starts a member. */
export async function startMember(): Promise<TestMember> {
  const pair = testPair('admin-by-certificate');
  const server = await startServer({ clientAuthorities: pair.certificate });
  const { access } = server;
  const client = createClient(createTransport({ access, clock: systemClock, random: Math.random }));
  await bindAdmin(client, { kind: 'User', name: 'admin-by-certificate' });
  return {
    server,
    access,
    client,
    pair,
    token: (account, options) => tokenOf(client, account, options),
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function tokenOf(
  client: Client,
  account: string,
  { seconds = 3600, isAdmin = true }: TokenOptions = {},
): Promise<string> {
  const namespace = 'default';
  const name = account;
  await make(client.create(ServiceAccounts, object('v1', 'ServiceAccount', { namespace, name })));
  if (isAdmin) await bindAdmin(client, { kind: 'ServiceAccount', namespace, name });
  const answer = (await client.raw({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: seconds },
    },
  })) as { status: { token: string } };
  return answer.status.token;
}

async function bindAdmin(
  client: Client,
  subject: { kind: string; name: string; namespace?: string },
): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io';
  const binding = {
    ...object(`${apiGroup}/v1`, 'ClusterRoleBinding', { name: `${subject.name}-is-admin` }),
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ ...(subject.kind === 'User' ? { apiGroup } : {}), ...subject }],
  };
  await make(client.create(ClusterRoleBindings, binding));
}

async function make(creating: Promise<unknown>): Promise<void> {
  await creating.catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

function object(apiVersion: string, kind: string, metadata: KubeObject['metadata']): KubeObject {
  return { apiVersion, kind, metadata };
}

function core(kind: string, plural: string) {
  return defineKind({ group: '', version: 'v1', kind, plural, namespaced: true });
}
