import type { AccessWay } from '../../settings/settings.ts';
import type { RoutingChanges, TestHome } from './routing.ts';

/** Looks like an authority, and is none. */
export const CA = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
/** Another one. */
export const OTHER_CA = '-----BEGIN CERTIFICATE-----\nBBBB\n-----END CERTIFICATE-----\n';
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A kubeconfig with contexts c1 and c2, of which c2 has a namespace. */
export function kubeconfig(home: TestHome, path = '.kube/config') {
  return home.file(path, {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c1',
    clusters: [
      {
        name: 'k1',
        cluster: { server: 'https://one.example:6443', 'certificate-authority-data': base64(CA) },
      },
      {
        name: 'k2',
        cluster: { server: 'https://two.example', 'certificate-authority-data': base64(CA) },
      },
    ],
    users: [
      { name: 'u1', user: { token: 'of-the-context' } },
      {
        name: 'u2',
        user: {
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1',
            command: 'login',
            interactiveMode: 'Never',
          },
        },
      },
    ],
    contexts: [
      { name: 'c1', context: { cluster: 'k1', user: 'u1' } },
      { name: 'c2', context: { cluster: 'k2', user: 'u2', namespace: 'team-a' } },
    ],
  });
}

/** Properties of a profile that names the EKS command. */
export const EKS = {
  'auth.exec.command': 'aws',
  'auth.exec.args': 'eks,get-token,--cluster-name,prod',
};

/** Changes that leave only these ways. */
export const only = (order: AccessWay[], changes: RoutingChanges = {}): RoutingChanges => ({
  ...changes,
  access: { ...changes.access, order },
});
