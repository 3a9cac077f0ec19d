import type { Claim } from '@flotilla/runtime';
import type { VendorHints } from '../vendor/vendor-hints.ts';

/** What is said of one aspect; the type is the field's name. */
export type Statement = Omit<Claim, 'type'>;

/** How to reach a cluster, without anything that opens it. */
export interface ClusterRoute {
  /** `scheme://host:port[/path]`, without a user. */
  readonly server: string;
  /** PEM, certificates alone; undefined for the public authorities. */
  readonly ca: string | undefined;
  readonly isInsecure: boolean;
  /** Without a user. */
  readonly proxyUrl: string | undefined;
}

/** All that the inventory tells of a cluster, wherever it comes from. */
export interface ClusterFacts {
  readonly name: string;
  /** As the profile's annotation has it. */
  readonly source: string;
  readonly displayName: string;
  /** Those of users. */
  readonly labels: Readonly<Record<string, string>>;
  readonly clusterSet: string | undefined;
  readonly isUnmanaged: boolean;
  readonly health: Statement;
  readonly joined: Statement;
  readonly version: string | undefined;
  /** The uid of its namespace kube-system. */
  readonly clusterId: string | undefined;
  /** `namespace/name`. */
  readonly registration: string | undefined;
  readonly route: ClusterRoute | undefined;
  readonly vendor: VendorHints;
}
