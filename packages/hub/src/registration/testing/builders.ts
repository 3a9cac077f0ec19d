import type { ClusterRegistration, ClusterRegistrationSpecInput } from '@flotilla/api';
import type { Access, Secret } from '@flotilla/client';
import { type Condition, findCondition } from '@flotilla/runtime';
import type { TestPair } from '../../cluster-secret/testing/certificate.ts';

/** Where registrations of tests are unless they say otherwise. */
export const NAMESPACE = 'default';

/** Where cluster Secrets are in tests. */
export const GATEWAY_NAMESPACE = 'vela-system';

/** What a kubeconfig of a test says. */
export interface KubeconfigParts {
  readonly server: string;
  readonly ca?: string | undefined;
  readonly token?: string | undefined;
  readonly pair?: TestPair | undefined;
  readonly proxyUrl?: string | undefined;
}

/** A kubeconfig; JSON is YAML too. */
export function kubeconfig({ server, ca, token, pair, proxyUrl }: KubeconfigParts): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'it',
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
    clusters: [
      {
        name: 'it',
        cluster: {
          server,
          ...(ca === undefined ? {} : { 'certificate-authority-data': base64(ca) }),
          ...(proxyUrl === undefined ? {} : { 'proxy-url': proxyUrl }),
        },
      },
    ],
    users: [
      {
        name: 'it',
        user: {
          ...(token === undefined ? {} : { token }),
          ...(pair === undefined
            ? {}
            : {
                'client-certificate-data': base64(pair.certificate),
                'client-key-data': base64(pair.key),
              }),
        },
      },
    ],
  });
}

/** The kubeconfig of a server's administrator, or of somebody else with a token there. */
export function kubeconfigFor(access: Access, token = 'admin'): string {
  return kubeconfig({ server: access.server, ca: access.tls.ca, token });
}

/** A Secret that holds a kubeconfig. */
export function sourceSecret(
  name: string,
  text: string,
  { namespace = NAMESPACE, key = 'kubeconfig', annotations = {} } = {},
): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name, annotations },
    type: 'Opaque',
    data: { [key]: base64(text) },
  };
}

/** A registration whose kubeconfig is in the Secret of the same name with `-kubeconfig`, but for what the test says. */
export function registration(
  name: string,
  spec: Partial<ClusterRegistrationSpecInput> = {},
  namespace: string = NAMESPACE,
): ClusterRegistration {
  return {
    apiVersion: 'multicluster.oam.dev/v1alpha1',
    kind: 'ClusterRegistration',
    metadata: { namespace, name },
    spec: { credentialSource: { secretRef: { name: `${name}-kubeconfig` } }, ...spec },
  } as unknown as ClusterRegistration;
}

/** A cluster Secret as `vela cluster join` writes it. */
export function joinedSecret(
  name: string,
  data: Readonly<Record<string, string>>,
  { type = 'Opaque', labels = {} } = {},
): Secret {
  const credentialType = 'token' in data ? 'ServiceAccountToken' : 'X509Certificate';
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      namespace: GATEWAY_NAMESPACE,
      name,
      labels: { 'cluster.core.oam.dev/cluster-credential-type': credentialType, ...labels },
    },
    type,
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, base64(text)])),
  };
}

/** The decoded data of a Secret. */
export function textsOf({ data = {} }: Secret): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
}

/** One condition of a registration. */
export function conditionOf({ status }: ClusterRegistration, type: string): Condition | undefined {
  return findCondition((status?.conditions ?? []) as Condition[], type);
}

/** `True Registered`, or `none`. */
export function says(registered: ClusterRegistration, type: string): string {
  const condition = conditionOf(registered, type);
  return condition === undefined ? 'none' : `${condition.status} ${condition.reason}`;
}

/** Text in base64. */
export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
