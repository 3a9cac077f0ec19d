import type { ClusterProfileStatus } from '@flotilla/api';
import { MANAGER_NAME } from '../names.ts';
import type { ClusterFacts } from '../sources/cluster-facts.ts';
import { isSignInKnown } from './profile-properties.ts';

type AccessProvider = NonNullable<ClusterProfileStatus['accessProviders']>[number];

/** What upstream hands to a plugin as `spec.cluster.config` of the ExecCredential. */
const EXEC_EXTENSION = 'client.authentication.k8s.io/exec';

/**
 * The way to a cluster in upstream's form: where it is and which of the consumer's own plugins opens it, and no
 * credential. Upstream's list of additional arguments is not used: its CRD refuses lists there.
 */
export function accessProvider(facts: ClusterFacts): AccessProvider | undefined {
  const { route, vendor } = facts;
  if (route === undefined) return undefined;
  const isKnown = isSignInKnown(vendor);
  return {
    name: isKnown ? (vendor.vendor ?? MANAGER_NAME) : MANAGER_NAME,
    cluster: {
      server: route.server,
      ...(route.ca === undefined
        ? {}
        : { 'certificate-authority-data': Buffer.from(route.ca).toString('base64') }),
      ...(route.isInsecure ? { 'insecure-skip-tls-verify': true } : {}),
      ...(route.proxyUrl === undefined ? {} : { 'proxy-url': route.proxyUrl }),
      ...(isKnown
        ? { extensions: [{ name: EXEC_EXTENSION, extension: pluginConfig(facts) }] }
        : {}),
    },
  };
}

function pluginConfig({ vendor }: ClusterFacts): Record<string, string> {
  const { location } = vendor;
  const config = {
    clusterName: location['cluster-name'],
    region: location.region,
    project: location.project,
    resourceGroup: location['resource-group'],
  };
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
