/** Who runs the control plane of a cluster, as far as we know how users sign in there. */
export type Vendor = 'eks' | 'gke' | 'aks';

/** What is known of where a cluster runs. */
export interface Location {
  readonly region?: string | undefined;
  readonly 'cluster-name'?: string | undefined;
  readonly project?: string | undefined;
  readonly 'resource-group'?: string | undefined;
}

/** How users of a vendor's clusters sign in, with their own accounts there. */
export interface VendorEntry {
  /** The cloud, in the words of consumers. */
  readonly platform: string;
  readonly command: string;
  /** Never with a comma in one of them: in the property they are joined by commas. */
  readonly args: (where: { readonly region: string; readonly clusterName: string }) => string[];
  readonly needsClusterInfo: boolean;
}

/** What all of the plugins below speak. */
export const EXEC_API_VERSION = 'client.authentication.k8s.io/v1beta1';

/** The application that stands for the API servers of all AKS clusters. */
const AKS_SERVER_ID = '6dae42f8-4368-4678-94ff-3960e28e3630';

/** The vendors, and what their plugins are called with. */
export const VENDORS: Readonly<Record<Vendor, VendorEntry>> = {
  eks: {
    platform: 'aws',
    command: 'aws',
    args: ({ region, clusterName }) => [
      'eks',
      'get-token',
      '--cluster-name',
      clusterName,
      '--region',
      region,
    ],
    needsClusterInfo: false,
  },
  gke: {
    platform: 'gcp',
    command: 'gke-gcloud-auth-plugin',
    args: () => [],
    needsClusterInfo: true,
  },
  aks: {
    platform: 'azure',
    command: 'kubelogin',
    args: () => ['get-token', '--login', 'azurecli', '--server-id', AKS_SERVER_ID],
    needsClusterInfo: false,
  },
};

/** The words for a vendor that people use. */
const WORDS: Readonly<Record<string, Vendor>> = {
  eks: 'eks',
  aws: 'eks',
  gke: 'gke',
  gcp: 'gke',
  google: 'gke',
  aks: 'aks',
  azure: 'aks',
};

/** The vendor that somebody means; undefined for one we know nothing of. */
export function vendorNamed(word: string): Vendor | undefined {
  const key = word.toLowerCase();
  return Object.hasOwn(WORDS, key) ? WORDS[key] : undefined;
}
