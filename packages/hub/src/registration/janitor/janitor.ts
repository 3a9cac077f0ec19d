import { ClusterRegistrations } from '@flotilla/api';
import { type Client, type Secret, Secrets } from '@flotilla/client';
import { type Clock, isConflict, isNotFound, statusErrorOf } from '@flotilla/machinery';
import type { Logger } from '@flotilla/runtime';
import { DELETION_POLICY_ANNOTATION, MANAGED_LABEL } from '../../cluster-secret/names.ts';
import { readClusterSecret } from '../../cluster-secret/read-cluster-secret.ts';
import { REGISTERED_AS_ANNOTATION } from '../secret/wanted-secret.ts';

/** What sweeping takes. */
export interface JanitorDeps {
  readonly client: Pick<Client, 'get' | 'delete'>;
  /** Cluster Secrets as the watch has them. */
  readonly secrets: () => readonly Secret[];
  /** Whether the watch has a registration with this uid; it may be behind, and is only asked first. */
  readonly hasRegistration: (uid: string) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

const EVERY_MS = 45_000;

/**
 * Deletes cluster Secrets whose registration is gone without having cleaned up: somebody took its finalizer off. What
 * the watch says is only a hint; owner and Secret are read again, and the delete is for that very version.
 */
export async function sweep(deps: JanitorDeps, signal: AbortSignal): Promise<number> {
  let swept = 0;
  for (const secret of deps.secrets()) {
    if (!mayBeLeft(secret, deps.hasRegistration)) continue;
    try {
      if (await sweepOne(deps, secret, signal)) swept++;
    } catch (err) {
      signal.throwIfAborted();
      deps.logger.warn('Cannot sweep a cluster Secret', { err, secret: secret.metadata.name });
    }
  }
  return swept;
}

/** Sweeps now and then until the signal is aborted. */
export async function runJanitor(deps: JanitorDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await deps.clock.wait(EVERY_MS, signal);
      await sweep(deps, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

function mayBeLeft(secret: Secret, hasRegistration: JanitorDeps['hasRegistration']): boolean {
  const { labels = {}, annotations = {}, name } = secret.metadata;
  const owner = readClusterSecret(secret)?.owner;
  return (
    labels[MANAGED_LABEL] === 'true' &&
    owner !== undefined &&
    owner.uid !== '' &&
    annotations[DELETION_POLICY_ANNOTATION] !== 'Orphan' &&
    // A copy that somebody made under another name is theirs.
    annotations[REGISTERED_AS_ANNOTATION] === name &&
    !hasRegistration(owner.uid)
  );
}

async function sweepOne(deps: JanitorDeps, seen: Secret, signal: AbortSignal): Promise<boolean> {
  const { client, logger } = deps;
  const { namespace, name = '' } = seen.metadata;
  try {
    const secret = await client.get(Secrets, { namespace, name }, { signal });
    if (!mayBeLeft(secret, () => false)) return false;
    const owner = readClusterSecret(secret)?.owner;
    if (owner === undefined || (await isAlive(deps, owner, signal))) return false;
    const { uid = '', resourceVersion = '' } = secret.metadata;
    const preconditions = { uid, resourceVersion };
    await client.delete(Secrets, { namespace, name }, { preconditions, signal });
    logger.info('Deleted a cluster Secret whose registration is gone', { namespace, name });
    return true;
  } catch (error) {
    // Somebody else was faster.
    if (isNotFound(error) || isConflict(error)) return false;
    throw error;
  }
}

async function isAlive(
  { client }: JanitorDeps,
  owner: { readonly namespace: string; readonly name: string; readonly uid: string },
  signal: AbortSignal,
): Promise<boolean> {
  const { namespace, name, uid } = owner;
  try {
    const { metadata } = await client.get(ClusterRegistrations, { namespace, name }, { signal });
    // One of the same name takes it over by itself.
    return metadata.uid === uid || metadata.deletionTimestamp === undefined;
  } catch (error) {
    // A hub that does not know the kind for a moment says the same of all of them.
    if (isNotFound(error) && statusErrorOf(error)?.details?.['name'] === name) return false;
    throw error;
  }
}
