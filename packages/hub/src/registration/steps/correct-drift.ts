import type { Secret } from '@flotilla/client';
import type { Published } from '../secret/publish-secret.ts';
import type { Visit } from '../visit.ts';

/** Corrections within the window after which somebody else means it. */
const MOST_CORRECTIONS = 5;
const WINDOW_MS = 600_000;

/**
 * Puts a cluster Secret right that others changed or deleted, and says so. Who is corrected five times in ten minutes
 * keeps at it: then we stop, until the spec changes, the Secret is right again, or ten minutes pass without a change.
 */
export async function correctDrift(
  visit: Visit,
  {
    existing,
    write,
    name,
  }: {
    readonly existing: Secret | undefined;
    readonly write: () => Promise<Published>;
    readonly name: string;
  },
): Promise<Published | undefined> {
  const { pass, deps, remembered } = visit;
  const now = deps.clock.now();
  const generation = pass.observed.metadata.generation ?? 0;
  const version = existing?.metadata.resourceVersion ?? '';
  remembered.corrections = remembered.corrections.filter((at) => now - at < WINDOW_MS);
  const { driftLoop } = remembered;
  if (driftLoop !== undefined) {
    if (driftLoop.version !== version) Object.assign(driftLoop, { version, since: now });
    const isOver = driftLoop.generation !== generation || now - driftLoop.since >= WINDOW_MS;
    if (isOver) remembered.driftLoop = undefined;
  } else if (remembered.corrections.length >= MOST_CORRECTIONS) {
    remembered.driftLoop = { generation, version, since: now };
  }
  if (remembered.driftLoop !== undefined) {
    pass.unmet(
      'ClusterRegistered',
      'DriftLoop',
      `Cannot keep cluster Secret "${deps.gatewayNamespace}/${name}" as it should be: somebody changed it ${MOST_CORRECTIONS} times in ten minutes; find out who, then change the registration or wait ten minutes`,
    );
    return undefined;
  }
  const published = await write();
  // The watch was behind, and there was nothing to correct.
  if (published.did === 'nothing') return published;
  remembered.corrections.push(now);
  deps.meter.driftCorrected();
  const what = existing === undefined ? 'was gone' : 'had been changed';
  pass.event({
    type: 'Warning',
    reason: 'DriftCorrected',
    action: 'PublishCluster',
    note: `Restored cluster Secret "${deps.gatewayNamespace}/${name}": it ${what}`,
  });
  return published;
}
