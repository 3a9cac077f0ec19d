import { createHash } from 'node:crypto';
import type { Secret } from '@flotilla/client';
import { readClusterSecret } from '../../cluster-secret/read-cluster-secret.ts';
import { carry } from '../carry.ts';
import type { Visit } from '../visit.ts';

/** How long until a refresh that failed for the moment is tried again. */
const RETRY_MS = 60_000;

/**
 * Has Applications look at their clusters again, once for each event: the cluster joined, has another name, came back
 * after somebody deleted its Secret, or has other labels. The first three are a new Secret, so its uid, a number and its
 * labels together name the event. The number is one more than that of the last event that came to its end: a pass after a
 * crash knows its event again, and labels that come back are another one.
 */
export async function refreshSelected(
  visit: Visit,
  secret: Secret,
): Promise<{ readonly retryAfterMs: number | undefined }> {
  const { pass, deps, status } = visit;
  const mode = pass.observed.spec.config.refreshApplications;
  if (mode === 'None') {
    pass.unknown('ApplicationsRefreshed', 'Disabled', 'spec.config.refreshApplications is None');
    return { retryAfterMs: undefined };
  }
  const labels = readClusterSecret(secret)?.labels ?? {};
  const { uid = '', name: cluster = '' } = secret.metadata;
  const digest = digestOf(labels);
  const last = status.applications?.lastRefreshToken;
  const event = readToken(last, uid);
  if (event?.digest === digest) {
    const message = 'No Application has to look at this cluster again';
    carry(pass, { type: 'ApplicationsRefreshed', status: 'True', reason: 'UpToDate', message });
    return { retryAfterMs: undefined };
  }
  const token = `${uid}.${(event?.number ?? 0) + 1}.${digest}`;
  const seen = status.applications?.labels;
  const previousLabels = event === undefined ? undefined : (seen ?? {});
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
      ? { lastRefreshToken: token, labels: { ...labels } }
      : {
          ...(last === undefined ? {} : { lastRefreshToken: last }),
          ...(seen === undefined ? {} : { labels: seen }),
        }),
    matched,
    updated,
    failed,
  };
  return { retryAfterMs: isOver ? undefined : RETRY_MS };
}

/** The last event of this Secret; undefined where there was none. */
function readToken(
  token: string | undefined,
  uid: string,
): { readonly number: number; readonly digest: string } | undefined {
  const [of, number, digest] = token?.split('.') ?? [];
  if (of !== uid || digest === undefined) return undefined;
  return { number: Number(number), digest };
}

function digestOf(labels: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 12);
}
