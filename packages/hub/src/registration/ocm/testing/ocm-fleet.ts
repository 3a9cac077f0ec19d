import { type Client, Secrets, staticCredential } from '@flotilla/client';
import { isJsonObject, parseYaml } from '@flotilla/machinery';
import { installKind, startHub, type TestHub } from '../../applications/testing/vela-hub.ts';
import {
  type CertificateSigningRequest,
  CertificateSigningRequests,
  Klusterlets,
  type ManagedCluster,
  ManagedClusters,
} from '../kinds.ts';
import { AGENT_NAMESPACE, BOOTSTRAP_SECRET, CLUSTER_NAME_LABEL } from '../names.ts';
import type { OcmWanted } from '../types.ts';
import { agentSubject, certificateRequest, type SubjectParts } from './certificate-request.ts';

const text = { type: 'string' };

/** Starts a server with ManagedClusters in their published shape, as far as we use it. */
export async function startOcmHub(): Promise<TestHub> {
  const hub = await startHub();
  const condition = {
    type: 'object',
    required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
    properties: {
      type: text,
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      reason: text,
      message: text,
      lastTransitionTime: { type: 'string', format: 'date-time' },
      observedGeneration: { type: 'integer', format: 'int64' },
    },
  };
  await installKind(hub.client, ManagedClusters, {
    spec: {
      type: 'object',
      required: ['hubAcceptsClient'],
      properties: {
        hubAcceptsClient: { type: 'boolean' },
        leaseDurationSeconds: { type: 'integer', format: 'int32', default: 60 },
      },
    },
    status: {
      type: 'object',
      properties: { conditions: { type: 'array', items: condition } },
    },
  });
  return hub;
}

/** Starts a server with Klusterlets, unless its operator is not installed. */
export async function startMember(has: { operator: boolean }): Promise<TestHub> {
  const member = await startHub();
  if (!has.operator) return member;
  await installKind(member.client, Klusterlets, {
    spec: {
      type: 'object',
      properties: {
        clusterName: {
          type: 'string',
          maxLength: 63,
          pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
        },
        namespace: { type: 'string', pattern: '^open-cluster-management-[-a-z0-9]*[a-z0-9]$' },
        imagePullSpec: text,
        deployOption: { type: 'object', properties: { mode: text } },
      },
    },
  });
  return member;
}

/** A registration that wants the member "west". */
export function wanting(hub: TestHub, wanted: Partial<OcmWanted> = {}): OcmWanted {
  const { server, tls } = hub.server.access;
  return {
    name: 'west',
    labels: { env: 'prod' },
    owner: { namespace: 'fleet', name: 'west', uid: 'uid-1' },
    inClusterBootstrap: false,
    hubAddress: { server, ca: tls.ca },
    now: () => new Date(),
    ...wanted,
  };
}

/** What the agent of a member finds to begin with; undefined while there is nothing. */
export async function bootstrapKubeconfig(member: Client): Promise<string> {
  const key = { namespace: AGENT_NAMESPACE, name: BOOTSTRAP_SECRET };
  const { data = {} } = await member.get(Secrets, key);
  return Buffer.from(data['kubeconfig'] ?? '', 'base64').toString();
}

/** Acts as the agent: connects to the hub with what it found. */
export async function connectAgent(hub: TestHub, member: Client): Promise<Client> {
  const config = parseYaml(await bootstrapKubeconfig(member)).value;
  const { clusters, users } = config as {
    clusters: { cluster: { server: string; 'certificate-authority-data': string } }[];
    users: { user: { token: string } }[];
  };
  const { server = '', 'certificate-authority-data': ca = '' } = clusters[0]?.cluster ?? {};
  return hub.connect({
    server,
    tls: { ca: Buffer.from(ca, 'base64').toString() },
    credential: staticCredential({ authorization: `Bearer ${users[0]?.user.token ?? ''}` }),
    namespace: 'default',
  });
}

/** Asks for a certificate. */
export async function ask(
  client: Client,
  name: string,
  asked: { label?: string; subject?: SubjectParts; signerName?: string } = {},
): Promise<CertificateSigningRequest> {
  const { label = 'west', subject = agentSubject('west') } = asked;
  return client.create(CertificateSigningRequests, {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name, labels: { [CLUSTER_NAME_LABEL]: label } },
    spec: {
      request: certificateRequest(subject),
      signerName: asked.signerName ?? 'kubernetes.io/kube-apiserver-client',
      usages: ['digital signature', 'key encipherment', 'client auth'],
    },
  });
}

/** Acts as Open Cluster Management: says about a cluster what its controllers would. */
export async function report(
  hub: Client,
  name: string,
  conditions: Readonly<Record<string, readonly [status: string, reason: string, message: string]>>,
): Promise<ManagedCluster> {
  const written = Object.entries(conditions).map(([type, [status, reason, message]]) => ({
    type,
    status,
    reason,
    message,
    lastTransitionTime: '2025-01-01T00:00:00Z',
  }));
  const body = { status: { conditions: written } };
  return hub.patch(ManagedClusters, { name }, { type: 'merge', body, subresource: 'status' });
}

/** The conditions of a cluster that joined. */
export const JOINED = {
  HubAcceptedManagedCluster: ['True', 'HubClusterAdminAccepted', 'Accepted by hub cluster admin'],
  ManagedClusterJoined: ['True', 'ManagedClusterJoined', 'Managed cluster joined'],
} as const;

/** One ManagedCluster with what was decided about it. */
export async function clusterOf(hub: Client, name = 'west') {
  const { metadata, spec } = await hub.get(ManagedClusters, { name });
  const { labels = {}, annotations = {}, resourceVersion } = metadata;
  return { labels, annotations, resourceVersion, spec, uid: metadata.uid };
}

/** Whether anything that was said contains a credential of a kubeconfig. */
export function tokensIn(kubeconfig: string): string[] {
  const config = parseYaml(kubeconfig).value;
  const users: unknown = isJsonObject(config) ? config['users'] : undefined;
  return Array.isArray(users) ? users.map(({ user }) => String(user.token)) : [];
}
