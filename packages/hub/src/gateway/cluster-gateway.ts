import type { MountedPrinter } from '@flotilla/apiserver';
import type { Secret } from '@flotilla/client';
import type { KubeObject } from '@flotilla/machinery';
import {
  CREDENTIAL_TYPE_LABEL,
  ENDPOINT_TYPE_LABEL,
  HEALTHY_ANNOTATION,
  HEALTHY_REASON_ANNOTATION,
} from '../cluster-secret/names.ts';
import { GATEWAY_API_VERSION } from './gateway-group.ts';

/** A cluster as cluster-gateway shows it, its credential included: whoever may read it can read the Secret. */
export interface ClusterGateway extends KubeObject {
  spec: {
    /** Always empty upstream as well. */
    provider: string;
    access: {
      endpoint: { type: string; const?: ConstEndpoint };
      credential: {
        type: string;
        serviceAccountToken?: string;
        x509?: { certificate: string; privateKey: string };
      };
    };
  };
  status: { healthy: boolean; healthyReason?: string };
}

interface ConstEndpoint {
  address: string;
  /** Base64. */
  caBundle?: string;
  insecure?: true;
  'proxy-url'?: string;
}

/** What `kubectl get clustergateways` prints. */
export const clusterGatewayPrinter: MountedPrinter<ClusterGateway> = {
  columns: [
    { name: 'Name', type: 'string', format: 'name', description: 'the name of the cluster' },
    { name: 'Provider', type: 'string', description: 'the cluster provider type' },
    { name: 'Credential-Type', type: 'string', description: 'the credential type' },
    { name: 'Endpoint-Type', type: 'string', description: 'the endpoint type' },
    { name: 'Healthy', type: 'string', description: 'the healthiness of the gateway' },
  ],
  cells: ({ metadata, spec, status }) => [
    metadata.name,
    spec.provider,
    spec.access.credential.type,
    spec.access.endpoint.type,
    String(status.healthy),
  ],
};

/**
 * Makes a ClusterGateway of a cluster Secret, by upstream's rules. Undefined for what upstream does not show either:
 * Secrets without the label, without an endpoint, or with a credential that is none. A Dynamic one is made by a command
 * that the Secret names, which this hub does not run.
 */
export function clusterGatewayOf(secret: Secret): ClusterGateway | undefined {
  const { name = '', creationTimestamp } = secret.metadata;
  const endpoint = endpointOf(secret);
  const credential = credentialOf(secret);
  if (endpoint === undefined || credential === undefined) return undefined;
  return {
    kind: 'ClusterGateway',
    apiVersion: GATEWAY_API_VERSION,
    metadata: { name, ...(creationTimestamp === undefined ? {} : { creationTimestamp }) },
    spec: { provider: '', access: { endpoint, credential } },
    status: statusOf(secret),
  };
}

function endpointOf(secret: Secret): ClusterGateway['spec']['access']['endpoint'] | undefined {
  const type = secret.metadata.labels?.[ENDPOINT_TYPE_LABEL] ?? 'Const';
  if (type === 'ClusterProxy') return { type };
  const address = textOf(secret, 'endpoint').replace(/\n$/, '');
  if (address === '') return undefined;
  const caBundle = bytesOf(secret, 'ca.crt') ?? bytesOf(secret, 'ca');
  const proxyUrl = textOf(secret, 'proxy-url');
  return {
    type,
    const: {
      address,
      // No key means no verification; a key without a value stands for the public authorities.
      ...(caBundle === undefined ? { insecure: true } : caBundle === '' ? {} : { caBundle }),
      ...(proxyUrl === '' ? {} : { 'proxy-url': proxyUrl }),
    },
  };
}

function credentialOf(secret: Secret): ClusterGateway['spec']['access']['credential'] | undefined {
  const type = secret.metadata.labels?.[CREDENTIAL_TYPE_LABEL];
  if (type === 'ServiceAccountToken') {
    const token = textOf(secret, 'token');
    return { type, ...(token === '' ? {} : { serviceAccountToken: token }) };
  }
  if (type !== 'X509Certificate') return undefined;
  const certificate = bytesOf(secret, 'tls.crt') ?? '';
  return { type, x509: { certificate, privateKey: bytesOf(secret, 'tls.key') ?? '' } };
}

/** The words Go reads as true. */
const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

function statusOf({ metadata }: Secret): ClusterGateway['status'] {
  const { annotations = {} } = metadata;
  const reason = annotations[HEALTHY_REASON_ANNOTATION] ?? '';
  return {
    healthy: TRUE.has(annotations[HEALTHY_ANNOTATION] ?? ''),
    ...(reason === '' ? {} : { healthyReason: reason }),
  };
}

/** Base64, as the Secret has it. */
function bytesOf({ data = {} }: Secret, key: string): string | undefined {
  return Object.hasOwn(data, key) ? data[key] : undefined;
}

function textOf(secret: Secret, key: string): string {
  return Buffer.from(bytesOf(secret, key) ?? '', 'base64').toString();
}
