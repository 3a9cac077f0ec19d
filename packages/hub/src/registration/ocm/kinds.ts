import type { KubeCondition } from '@flotilla/client';
import { defineKind, type KubeObject } from '@flotilla/machinery';

/** A member as Open Cluster Management's hub sees it. */
export interface ManagedCluster extends KubeObject {
  spec?: { hubAcceptsClient?: boolean; leaseDurationSeconds?: number; [field: string]: unknown };
  status?: { conditions?: KubeCondition[]; [field: string]: unknown };
}

/** What the operator on a member makes the agent from. */
export interface Klusterlet extends KubeObject {
  spec?: {
    clusterName?: string;
    namespace?: string;
    imagePullSpec?: string;
    deployOption?: { mode?: string };
    [field: string]: unknown;
  };
}

/** A wish for a certificate. */
export interface CertificateSigningRequest extends KubeObject {
  spec?: {
    /** Base64 of PEM. */
    request?: string;
    signerName?: string;
    /** Who asked, by the server's own word. */
    username?: string;
    [field: string]: unknown;
  };
  status?: { conditions?: RequestCondition[]; certificate?: string; [field: string]: unknown };
}

/** What was decided about a wish. */
export interface RequestCondition extends KubeCondition {
  lastUpdateTime?: string;
}

/** cluster.open-cluster-management.io/v1 ManagedClusters. */
export const ManagedClusters = defineKind<ManagedCluster>({
  group: 'cluster.open-cluster-management.io',
  version: 'v1',
  kind: 'ManagedCluster',
  plural: 'managedclusters',
  namespaced: false,
});

/** operator.open-cluster-management.io/v1 Klusterlets. */
export const Klusterlets = defineKind<Klusterlet>({
  group: 'operator.open-cluster-management.io',
  version: 'v1',
  kind: 'Klusterlet',
  plural: 'klusterlets',
  namespaced: false,
});

/** certificates.k8s.io/v1 CertificateSigningRequests. */
export const CertificateSigningRequests = defineKind<CertificateSigningRequest>({
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  namespaced: false,
});
