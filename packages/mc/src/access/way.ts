import type { FleetCluster } from '../fleet/cluster.ts';
import type { Route, Routing } from '../fleet/route.ts';
import type { ExecProposal } from './properties/exec-properties.ts';

/** What one way knows of a cluster; undefined when it has nothing to do with it. */
export type Found = Routing | Untrusted | undefined;

/** A route that stands once the user trusts a command. */
export interface Untrusted {
  readonly untrusted: ExecProposal;
  readonly cluster: FleetCluster;
  /** The server that the command would log in to. */
  readonly server: string;
  readonly whenTrusted: Route;
}

/** One way to find routes. Reads what it needs once, when it is first asked. */
export type Way = (cluster: FleetCluster) => Found | Promise<Found>;
