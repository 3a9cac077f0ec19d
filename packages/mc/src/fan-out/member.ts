import type { Client, Discovery, Transport } from '@flotilla/client';
import type { FleetCluster } from '../fleet/cluster.ts';
import type { Route } from '../fleet/route.ts';

/** A cluster that a verb is talking to. */
export interface Member {
  readonly cluster: FleetCluster;
  readonly route: Route;
  readonly transport: Transport;
  readonly client: Client;
  readonly discovery: Discovery;
  /** The namespace of requests there: `-n`, else the mapping's, else the context's, else `default`. */
  readonly namespace: string;
  /** Aborted by the cluster's own time limit, the deadline, `--fail-fast` and Ctrl-C. */
  readonly signal: AbortSignal;
}
