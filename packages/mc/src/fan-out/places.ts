import type { FleetCluster } from '../fleet/cluster.ts';
import type { NoRoute, Route } from '../fleet/route.ts';
import type { Settings } from '../settings/settings.ts';
import { printableLine } from '../text/printable.ts';
import type { Fleet } from './fleet.ts';
import type { Member } from './member.ts';
import type { Outcome } from './outcome.ts';

/** One cluster on its way through a run. */
export interface Place {
  /** In the fleet. */
  readonly index: number;
  readonly cluster: FleetCluster;
  readonly route: Route;
  stage: 'queued' | 'connecting' | 'ready' | 'asking' | 'over';
  member: Member | undefined;
  controller: AbortController | undefined;
  timer: Disposable | undefined;
  /** When its time began to run. */
  since: number;
  /** How long it ran before that; waiting for a turn does not count. */
  usedMs: number;
}

/** The clusters that will be asked, and the outcomes of those that will not. */
export interface Places<T> {
  readonly places: readonly Place[];
  /** In the fleet's order, with a gap for each place. */
  readonly outcomes: (Outcome<T> | undefined)[];
}

type Unhealthy = Settings['execution']['unhealthy'];

/** Clusters before they are asked. */
export function createPlaces<T>({ clusters }: Fleet, unhealthy: Unhealthy): Places<T> {
  const places: Place[] = [];
  const outcomes = clusters.map(({ cluster, routing, isNamed }, index) => {
    if ('none' in routing) return unreached<T>(cluster, routing.none, isNamed);
    const { route } = routing;
    if (unhealthy === 'skip' && cluster.health === 'unhealthy') return unhealthyOne<T>(cluster);
    places.push({
      index,
      cluster,
      route,
      stage: 'queued',
      member: undefined,
      controller: undefined,
      timer: undefined,
      since: 0,
      usedMs: 0,
    });
    return undefined;
  });
  return { places, outcomes };
}

/** Where the hub says that something is wrong, it may still answer: those come last. The next one is at the end. */
export function inTurn(places: readonly Place[], unhealthy: Unhealthy): Place[] {
  if (unhealthy !== 'last') return places.toReversed();
  const isSick = ({ cluster }: Place) => cluster.health === 'unhealthy';
  return [...places.filter((place) => !isSick(place)), ...places.filter(isSick)].reverse();
}

const REASONS = { skipped: 'NoRoute', noaccess: 'NoAccess', untrusted: 'UntrustedExec' } as const;

function unreached<T>(cluster: FleetCluster, none: NoRoute, isNamed: boolean): Outcome<T> {
  // Who names a cluster wants to hear that it was not asked.
  const status = none.status === 'skipped' && isNamed ? 'noaccess' : none.status;
  const failure = {
    reason: REASONS[none.status],
    message: printableLine(none.message),
    ...(none.hint === undefined ? {} : { hint: printableLine(none.hint) }),
  };
  return { cluster, status, failure, elapsedMs: 0 };
}

function unhealthyOne<T>(cluster: FleetCluster): Outcome<T> {
  const failure = { reason: 'Unhealthy', message: 'the hub says that it is unhealthy' };
  return { cluster, status: 'skipped', failure, elapsedMs: 0 };
}
