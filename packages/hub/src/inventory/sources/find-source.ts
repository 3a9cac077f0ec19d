import type { ClusterRegistration } from '@flotilla/api';
import type { Secret } from '@flotilla/client';
import { readClusterSecret } from '../../cluster-secret/read-cluster-secret.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { publishedName, registrationFacts } from './registration-facts.ts';
import { secretFacts } from './secret-facts.ts';

/** Everything that has something to say about a cluster of one name. */
export interface Candidates {
  /** Those that have the name or want it. */
  readonly registrations: readonly ClusterRegistration[];
  readonly secret: Secret | undefined;
  /** The hub's own facts, where the name is the hub's. */
  readonly hub: ClusterFacts | undefined;
}

/** Whose cluster a name stands for. */
export interface Source {
  readonly facts: ClusterFacts;
  /** The registration that speaks for it. */
  readonly registration: ClusterRegistration | undefined;
  /** Whatever users should hear about it through. */
  readonly regarding: ClusterRegistration | Secret | undefined;
}

/**
 * Decides who speaks for a cluster: the registration that joined it or is about to, else the cluster Secret that works
 * without one, else whoever wants to join it first. A registration that was refused a name must not make a cluster look broken that works
 * for others.
 */
export function findSource(
  { registrations, secret, hub }: Candidates,
  { name, includesUnregistered }: { name: string; includesUnregistered: boolean },
): Source | undefined {
  // The name is the hub's in all of KubeVela; a Secret of that name leads nowhere.
  if (hub !== undefined) return { facts: hub, registration: undefined, regarding: undefined };
  const holders = registrations.filter(({ status }) => status?.registeredName === name);
  const holder = ownerAmong(holders, secret) ?? oldest(holders);
  if (holder !== undefined) return spokenBy(holder, secret);
  const claimants = registrations.filter((each) => publishedName(each) === name);
  // It joins: its Secret is written a moment before its status says so.
  const joining = ownerAmong(claimants, secret);
  if (joining !== undefined) return spokenBy(joining, secret);
  const alone = secret === undefined || !includesUnregistered ? undefined : secretFacts(secret);
  if (alone !== undefined) return { facts: alone, registration: undefined, regarding: secret };
  const wanting = oldest(claimants);
  return wanting && spokenBy(wanting, undefined);
}

function spokenBy(registration: ClusterRegistration, secret: Secret | undefined): Source {
  return {
    facts: registrationFacts(registration, secret),
    registration,
    regarding: registration,
  };
}

function ownerAmong(
  registrations: readonly ClusterRegistration[],
  secret: Secret | undefined,
): ClusterRegistration | undefined {
  const owner = secret === undefined ? undefined : readClusterSecret(secret)?.owner;
  return owner && registrations.find(({ metadata }) => metadata.uid === owner.uid);
}

function oldest(registrations: readonly ClusterRegistration[]): ClusterRegistration | undefined {
  const rank = ({ metadata }: ClusterRegistration) =>
    `${metadata.creationTimestamp ?? ''} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  return [...registrations].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0];
}
