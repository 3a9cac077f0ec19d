/**
 * What the real side runs, so that both servers do the same things: the controllers that are built
 * into ours, and none of the admission plug-ins that ours does not have yet.
 */
export const REAL_OPTIONS = {
  extraFlags: ['--service-cluster-ip-range=10.0.0.0/16', '--allow-privileged=true'],
  certificates: true,
  controllers: [
    'namespace-controller',
    'serviceaccount-controller',
    'root-ca-certificate-publisher-controller',
    'clusterrole-aggregation-controller',
    'garbage-collector-controller',
    'certificatesigningrequest-approving-controller',
    'certificatesigningrequest-signing-controller',
    'certificatesigningrequest-cleaner-controller',
    'bootstrap-signer-controller',
    'token-cleaner-controller',
    'serviceaccount-token-controller',
    'resourcequota-controller',
    'validatingadmissionpolicy-status-controller',
  ],
  disableAdmissionPlugins: [
    'ClusterTrustBundleAttest',
    'DefaultIngressClass',
    'DefaultStorageClass',
    'MutatingAdmissionPolicy',
    'PersistentVolumeClaimResize',
    'PodTopologyLabels',
    'RuntimeClass',
    'StorageObjectInUseProtection',
    'TaintNodesByCondition',
  ],
} as const;
