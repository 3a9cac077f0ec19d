import { type Secret, Secrets } from '@flotilla/client';
import { isConflict, isNotFound } from '@flotilla/machinery';
import { HEALTHY_ANNOTATION } from '../../cluster-secret/names.ts';
import { FIELD_MANAGER } from '../secret/publish-secret.ts';
import { healthAnnotations } from '../secret/wanted-secret.ts';
import type { Visit } from '../visit.ts';

/** The gateway's own words for what is wrong; for all else it has `Unknown:` and a text. */
const GATEWAY_REASONS: Readonly<Record<string, string>> = {
  Timeout: 'ConnectionTimeout',
  TLSVerificationFailed: 'CertificateMismatch',
};

/**
 * Has the gateway show that a member went away or came back: once each time, so that heartbeats write nothing. What
 * others say in between stays.
 */
export async function mirrorHealth(
  visit: Visit,
  { secret, isAlive }: { readonly secret: Secret; readonly isAlive: boolean },
): Promise<void> {
  const { pass, deps, status, fault = '' } = visit;
  const { failureThreshold } = pass.observed.spec.config;
  const isAway = (failures = 0) => failures >= failureThreshold;
  const isAwayNow = isAway(status.consecutiveFailures);
  const hasTurned = isAwayNow !== isAway(pass.observed.status?.consecutiveFailures);
  const isUntold = isAlive && secret.metadata.annotations?.[HEALTHY_ANNOTATION] === undefined;
  if (!hasTurned && !isUntold) return;
  const { uid, namespace = '', name = '' } = secret.metadata;
  const reason = isAwayNow ? (GATEWAY_REASONS[fault] ?? `Unknown:${fault}`) : '';
  const body = { metadata: { uid, annotations: healthAnnotations(!isAwayNow, reason) } };
  try {
    const patch = {
      type: 'merge',
      fieldManager: FIELD_MANAGER,
      signal: pass.signal,
      body,
    } as const;
    deps.secrets.wrote(await deps.hubClient.patch(Secrets, { namespace, name }, patch));
  } catch (error) {
    // Deleted, or another's by now: the next pass sees to it.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
