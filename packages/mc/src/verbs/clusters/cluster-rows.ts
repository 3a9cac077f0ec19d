import { formatColumns } from '@flotilla/machinery';
import type { Fleet, RoutedCluster } from '../../fan-out/fleet.ts';
import type { Outcome } from '../../fan-out/outcome.ts';
import type { FleetCluster } from '../../fleet/cluster.ts';
import type { Route } from '../../fleet/route.ts';
import { CLUSTERSET_LABEL } from '../../inventory/profile-record.ts';
import { printableCell } from '../../text/printable.ts';
import type { ServerVersion } from '../version/fleet-versions.ts';

/** One cluster as it is shown. */
export interface ClusterRow extends RoutedCluster {
  readonly name: string;
  /** What its server says, where it was asked; else what the profile says. */
  readonly version: string;
  readonly outcome: Outcome<ServerVersion> | undefined;
}

/** The clusters of a fleet in their order, with what came of asking them. */
export function clusterRows(
  { clusters }: Fleet,
  outcomes: readonly Outcome<ServerVersion>[] | undefined,
): ClusterRow[] {
  const byName = new Map(outcomes?.map((outcome) => [outcome.cluster.name, outcome]));
  return clusters.map((routed) => {
    const outcome = byName.get(routed.cluster.name);
    const said = outcome?.value?.['gitVersion'];
    const version = typeof said === 'string' && said !== '' ? said : routed.cluster.version;
    return { ...routed, name: routed.cluster.name, version, outcome };
  });
}

const HEALTH = { healthy: 'True', unhealthy: 'False', unknown: 'Unknown' } as const;
const ACCESS: Readonly<Record<Route['kind'], string>> = {
  mapping: 'context',
  kubeconfig: 'context',
  provider: 'provider',
  properties: 'properties',
  'hub-proxy': 'hub-proxy',
};
const NO_ACCESS = { skipped: 'none', noaccess: 'broken', untrusted: 'untrusted' } as const;

/** A column: its title, and what it shows of a cluster; `<none>` when that is nothing. */
type Column = readonly [title: string, cell: (row: ClusterRow) => string | undefined];

const COLUMNS: readonly Column[] = [
  ['NAME', ({ name }) => name],
  ['NAMESPACE', ({ cluster }) => cluster.profile?.namespace],
  ['MANAGER', ({ cluster }) => cluster.profile?.manager],
  ['VERSION', ({ version }) => version],
  ['HEALTHY', ({ cluster }) => HEALTH[cluster.health]],
  ['ACCESS', accessOf],
  ['CONTEXT', ({ routing }) => ('route' in routing ? routing.route.context : undefined)],
];
const LATENCY: Column = ['LATENCY', latencyOf];
const WIDE_COLUMNS: readonly Column[] = [
  ['SERVER', ({ cluster, routing }) => serverOf(cluster, routing)],
  ['CLUSTERSET', ({ cluster }) => cluster.labels[CLUSTERSET_LABEL]],
  ['DISPLAY NAME', ({ cluster }) => cluster.profile?.displayName],
];

/** How the table is shown. */
export interface TableChoices {
  readonly isWide: boolean;
  readonly hasHeaders: boolean;
}

/** For people; LATENCY is there when clusters were asked. */
export function clusterTable(
  rows: readonly ClusterRow[],
  { isWide, hasHeaders }: TableChoices,
): string {
  const wasAsked = rows.some(({ outcome }) => outcome !== undefined);
  const columns = [...COLUMNS, ...(wasAsked ? [LATENCY] : []), ...(isWide ? WIDE_COLUMNS : [])];
  const cells = rows.map((row) => columns.map(([, cell]) => printableCell(cell(row) || '<none>')));
  return formatColumns(hasHeaders ? [columns.map(([title]) => title), ...cells] : cells);
}

function accessOf({ routing }: ClusterRow): string {
  return 'route' in routing ? ACCESS[routing.route.kind] : NO_ACCESS[routing.none.status];
}

function latencyOf({ outcome }: ClusterRow): string | undefined {
  if (outcome === undefined) return undefined;
  return outcome.status === 'ok' ? `${Math.round(outcome.elapsedMs)}ms` : outcome.status;
}

/** Where it will be looked for, else where its profile says it is. */
function serverOf({ offers }: FleetCluster, routing: RoutedCluster['routing']): string | undefined {
  return 'route' in routing ? routing.route.server : offers[0]?.server;
}

/** For programs. Names, places and what came of asking; nothing secret is known here. */
export function clusterList(rows: readonly ClusterRow[]): unknown {
  return {
    apiVersion: 'kubectl-mc.k8s.io/v1alpha1',
    kind: 'ClusterList',
    clusters: rows.map(({ name, version, cluster, routing, outcome }) => ({
      name,
      aliases: cluster.aliases,
      ...(cluster.profile === undefined ? {} : { profile: cluster.profile }),
      version,
      health: cluster.health,
      labels: cluster.labels,
      properties: cluster.properties,
      access: accessFields(routing),
      ...(outcome === undefined ? {} : { check: checkFields(outcome) }),
    })),
  };
}

function accessFields(routing: RoutedCluster['routing']): unknown {
  if ('none' in routing) {
    const { status, message, hint } = routing.none;
    return { kind: NO_ACCESS[status], message, ...(hint === undefined ? {} : { hint }) };
  }
  const { kind, source, server, context } = routing.route;
  return { kind: ACCESS[kind], source, server, ...(context === undefined ? {} : { context }) };
}

function checkFields({ status, elapsedMs, failure }: Outcome<ServerVersion>): unknown {
  return {
    status,
    elapsedMs: Math.round(elapsedMs),
    ...(failure === undefined ? {} : { error: failure }),
  };
}
