import type { Location, Vendor } from './vendors.ts';

/** What an address or an id of a machine gives away. */
export interface Detected extends Location {
  readonly vendor?: Vendor | undefined;
  readonly platform?: string | undefined;
}

const HOSTS: readonly { readonly vendor: Vendor; readonly pattern: RegExp }[] = [
  { vendor: 'eks', pattern: /\.(?<region>[a-z0-9-]+)\.eks\.amazonaws\.com(?:\.cn)?$/ },
  {
    vendor: 'eks',
    pattern: /\.eks-cluster\.(?<region>[a-z0-9-]+)\.api\.(?:aws|amazonwebservices\.com\.cn)$/,
  },
  { vendor: 'gke', pattern: /\.(?<region>[a-z0-9-]+)\.gke\.goog$/ },
  { vendor: 'gke', pattern: /^(?:[a-z0-9-]+-)?connectgateway\.googleapis\.com$/ },
  { vendor: 'aks', pattern: /\.(?:hcp|privatelink)\.(?<region>[a-z0-9]+)\.azmk8s\.io$/ },
];

/** What the host of an endpoint tells. Addresses without a name tell nothing. */
export function detectFromHost(host: string): Detected {
  for (const { vendor, pattern } of HOSTS) {
    const match = pattern.exec(host.toLowerCase());
    if (match !== null) return { vendor, region: match.groups?.['region'] };
  }
  return {};
}

/**
 * What the providerID of a node tells. A machine at Amazon alone is no EKS: others run Kubernetes there, too; those of
 * GKE and AKS are known by the names that only their managers give.
 */
export function detectFromProviderId(id: string): Detected {
  const hybrid = /^eks-hybrid:\/\/\/(?<region>[^/]+)\/(?<name>[^/]+)\//.exec(id);
  if (hybrid !== null) {
    const { region, name } = hybrid.groups ?? {};
    return { vendor: 'eks', platform: 'aws', region, 'cluster-name': name };
  }
  const aws = /^aws:\/\/\/(?<region>[a-z]{2}(?:-[a-z]+)+-\d+)/.exec(id);
  if (aws !== null) return { platform: 'aws', region: aws.groups?.['region'] };
  const gce = /^gce:\/\/(?<project>[^/]+)\/(?<region>[a-z]+-[a-z]+\d+)-[a-z]\/(?<name>[^/]+)$/.exec(
    id,
  );
  if (gce !== null) {
    const { project, region, name = '' } = gce.groups ?? {};
    return {
      ...(name.startsWith('gke-') ? { vendor: 'gke' } : {}),
      platform: 'gcp',
      project,
      region,
    };
  }
  const azure = /^azure:\/\/\/subscriptions\/[^/]+\/resourceGroups\/(?<group>[^/]+)\//i.exec(id);
  if (azure === null) return {};
  const isManaged = /^mc_/i.test(azure.groups?.['group'] ?? '');
  return { ...(isManaged ? { vendor: 'aks' } : {}), platform: 'azure' };
}
