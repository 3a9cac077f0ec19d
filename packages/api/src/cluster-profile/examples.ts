import type { Example } from '../schema/kind-source.ts';

/** Manifests for the reference page; the tests apply them. */
export const clusterProfileExamples: readonly Example[] = [
  {
    title: 'A cluster on EKS as the inventory publishes it',
    yaml: `apiVersion: multicluster.x-k8s.io/v1alpha1
kind: ClusterProfile
metadata:
  name: prod-west
  namespace: flotilla-inventory
  labels:
    x-k8s.io/cluster-manager: flotilla
    env: production
spec:
  displayName: Production West Coast
  clusterManager:
    name: flotilla
status:
  conditions:
  - type: ControlPlaneHealthy
    status: "True"
    reason: Registered
    message: The member is registered
    lastTransitionTime: "2026-01-01T00:00:00Z"
  version:
    kubernetes: v1.34.4
  accessProviders:
  - name: eks
    cluster:
      server: https://ABC123.gr7.us-west-2.eks.amazonaws.com:443
  properties:
  - name: cluster.clusterset.k8s.io
    value: 2f1a0d3c-7f0e-4a8e-9a57-0d5b8f1f2c11
  - name: auth.exec.command
    value: aws
  - name: auth.exec.args
    value: eks,get-token,--cluster-name,production,--region,us-west-2
`,
  },
];
