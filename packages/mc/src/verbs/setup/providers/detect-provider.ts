import type { FleetCluster } from '../../../fleet/cluster.ts';
import type { ProviderName } from './provider.ts';

/** What profiles and people call the clouds and their Kubernetes. */
const WORDS: Readonly<Record<string, ProviderName>> = {
  aws: 'aws',
  amazon: 'aws',
  eks: 'aws',
  gcp: 'gcp',
  google: 'gcp',
  gke: 'gcp',
  azure: 'azure',
  aks: 'azure',
  ali: 'ali',
  alibaba: 'ali',
  alibabacloud: 'ali',
  alicloud: 'ali',
  aliyun: 'ali',
  ack: 'ali',
};

/** Of profiles' properties and labels, in the order in which they count. */
const KEYS = ['cloud.provider', 'cluster.type', 'product.open-cluster-management.io', 'vendor'];

const HOSTS: readonly (readonly [RegExp, ProviderName])[] = [
  [/\.eks\.amazonaws\.com(?:\.cn)?$/, 'aws'],
  [/\.gke\.goog$/, 'gcp'],
  [/(?:^|[.-])connectgateway\.googleapis\.com$/, 'gcp'],
  [/\.azmk8s\.(?:io|us|cn)$/, 'azure'],
];

/** The cloud that a cluster seems to be of: the first hint counts. Undefined when there is none. */
export function detectProvider(cluster: FleetCluster): ProviderName | undefined {
  const { properties, labels, offers, profile, mapping } = cluster;
  for (const key of KEYS) {
    const found = wordOf(own(properties, key)) ?? wordOf(own(labels, key));
    if (found !== undefined) return found;
  }
  for (const { server } of offers) {
    const host = hostOf(server);
    const found = HOSTS.find(([pattern]) => pattern.test(host))?.[1];
    if (found !== undefined) return found;
  }
  return wordOf(profile?.cloudProvider) ?? wordOf(mapping?.cloudProvider);
}

/** The host of an address, in lower case; empty for what is none. */
export function hostOf(server: string): string {
  return URL.canParse(server) ? new URL(server).hostname : '';
}

function wordOf(text: string | undefined): ProviderName | undefined {
  const word = text?.toLowerCase().replace(/[\s_-]/g, '') ?? '';
  return Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
}

function own(pairs: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(pairs, key) ? pairs[key] : undefined;
}
