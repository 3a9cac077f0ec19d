import { GATEWAY_PREFIX, OUR_PREFIX } from '@flotilla/hub';
import { formatFieldErrors, validateLabels } from '@flotilla/machinery';
import { UsageError } from '../usage-error.ts';
import { changeCluster } from './change-cluster.ts';
import type { FleetCluster } from './fleet.ts';
import type { HubSession } from './hub-session.ts';
import { requireCluster } from './require-cluster.ts';

/** What becomes of labels: a text sets one, null removes it. */
export type LabelChange = Readonly<Record<string, string | null>>;

/** Reads `key=value` and `key-`, as `kubectl label` takes them. */
export function parseLabelArguments(parts: readonly string[]): LabelChange {
  return Object.fromEntries(
    parts.map((part): [string, string | null] => {
      const set = /^([^=]+)=([^=]*)$/.exec(part);
      if (set !== null) return [set[1] ?? '', set[2] ?? ''];
      const removed = /^([^=]+)-$/.exec(part);
      if (removed !== null) return [removed[1] ?? '', null];
      throw new UsageError(`Cannot read label "${part}": write key=value, or key- to remove one`);
    }),
  );
}

/** Changes labels of a cluster and prints those it then has. */
export async function changeLabels(
  hub: HubSession,
  { name, change }: { readonly name: string; readonly change: LabelChange },
): Promise<number> {
  const { io } = hub;
  const cluster = await requireCluster(hub, name);
  checkChange(cluster, change);
  await writeLabels(hub, cluster, change);
  const labels = { ...cluster.labels, ...change };
  const lines = Object.entries(labels)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key}=${value}\n`)
    .sort();
  io.out(lines.join(''));
  return 0;
}

/** Labels of a registered cluster are its registration's, but for those that others put onto its Secret. */
async function writeLabels(
  hub: HubSession,
  cluster: FleetCluster,
  change: LabelChange,
): Promise<void> {
  const own = cluster.registration?.spec.labels ?? {};
  const foreign = Object.entries(change).filter(
    ([key, value]) =>
      value === null && cluster.registration !== undefined && own[key] === undefined,
  );
  if (foreign.length > 0) {
    const { registration: _, ...secretAlone } = cluster;
    const labels = Object.fromEntries(foreign);
    await changeCluster(hub, secretAlone, { registration: {}, metadata: { labels } });
  }
  const rest = Object.fromEntries(
    Object.entries(change).filter(([key]) => !foreign.some(([other]) => other === key)),
  );
  if (Object.keys(rest).length === 0) return;
  const wanted = { registration: { spec: { labels: rest } }, metadata: { labels: rest } };
  await changeCluster(hub, cluster, wanted);
}

function checkChange(cluster: FleetCluster, change: LabelChange): void {
  if (cluster.source === 'hub') {
    throw new Error('cluster type Internal do not support add labels now');
  }
  const set: Record<string, string> = {};
  for (const [key, value] of Object.entries(change)) {
    // Whoever could take these away would make the cluster disappear.
    if (key.startsWith(GATEWAY_PREFIX) || key.startsWith(OUR_PREFIX)) {
      throw new UsageError(`Cannot change label "${key}": it is how the hub knows its clusters`);
    }
    if (value !== null) set[key] = value;
    else if (cluster.labels[key] === undefined) throw new UsageError(`no such label ${key}`);
  }
  const problems = validateLabels(set, 'labels');
  if (problems.length > 0) throw new UsageError(formatFieldErrors(problems));
}
