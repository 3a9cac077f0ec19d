import type { Example } from '../schema/kind-source.ts';

/** Manifests for the reference page; the tests apply them. */
export const clusterRegistrationExamples: readonly Example[] = [
  {
    title: 'A kubeconfig in a Secret',
    yaml: `apiVersion: multicluster.oam.dev/v1alpha1
kind: ClusterRegistration
metadata:
  name: prod-west
  namespace: vela-system
spec:
  alias: Production West Coast
  credentialSource:
    secretRef:
      name: prod-west-kubeconfig
  labels:
    env: production
    region: us-west
`,
  },
  {
    title: 'An ExternalSecret',
    yaml: `apiVersion: multicluster.oam.dev/v1alpha1
kind: ClusterRegistration
metadata:
  name: prod-east
  namespace: vela-system
spec:
  credentialSource:
    externalSecretRef:
      name: prod-east-credentials
  config:
    heartbeatInterval: 1m
`,
  },
  {
    title: 'A cluster that was joined before',
    yaml: `apiVersion: multicluster.oam.dev/v1alpha1
kind: ClusterRegistration
metadata:
  name: legacy
  namespace: vela-system
spec:
  credentialSource:
    existingSecret: {}
  deletionPolicy: Orphan
`,
  },
];
