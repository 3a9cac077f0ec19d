import { createHash } from 'node:crypto';
import type { Secret } from '@flotilla/client';
import { readClusterSecret } from '../../cluster-secret/read-cluster-secret.ts';
import { carry } from '../carry.ts';
import type { Visit } from '../visit.ts';

/** How long until a refresh that failed for the moment is tried again. */
const RETRY_MS = 60_000;

/**
 * Has Applications look at their clusters again, once for each event: the cluster joined, has another name, came back
 * after somebody deleted its Secret, or has other labels. The first three are a new Secret, so its uid and its labels
 * together name the event, and a pass after a crash knows it again.
 */
export async function refreshSelected(
  visit: Visit,
  secret: Secret,
): Promise<{ readonly retryAfterMs: number | undefined }> {
  const { pass, deps, status, remembered } = visit;
  const mode = pass.observed.spec.config.refreshApplications;
  if (mode === 'None') {
    pass.unknown('ApplicationsRefreshed', 'Disabled', 'spec.config.refreshApplications is None');
    return { retryAfterMs: undefined };
  }
  const labels = readClusterSecret(secret)?.labels ?? {};
  const { uid = '', name: cluster = '' } = secret.metadata;
  const token = `${uid}.${digestOf(labels)}`;
  const last = status.applications?.lastRefreshToken;
  if (last === token) {
    const message = 'No Application has to look at this cluster again';
    carry(pass, { type: 'ApplicationsRefreshed', status: 'True', reason: 'UpToDate', message });
    remembered.labels = labels;
    return { retryAfterMs: undefined };
  }
  const isSameSecret = last?.startsWith(`${uid}.`) === true;
  const previousLabels = isSameSecret ? remembered.labels : undefined;
  const result = await deps.refreshApplications(
    { mode, cluster, labels, token, previousLabels, now: pass.now },
    pass.signal,
  );
  for (const { reason, message } of result.warnings) {
    pass.event({ type: 'Warning', reason, action: 'RefreshApplications', note: message });
  }
  const { state, message, matched, updated, failed } = result;
  if (state === 'UpToDate' || state === 'Refreshed')
    pass.mark('ApplicationsRefreshed', state, message);
  else if (state === 'KubeVelaNotInstalled') pass.unknown('ApplicationsRefreshed', state, message);
  else pass.unmet('ApplicationsRefreshed', state, message);
  const isOver = state !== 'ListFailed' && result.isFinal;
  status.applications = {
    ...(isOver
      ? { lastRefreshToken: token }
      : last === undefined
        ? {}
        : { lastRefreshToken: last }),
    matched,
    updated,
    failed,
  };
  if (isOver) remembered.labels = labels;
  return { retryAfterMs: isOver ? undefined : RETRY_MS };
}

function digestOf(labels: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 12);
}
