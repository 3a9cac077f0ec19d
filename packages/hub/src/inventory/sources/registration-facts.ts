import type { ClusterRegistration } from '@flotilla/api';
import type { Secret } from '@flotilla/client';
import { type Condition, findCondition } from '@flotilla/runtime';
import { CLUSTER_SET_LABEL } from '../names.ts';
import { vendorHints } from '../vendor/vendor-hints.ts';
import type { ClusterFacts, Statement } from './cluster-facts.ts';
import { routeOf } from './route.ts';

/** The name under which a registration's cluster is in the inventory: the one it has, else the one it wants. */
export function publishedName({ metadata, spec, status }: ClusterRegistration): string {
  return status?.registeredName ?? spec.clusterName ?? metadata.name ?? '';
}

/** `registration NAMESPACE/NAME`. */
export function registrationSource({ metadata }: ClusterRegistration): string {
  return `registration ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** What a registration and its cluster Secret, where there is one, say about the cluster. */
export function registrationFacts(
  registration: ClusterRegistration,
  secret: Secret | undefined,
): ClusterFacts {
  const { metadata, spec, status = {} } = registration;
  const { clusterInfo = {} } = status;
  const name = publishedName(registration);
  const labels = spec.labels ?? {};
  const route = routeOf(clusterInfo.endpoint, secret);
  return {
    name,
    source: registrationSource(registration),
    displayName: spec.alias || name,
    labels,
    clusterSet: labels[CLUSTER_SET_LABEL] ?? metadata.labels?.[CLUSTER_SET_LABEL],
    isUnmanaged: false,
    health: healthOf(registration),
    joined: joinedOf(registration),
    version: clusterInfo.version?.gitVersion || undefined,
    clusterId: clusterInfo.clusterID || undefined,
    registration: `${metadata.namespace ?? ''}/${metadata.name ?? ''}`,
    route,
    vendor: vendorHints({
      marked: [
        metadata.labels,
        metadata.annotations,
        secret?.metadata.labels,
        secret?.metadata.annotations,
      ],
      plain: labels,
      server: route?.server,
      providerId: clusterInfo.providerID,
    }),
  };
}

/** Phases say whether a cluster works; the cause is in Ready. */
function healthOf({ metadata, spec, status = {} }: ClusterRegistration): Statement {
  const conditions = (status.conditions ?? []) as readonly Condition[];
  const ready = findCondition(conditions, 'Ready');
  const { phase, message } = status;
  const said = (state: Statement['status'], fallback: string): Statement => ({
    status: state,
    reason: ready?.reason || fallback,
    message: message ?? ready?.message ?? '',
  });
  if (metadata.deletionTimestamp !== undefined) {
    return unknown('Deleting', 'The registration is being deleted');
  }
  if (spec.suspend) {
    return unknown('Suspended', 'The registration is suspended: nobody looks at the cluster');
  }
  if (phase === 'Ready') return said('True', 'Registered');
  if (phase === 'Degraded' || phase === 'Failed') return said('False', phase);
  const reachable = findCondition(conditions, 'APIServerReachable');
  // A new spec is under way: that makes a cluster that answers no worse.
  if (status.registeredName !== undefined && reachable?.status === 'True') {
    return { status: 'True', reason: reachable.reason, message: reachable.message };
  }
  return said('Unknown', phase ?? 'NotObserved');
}

function unknown(reason: string, message: string): Statement {
  return { status: 'Unknown', reason, message };
}

function joinedOf({ metadata, status }: ClusterRegistration): Statement {
  const place = `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  return status?.registeredName === undefined
    ? {
        status: 'False',
        reason: 'NotRegistered',
        message: `Registration ${place} has not joined it yet`,
      }
    : { status: 'True', reason: 'Registered', message: `Joined by registration ${place}` };
}
