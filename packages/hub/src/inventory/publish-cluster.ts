import { type ClusterProfile, ClusterProfiles, type ClusterRegistration } from '@flotilla/api';
import { type Client, type Namespace, Namespaces } from '@flotilla/client';
import {
  type Clock,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  type ObjectKey,
} from '@flotilla/machinery';
import type { EventNote, WriteTarget } from '@flotilla/runtime';
import {
  MANAGER_NAME,
  MISSING_LABELS_ANNOTATION,
  overflowNamespace,
  SOURCE_ANNOTATION,
} from './names.ts';
import { desiredProfile } from './profile/desired-profile.ts';
import type { SeenProfiles } from './profile/profiles-cache.ts';
import { writeProfile } from './profile/write-profile.ts';
import type { Source } from './sources/find-source.ts';
import { publishedName, registrationSource } from './sources/registration-facts.ts';
import type { Publication } from './tell-registration.ts';

/** What a look at one cluster needs. */
export interface PublishDeps {
  readonly client: Pick<Client, 'apply' | 'create' | 'delete'>;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly namespace: string;
  readonly profiles: SeenProfiles;
  /** Who speaks for a cluster. */
  readonly sourceOf: (name: string) => Source | undefined;
  /** The registration of a source; undefined when there is none. */
  readonly registrationOf: (source: string) => ClusterRegistration | undefined;
  readonly wrote: (target: WriteTarget, durationMs: number) => void;
  readonly record: (regarding: KubeObject, note: EventNote) => void;
  /** Has another name looked at. */
  readonly enqueue: (name: string) => void;
}

/** Makes the inventory say about a cluster what its source says, and nothing where it has none. */
export async function publishCluster(
  deps: PublishDeps,
  name: string,
  source: Source | undefined,
): Promise<Publication | undefined> {
  if (source === undefined) {
    await withdraw(deps, name, placesOf(deps, name));
    return undefined;
  }
  const places = placesOf(deps, name);
  const place = places.find((each) => isFreeOrOurs(deps.profiles.get(each)));
  if (place === undefined) {
    return {
      status: 'False',
      reason: 'NameTaken',
      message: `Cannot publish "${name}": namespaces ${places.map(({ namespace }) => `"${namespace}"`).join(' and ')} have a ClusterProfile of another manager under this name`,
    };
  }
  const found = deps.profiles.get(place);
  // Nobody has looked at the cluster yet: a profile would be written now and once more a moment later.
  if (found === undefined && isUnobserved(source)) return undefined;
  await publish(deps, place, { found, source });
  // Only now: whoever reads the inventory finds the cluster at any time.
  await withdraw(
    deps,
    name,
    places.filter((each) => each !== place),
  );
  for (const { metadata } of deps.profiles.bySource(source.facts.source)) {
    if (metadata.name !== name) deps.enqueue(metadata.name ?? '');
  }
  return {
    status: 'True',
    reason: 'Published',
    message: `As ClusterProfile ${place.namespace}/${name}`,
  };
}

interface Place extends ObjectKey {
  readonly namespace: string;
}

/** The inventory's namespace, and where to go when another manager's profile is there. */
function placesOf({ namespace }: PublishDeps, name: string): Place[] {
  return [namespace, overflowNamespace(namespace)].map((each) => ({ namespace: each, name }));
}

function isFreeOrOurs(found: ClusterProfile | undefined): boolean {
  return found === undefined || isOurs(found);
}

/** The manager of a profile cannot be changed, so that this holds for all its life. */
function isOurs({ spec }: ClusterProfile): boolean {
  return spec?.clusterManager?.name === MANAGER_NAME;
}

function isUnobserved({ registration }: Source): boolean {
  return registration !== undefined && registration.status?.phase === undefined;
}

async function publish(
  deps: PublishDeps,
  place: Place,
  { found, source }: { found: ClusterProfile | undefined; source: Source },
): Promise<void> {
  const desired = desiredProfile(source.facts);
  const how = {
    ...deps,
    wrote: (target: WriteTarget, profile: ClusterProfile, durationMs: number) => {
      deps.profiles.wrote(place, profile);
      deps.wrote(target, durationMs);
    },
  };
  try {
    await writeProfile(how, place, { found, desired });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await ensureNamespace(deps, place.namespace);
    await writeProfile(how, place, { found: undefined, desired });
  }
  const missing = desired.annotations[MISSING_LABELS_ANNOTATION];
  const known = found?.metadata.annotations?.[MISSING_LABELS_ANNOTATION];
  // The annotation remembers what was told, over restarts as well.
  if (missing === undefined || missing === known || source.regarding === undefined) return;
  deps.record(source.regarding, {
    type: 'Warning',
    reason: 'VendorLabelsMissing',
    action: 'PublishClusterProfile',
    note: `Cannot say how users sign in to cluster "${place.name}": set the labels ${missing.split(',').join(' and ')}`,
  });
}

/** Made when it is missed: hubs whose administrators make it need give us no right to. */
async function ensureNamespace({ client, signal }: PublishDeps, name: string): Promise<void> {
  const namespace: Namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  try {
    await client.create(Namespaces, namespace, { signal });
  } catch (error) {
    // Then something else was not found, or another look was quicker; the next try tells.
    if (!isAlreadyExists(error)) throw error;
  }
}

/** Takes our profiles away from places where they are of no use any more. */
async function withdraw(deps: PublishDeps, name: string, places: readonly Place[]): Promise<void> {
  for (const place of places) {
    const found = deps.profiles.get(place);
    if (found === undefined || !isMadeByUs(found) || isAwaitingSuccessor(deps, name, found))
      continue;
    const { uid } = found.metadata;
    try {
      await deps.client.delete(ClusterProfiles, place, {
        ...(uid === undefined ? {} : { preconditions: { uid } }),
        signal: deps.signal,
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    deps.profiles.wrote(place, undefined);
  }
}

/** Ours, and not only by its own account: users may make profiles in our name by hand. */
function isMadeByUs(profile: ClusterProfile): boolean {
  const { annotations = {}, managedFields = [] } = profile.metadata;
  return isOurs(profile) && (SOURCE_ANNOTATION in annotations || managedFields.length > 0);
}

/** A renamed cluster has its new profile before it loses the old one; whoever writes the new one calls for us. */
function isAwaitingSuccessor(deps: PublishDeps, name: string, profile: ClusterProfile): boolean {
  const source = profile.metadata.annotations?.[SOURCE_ANNOTATION];
  const registration = source === undefined ? undefined : deps.registrationOf(source);
  if (registration === undefined) return false;
  const successor = publishedName(registration);
  if (successor === name) return false;
  const speaker = deps.sourceOf(successor)?.registration;
  // Someone else has that name: there will be no successor.
  if (speaker === undefined || registrationSource(speaker) !== source) return false;
  return !placesOf(deps, successor).some((place) => {
    const found = deps.profiles.get(place);
    const isIts = found?.metadata.annotations?.[SOURCE_ANNOTATION] === source;
    return isIts && (found?.status?.conditions ?? []).length > 0;
  });
}
