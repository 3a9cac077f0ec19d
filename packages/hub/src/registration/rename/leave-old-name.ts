import { Secrets } from '@flotilla/client';
import { isConflict, isNotFound } from '@flotilla/machinery';
import type { MemberAccess } from '../../cluster-secret/member-access.ts';
import { OWNER_UID_ANNOTATION } from '../../cluster-secret/names.ts';
import { beatThroughGateway } from '../member/heartbeat.ts';
import type { Visit } from '../visit.ts';

const GATEWAY_WAIT_MS = 1_000;

/**
 * Ends a rename: once the gateway knows the new name, the Secret of the old one goes. A crash at any point is resumed,
 * because the status keeps the old name until the pass is written.
 */
export async function leaveOldName(
  visit: Visit,
  {
    from,
    to,
    access,
  }: {
    readonly from: string;
    readonly to: string;
    readonly access: MemberAccess;
  },
): Promise<void> {
  await requireVisible(visit, { to, access });
  const { pass, deps } = visit;
  const key = { namespace: deps.gatewayNamespace, name: from };
  const { signal } = pass;
  try {
    const old = await deps.hubClient.get(Secrets, key, { signal });
    const { annotations = {}, uid = '', resourceVersion = '' } = old.metadata;
    if (annotations[OWNER_UID_ANNOTATION] !== pass.observed.metadata.uid) return;
    const preconditions = { uid, resourceVersion };
    await deps.hubClient.delete(Secrets, key, { preconditions, signal });
  } catch (error) {
    if (isNotFound(error)) return;
    if (!isConflict(error)) throw error;
    const message = `Waiting to delete Secret "${from}" of the old name: it changed`;
    throw pass.waiting('ClusterRegistered', 'WriteFailed', { message, afterMs: GATEWAY_WAIT_MS });
  }
  pass.event({
    reason: 'Renamed',
    action: 'Rename',
    note: `Cluster "${from}" is now "${to}"`,
  });
}

/** Whatever the member answers, the gateway has found it under the new name. */
async function requireVisible(
  { pass, deps, member }: Visit,
  { to, access }: { readonly to: string; readonly access: MemberAccess },
): Promise<void> {
  if ((await deps.findGateway(pass.signal)).state !== 'available') return;
  const { endpoint, timeout, timeoutMs, conceal } = member(access);
  const asked = { cluster: to, endpoint, timeout, timeoutMs, conceal };
  const heartbeat = await beatThroughGateway(deps.hubClient, asked, pass.signal);
  if (heartbeat?.result !== 'failed' || heartbeat.reason !== 'GatewayUnavailable') return;
  const message = `Waiting for the gateway to know the cluster as "${to}"; until then it keeps its old name too`;
  throw pass.waiting('ClusterRegistered', 'HubNotReady', { message, afterMs: GATEWAY_WAIT_MS });
}
