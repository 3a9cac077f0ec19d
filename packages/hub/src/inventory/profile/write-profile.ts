import { type ClusterProfile, ClusterProfiles } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { apiVersionOf, type Clock, formatTime, type ObjectKey } from '@flotilla/machinery';
import type { WriteTarget } from '@flotilla/runtime';
import { FIELD_MANAGER } from '../names.ts';
import type { DesiredProfile } from './desired-profile.ts';
import { isMainUpToDate, isStatusUpToDate } from './up-to-date.ts';

/** What writing needs. */
export interface ProfileWriting {
  readonly client: Pick<Client, 'apply'>;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  /** Hears of each write: what the server made of it, and for how long it took. */
  readonly wrote: (target: WriteTarget, profile: ClusterProfile, durationMs: number) => void;
}

/**
 * Makes a profile what it should be, with at most one write for metadata and spec and one for the status, and none where
 * nothing is to be done. `found` must be ours, or undefined where there is none.
 */
export async function writeProfile(
  how: ProfileWriting,
  place: ObjectKey,
  { found, desired }: { found: ClusterProfile | undefined; desired: DesiredProfile },
): Promise<ClusterProfile> {
  const { clock, wrote } = how;
  let profile = found;
  if (profile === undefined || !isMainUpToDate(profile, desired)) {
    const beganAt = clock.elapsed();
    profile = await applyMain(how, place, { found, desired });
    wrote('metadata', profile, clock.elapsed() - beganAt);
  }
  if (!isStatusUpToDate(profile, desired)) {
    const beganAt = clock.elapsed();
    profile = await applyStatus(how, profile, desired);
    wrote('status', profile, clock.elapsed() - beganAt);
  }
  return profile;
}

function applyMain(
  { client, signal }: ProfileWriting,
  place: ObjectKey,
  { found, desired }: { found: ClusterProfile | undefined; desired: DesiredProfile },
): Promise<ClusterProfile> {
  const { labels, annotations, spec } = desired;
  const metadata = { ...place, ...uidOf(found), labels, annotations };
  return client.apply(ClusterProfiles, { ...kind, metadata, spec } as ClusterProfile, {
    fieldManager: FIELD_MANAGER,
    // A profile that we know nothing of may have come from another manager meanwhile: then the server refuses.
    force: found !== undefined,
    signal,
  });
}

function applyStatus(
  { client, signal, clock }: ProfileWriting,
  profile: ClusterProfile,
  desired: DesiredProfile,
): Promise<ClusterProfile> {
  const { name, namespace } = profile.metadata;
  const { version, properties, accessProviders } = desired;
  const known = profile.status?.conditions ?? [];
  const conditions = desired.conditions.map((claim) => {
    const before = known.find(({ type }) => type === claim.type);
    const isSame = before?.status === claim.status;
    return {
      ...claim,
      lastTransitionTime: isSame ? before.lastTransitionTime : formatTime(new Date(clock.now())),
    };
  });
  const status = {
    conditions,
    ...(version === undefined ? {} : { version }),
    ...(properties.length === 0 ? {} : { properties }),
    ...(accessProviders.length === 0 ? {} : { accessProviders }),
  };
  const metadata = { name, namespace, ...uidOf(profile) };
  return client.apply(ClusterProfiles, { ...kind, metadata, status } as unknown as ClusterProfile, {
    fieldManager: FIELD_MANAGER,
    force: true,
    subresource: 'status',
    signal,
  });
}

const kind = { apiVersion: apiVersionOf(ClusterProfiles), kind: ClusterProfiles.kind };

/** With it the server refuses to change another object of the same name. */
function uidOf(profile: ClusterProfile | undefined): { uid?: string } {
  const uid = profile?.metadata.uid;
  return uid === undefined ? {} : { uid };
}
