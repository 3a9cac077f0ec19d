import type { ClusterProfileStatus } from '@flotilla/api';
import type { Claim } from '@flotilla/runtime';
import {
  CLUSTER_MANAGER_LABEL,
  CLUSTER_SET_LABEL,
  MANAGER_NAME,
  MISSING_LABELS_ANNOTATION,
  SOURCE_ANNOTATION,
  UNMANAGED_ANNOTATION,
} from '../names.ts';
import type { ClusterFacts } from '../sources/cluster-facts.ts';
import { accessProvider } from './access-provider.ts';
import { profileProperties } from './profile-properties.ts';

/** The fields of a profile that are ours, and nothing of others. */
export interface DesiredProfile {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: {
    readonly displayName: string;
    readonly clusterManager: { readonly name: string };
  };
  /** Without times, which depend on what was there before. */
  readonly conditions: readonly Claim[];
  readonly version: { readonly kubernetes: string } | undefined;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
  readonly accessProviders: NonNullable<ClusterProfileStatus['accessProviders']>;
}

/** As the schema has it. */
const LONGEST_MESSAGE = 32_768;

/** The profile of a cluster. */
export function desiredProfile(facts: ClusterFacts): DesiredProfile {
  const { vendor, health, joined, version } = facts;
  const access = accessProvider(facts);
  return {
    name: facts.name,
    labels: {
      ...facts.labels,
      ...(facts.clusterSet === undefined ? {} : { [CLUSTER_SET_LABEL]: facts.clusterSet }),
      [CLUSTER_MANAGER_LABEL]: MANAGER_NAME,
    },
    annotations: {
      [SOURCE_ANNOTATION]: facts.source,
      ...(facts.isUnmanaged ? { [UNMANAGED_ANNOTATION]: 'true' } : {}),
      ...(vendor.missing.length === 0
        ? {}
        : { [MISSING_LABELS_ANNOTATION]: vendor.missing.join(',') }),
    },
    spec: { displayName: facts.displayName, clusterManager: { name: MANAGER_NAME } },
    conditions: [
      { type: 'ControlPlaneHealthy', ...cut(health) },
      { type: 'Joined', ...cut(joined) },
    ],
    version: version === undefined ? undefined : { kubernetes: version },
    properties: profileProperties(facts),
    accessProviders: access === undefined ? [] : [access],
  };
}

function cut<T extends { readonly message: string }>(statement: T): T {
  return { ...statement, message: statement.message.slice(0, LONGEST_MESSAGE) };
}
