import type { ClusterFacts } from '../sources/cluster-facts.ts';
import type { VendorHints } from '../vendor/vendor-hints.ts';
import { EXEC_API_VERSION, VENDORS } from '../vendor/vendors.ts';

/** A name and what stands under it. */
export interface Property {
  readonly name: string;
  readonly value: string;
}

/** As the schema has it. */
const LONGEST_VALUE = 1024;

/** Whether we can say how users sign in to a cluster: half a command line is of no use to anybody. */
export function isSignInKnown({ vendor, missing }: VendorHints): boolean {
  return vendor !== undefined && missing.length === 0;
}

/** What a profile says of a cluster beside its version and its health. */
export function profileProperties(facts: ClusterFacts): Property[] {
  const { vendor } = facts;
  const { location } = vendor;
  const values: Readonly<Record<string, string | undefined>> = {
    // Upstream's name for what tells clusters apart.
    'cluster.clusterset.k8s.io': facts.clusterId,
    'flotilla.dev/endpoint': facts.route?.server,
    'flotilla.dev/registration': facts.registration,
    platform: vendor.platform,
    region: location.region,
    location: location.region,
    'cluster-name': location['cluster-name'],
    project: location.project,
    'resource-group': location['resource-group'],
    ...signIn(vendor),
    ...(vendor.otherVendor === undefined ? {} : { 'cluster.type': vendor.otherVendor }),
  };
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' || value.length > LONGEST_VALUE ? [] : [{ name, value }],
  );
}

/** The command that gets a user a token, as properties that kubectl mc reads. */
function signIn(hints: VendorHints): Record<string, string> {
  const { vendor, location } = hints;
  const { region, 'cluster-name': clusterName } = location;
  if (!isSignInKnown(hints) || vendor === undefined) return {};
  if (region === undefined || clusterName === undefined) return {};
  const { command, args, platform, needsClusterInfo } = VENDORS[vendor];
  const list = args({ region, clusterName });
  return {
    'auth.exec.command': command,
    ...(list.length === 0 ? {} : { 'auth.exec.args': list.join(',') }),
    'auth.exec.apiVersion': EXEC_API_VERSION,
    ...(needsClusterInfo ? { 'auth.exec.provideClusterInfo': 'true' } : {}),
    'cloud.provider': platform,
    'cluster.type': vendor,
  };
}
