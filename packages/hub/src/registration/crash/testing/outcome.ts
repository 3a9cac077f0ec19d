import { isNotFound } from '@flotilla/machinery';
import type { Condition } from '@flotilla/runtime';
import { ResourceTrackers } from '../../resource-trackers/kinds.ts';
import { type CrashWorld, clusterSecrets, FOREIGN, TRACKER } from './crash-world.ts';
import { get } from './flows.ts';

/** What is left when something is over, without what differs from one time to the next. */
export interface Outcome {
  readonly secrets: unknown;
  readonly registration: unknown;
  readonly tracked: unknown;
}

/**
 * Says how things stand in words that are the same every time. Reasons are left out: a Secret that was created before a
 * crash is found after it, and both is well.
 */
export async function outcomeOf(world: CrashWorld): Promise<Outcome> {
  const registration = await get(world);
  const { uid = '' } = registration?.metadata ?? {};
  const all = await clusterSecrets(world.client);
  const ours = [...all.values()].filter(({ metadata }) => !isForeign(metadata.name));
  const { status } = registration ?? {};
  const { registeredName, secretRef, clusterInfo, phase, credential, applications } = status ?? {};
  const secrets = ours.map(({ metadata, data, type }) => {
    const { name, labels, annotations, ownerReferences } = metadata;
    return { name, labels, annotations, ownerReferences, data, type };
  });
  const conditions = (status?.conditions ?? []) as readonly Condition[];
  return withoutUid(uid, {
    secrets,
    registration: registration && {
      registeredName,
      secretName: secretRef?.name,
      isSecretKnown: secretRef?.uid === all.get(registeredName ?? '')?.metadata.uid,
      clusterInfo,
      phase,
      revision: credential?.revision,
      failedApplications: applications?.failed,
      conditions: Object.fromEntries(conditions.map(({ type, status: is }) => [type, is])),
    },
    tracked: await trackedIn(world),
  });
}

function isForeign(name = ''): boolean {
  return (FOREIGN as readonly string[]).includes(name);
}

async function trackedIn({ client }: CrashWorld): Promise<unknown> {
  try {
    return (await client.get(ResourceTrackers, { name: TRACKER })).spec?.managedResources;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function withoutUid(uid: string, outcome: Outcome): Outcome {
  const text = JSON.stringify(outcome);
  return JSON.parse(uid === '' ? text : text.replaceAll(uid, 'uid')) as Outcome;
}
