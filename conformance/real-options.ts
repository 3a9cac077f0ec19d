/**
 * What the real side runs, so that both servers do the same things: the controllers that are built
 * into ours, and none of the admission plug-ins that ours does not have yet.
 */
export const REAL_OPTIONS = {
  extraFlags: ['--service-cluster-ip-range=10.0.0.0/16', '--allow-privileged=true'],
  controllers: [
    'namespace-controller',
    'serviceaccount-controller',
    'root-ca-certificate-publisher-controller',
    'clusterrole-aggregation-controller',
  ],
  disableAdmissionPlugins: [
    'CertificateApproval',
    'CertificateSigning',
    'CertificateSubjectRestriction',
    'ClusterTrustBundleAttest',
    'DefaultIngressClass',
    'DefaultStorageClass',
    'DefaultTolerationSeconds',
    'LimitRanger',
    'MutatingAdmissionPolicy',
    'MutatingAdmissionWebhook',
    'PersistentVolumeClaimResize',
    'PodSecurity',
    'PodTopologyLabels',
    'Priority',
    'ResourceQuota',
    'RuntimeClass',
    'ServiceAccount',
    'StorageObjectInUseProtection',
    'TaintNodesByCondition',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionWebhook',
  ],
} as const;
