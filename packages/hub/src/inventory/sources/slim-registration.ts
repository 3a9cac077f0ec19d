import type { ClusterRegistration } from '@flotilla/api';
import { CLUSTER_SET_LABEL, VENDOR_PREFIX } from '../names.ts';

/**
 * What the inventory keeps of a registration: no credential source, which may hold a credential, no annotations of
 * others, which may hold a copy of it, and none of what a heartbeat changes.
 */
export function slimRegistration(registration: ClusterRegistration): ClusterRegistration {
  const { metadata, spec, status } = registration;
  const { managedFields: _, ownerReferences: __, finalizers: ___, ...kept } = metadata;
  const { clusterName, alias, labels, suspend } = spec;
  const { phase, message, conditions, registeredName, clusterInfo } = status ?? {};
  return {
    apiVersion: registration.apiVersion ?? 'multicluster.oam.dev/v1alpha1',
    kind: registration.kind ?? 'ClusterRegistration',
    metadata: {
      ...kept,
      labels: ours(metadata.labels),
      annotations: ours(metadata.annotations),
    },
    spec: known({ clusterName, alias, labels, suspend }) as ClusterRegistration['spec'],
    ...(status === undefined
      ? {}
      : { status: known({ phase, message, conditions, registeredName, clusterInfo }) }),
  };
}

/** Those that say something about the cluster. */
function ours(marks: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(marks).filter(
      ([key]) => key.startsWith(VENDOR_PREFIX) || key === CLUSTER_SET_LABEL,
    ),
  );
}

function known(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
