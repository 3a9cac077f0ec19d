import { type Secret, Secrets } from '@flotilla/client';
import { isConflict, isNotFound } from '@flotilla/machinery';
import { OWNER_UID_ANNOTATION } from '../../cluster-secret/names.ts';
import type { RegistrationDeps } from '../deps.ts';
import { detachManagedCluster } from '../ocm/ocm-engine.ts';
import { isWrittenAs } from '../secret/wanted-secret.ts';
import { FORCE_DETACH_ANNOTATION, type RegistrationPass, wantedName } from '../types.ts';
import { releaseSecret } from './release-secret.ts';

/** Nothing on the hub may hold a registration for longer than this. */
const SCRUB_MS = 10_000;
const TRIES = 5;
const LEAVE_RETRY_MS = 5_000;

/**
 * Takes a cluster off the hub. It needs nothing but the hub: the member may be gone, the gateway down, KubeVela not
 * installed. Only a Secret that carries our mark is touched; what another registration has won stays.
 */
export async function detachCluster(pass: RegistrationPass, deps: RegistrationDeps): Promise<void> {
  if (pass.observed.spec.engine === 'ocm') return leaveManagedCluster(pass, deps);
  const { registeredName, secretRef } = pass.observed.status ?? {};
  const names = [registeredName, secretRef?.name, wantedName(pass.observed)];
  // Written for a name that is not wanted any more, by a process that died before it could say so.
  const unused = deps.secrets
    .markedBy(pass.observed.metadata.uid ?? '')
    .filter((secret) => isWrittenAs(secret, secret.metadata.name ?? ''))
    .map(({ metadata }) => metadata.name);
  const isOrphan = pass.observed.spec.deletionPolicy === 'Orphan';
  let result: 'Detached' | 'Orphaned' | 'NotOwned' = 'NotOwned';
  try {
    for (const name of new Set([...names, ...unused])) {
      if (name === undefined) continue;
      const done = await leave(pass, deps, { name, isOrphan, wasOurs: name === registeredName });
      if (done) result = isOrphan ? 'Orphaned' : 'Detached';
    }
  } catch (error) {
    deps.meter.detached('Failed');
    throw error;
  }
  deps.meter.detached(result);
  deps.memory.forget(pass.observed.metadata.uid ?? '');
  deps.followSource(pass.key, [], undefined);
}

/** Open Cluster Management has finalizers of its own: they are waited for, but not for ever. */
async function leaveManagedCluster(pass: RegistrationPass, deps: RegistrationDeps): Promise<void> {
  const { metadata, spec, status } = pass.observed;
  if (spec.deletionPolicy === 'Orphan') {
    deps.meter.detached('Orphaned');
    return;
  }
  const { state, message, retryAfterMs } = await detachManagedCluster(
    deps.hubClient,
    {
      name: status?.registeredName ?? wantedName(pass.observed),
      ownerUid: metadata.uid ?? '',
      isForced: metadata.annotations?.[FORCE_DETACH_ANNOTATION] === 'true',
      deletedAt: new Date(metadata.deletionTimestamp ?? pass.now()),
      now: pass.now,
    },
    pass.signal,
  );
  if (state === 'Remaining') {
    const afterMs = retryAfterMs ?? LEAVE_RETRY_MS;
    throw pass.waiting('ClusterRegistered', 'AwaitingAcceptance', { message, afterMs });
  }
  if (state === 'GivenUp') tell(pass, message);
  deps.meter.detached('Detached');
  deps.memory.forget(metadata.uid ?? '');
}

/** Leaves one name; false where it is not ours. */
async function leave(
  pass: RegistrationPass,
  deps: RegistrationDeps,
  {
    name,
    isOrphan,
    wasOurs,
  }: {
    readonly name: string;
    readonly isOrphan: boolean;
    readonly wasOurs: boolean;
  },
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const secret = await read(pass, deps, name);
    const owner = secret?.metadata.annotations?.[OWNER_UID_ANNOTATION];
    const isOurs = secret !== undefined && owner === pass.observed.metadata.uid;
    if (secret !== undefined && !isOurs) return false;
    if (secret === undefined && !wasOurs) return false;
    try {
      if (isOrphan) {
        if (secret !== undefined) await release(pass, deps, secret);
      } else {
        await scrub(pass, deps, name);
        if (secret !== undefined) await remove(pass, deps, secret);
      }
      return true;
    } catch (error) {
      // It changed after it was read: it may have changed hands.
      if (!isConflict(error) || attempt >= TRIES) throw error;
    }
  }
}

async function read(
  { signal }: RegistrationPass,
  { hubClient, gatewayNamespace }: RegistrationDeps,
  name: string,
): Promise<Secret | undefined> {
  try {
    return await hubClient.get(Secrets, { namespace: gatewayNamespace, name }, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Best effort: an Application that still waits for the cluster is no reason to keep it. */
async function scrub(pass: RegistrationPass, deps: RegistrationDeps, name: string): Promise<void> {
  const late = new AbortController();
  using _ = deps.clock.later(SCRUB_MS, () => late.abort(new Error('It takes too long')));
  const signal = AbortSignal.any([pass.signal, late.signal]);
  try {
    const { failed } = await deps.scrubResourceTrackers(name, signal);
    if (failed === 0) return;
    tell(pass, `${failed} ResourceTrackers still name cluster "${name}"`);
  } catch (error) {
    pass.signal.throwIfAborted();
    pass.logger.warn('Cannot take a cluster out of ResourceTrackers', {
      err: error,
      cluster: name,
    });
    tell(pass, `ResourceTrackers may still name cluster "${name}"`);
  }
}

function tell(pass: RegistrationPass, note: string): void {
  pass.event({ type: 'Warning', reason: 'ScrubIncomplete', action: 'Detach', note });
}

async function remove(
  { signal }: RegistrationPass,
  { hubClient }: RegistrationDeps,
  { metadata }: Secret,
): Promise<void> {
  const { namespace, name = '', uid = '', resourceVersion = '' } = metadata;
  const preconditions = { uid, resourceVersion };
  try {
    await hubClient.delete(Secrets, { namespace, name }, { preconditions, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function release(
  { observed, signal }: RegistrationPass,
  { hubClient, secrets }: RegistrationDeps,
  secret: Secret,
): Promise<void> {
  const ownerUid = observed.metadata.uid;
  secrets.wrote(await releaseSecret(hubClient, secret, { ownerUid, signal }));
}
