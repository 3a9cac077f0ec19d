import { formatColumns, toYaml } from '@flotilla/machinery';
import { UsageError } from '../usage-error.ts';
import { type FleetCluster, listFleet } from './fleet.ts';
import type { HubSession } from './hub-session.ts';

/** The forms `list` can print. */
export const LIST_FORMS = ['wide', 'json', 'yaml', 'name'] as const;

/** Prints the whole fleet. */
export async function list(
  hub: HubSession,
  { output }: { readonly output?: string },
): Promise<number> {
  const { io } = hub;
  if (output !== undefined && !(LIST_FORMS as readonly string[]).includes(output)) {
    throw new UsageError(`Cannot print as "${output}": there are ${LIST_FORMS.join(', ')}`);
  }
  const fleet = await listFleet(hub);
  io.out(formatFleet(fleet, output));
  return 0;
}

/** The fleet as text. */
export function formatFleet(fleet: readonly FleetCluster[], output?: string): string {
  if (output === 'name') return fleet.map(({ name }) => `${name}\n`).join('');
  if (output === 'json') return `${JSON.stringify({ clusters: fleet.map(summary) }, null, 2)}\n`;
  if (output === 'yaml') return toYaml({ clusters: fleet.map(summary) });
  const head = ['CLUSTER', 'ALIAS', 'TYPE', 'ENDPOINT', 'ACCEPTED', 'PHASE', 'SOURCE', 'LABELS'];
  return formatColumns([head, ...fleet.flatMap((cluster) => rowsOf(cluster))]);
}

/** One row, and one more for every further label. */
function rowsOf(cluster: FleetCluster): string[][] {
  const [first = '', ...rest] = Object.entries(cluster.labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`);
  const row = [
    cluster.name,
    cluster.alias ?? '',
    cluster.type === '' ? '-' : cluster.type,
    cluster.endpoint ?? '-',
    String(cluster.isAccepted),
    cluster.phase ?? '-',
    sourceText(cluster),
    first,
  ];
  return [row, ...rest.map((label) => ['', '', '', '', '', '', '', label])];
}

/** What makes it a cluster of the fleet, as kubectl would name it. */
export function sourceText({ source, registration, secret }: FleetCluster): string {
  if (source === 'registration') {
    const { namespace, name } = registration?.metadata ?? {};
    return `clusterregistration ${namespace ?? ''}/${name ?? ''}`;
  }
  if (source === 'secret')
    return `secret ${secret?.metadata.namespace ?? ''}/${secret?.metadata.name ?? ''}`;
  return source;
}

function summary(cluster: FleetCluster): Record<string, unknown> {
  return {
    name: cluster.name,
    ...(cluster.alias === undefined ? {} : { alias: cluster.alias }),
    type: cluster.type,
    ...(cluster.endpoint === undefined ? {} : { endpoint: cluster.endpoint }),
    accepted: cluster.isAccepted,
    ...(cluster.phase === undefined ? {} : { phase: cluster.phase }),
    source: sourceText(cluster),
    labels: { ...cluster.labels },
  };
}
