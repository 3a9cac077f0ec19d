import { isDNS1123Subdomain, isJsonObject, type Json } from '@flotilla/machinery';
import type { FleetCluster } from '../fleet/cluster.ts';
import { fieldOf, pairsOf, shortText } from './fields.ts';
import { MANAGER_LABEL, OCM_NAME_LABEL, type ProfileRecord } from './profile-record.ts';
import { readOffers } from './read-offers.ts';

const MAX_DISPLAY_NAME = 256;
const MAX_LABELS = 512;
const MAX_LABEL_VALUE = 253;
const MAX_PROPERTIES = 1_024;
/** Upstream allows 253 and 1,024; hubs with a CRD of their own may allow more. */
const MAX_PROPERTY_NAME = 512;
const MAX_PROPERTY_VALUE = 16_384;

/**
 * Reads a ClusterProfile of upstream's form, or of the older one that has its conditions and cloud in other places.
 * Nothing in it is believed: what is of the wrong type or too long counts as absent, and without a usable name there is
 * no profile.
 */
export function readProfile(value: unknown): ProfileRecord | undefined {
  const metadata = fieldOf(value, 'metadata');
  const name = fieldOf(metadata, 'name');
  const namespace = fieldOf(metadata, 'namespace') ?? '';
  if (!isName(name) || (namespace !== '' && !isName(namespace))) return undefined;
  const spec = fieldOf(value, 'spec');
  const status = fieldOf(value, 'status');
  const labels = pairsOf(fieldOf(metadata, 'labels'), {
    count: MAX_LABELS,
    name: MAX_PROPERTY_NAME,
    value: MAX_LABEL_VALUE,
  });
  const manager = shortText(fieldOf(fieldOf(spec, 'clusterManager'), 'name'), MAX_DISPLAY_NAME);
  const cloudProvider = shortText(fieldOf(spec, 'cloudProvider'), MAX_LABEL_VALUE);
  const region = shortText(fieldOf(spec, 'region'), MAX_LABEL_VALUE);
  const clusterName = labels[OCM_NAME_LABEL];
  return {
    namespace,
    name,
    manager: manager ?? labels[MANAGER_LABEL] ?? '',
    displayName: shortText(fieldOf(spec, 'displayName'), MAX_DISPLAY_NAME) ?? '',
    clusterName: isName(clusterName) ? clusterName : name,
    labels,
    properties: readProperties(fieldOf(status, 'properties')),
    version: shortText(fieldOf(fieldOf(status, 'version'), 'kubernetes'), MAX_LABEL_VALUE) ?? '',
    health: readHealth(fieldOf(status, 'conditions')),
    offers: readOffers(status),
    ...(cloudProvider === undefined ? {} : { cloudProvider }),
    ...(region === undefined ? {} : { region }),
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && isDNS1123Subdomain(value).length === 0;
}

/** `status.properties`: a list of names and values; of a name that stands twice, the last counts. */
function readProperties(value: unknown): Record<string, string> {
  if (!Array.isArray(value)) return {};
  const entries: [string, unknown][] = value
    .slice(0, MAX_PROPERTIES)
    .flatMap((each: unknown) =>
      isJsonObject(each) && typeof each['name'] === 'string' ? [[each['name'], each['value']]] : [],
    );
  return pairsOf(entries, {
    count: MAX_PROPERTIES,
    name: MAX_PROPERTY_NAME,
    value: MAX_PROPERTY_VALUE,
  });
}

/** Upstream's condition counts before the older one; without either nobody knows. */
function readHealth(conditions: unknown): FleetCluster['health'] {
  if (!Array.isArray(conditions)) return 'unknown';
  const statusOf = (type: string): unknown =>
    (conditions as unknown[]).find((each): each is Json => fieldOf(each, 'type') === type)?.[
      'status'
    ];
  const status = statusOf('ControlPlaneHealthy') ?? statusOf('Ready');
  if (status === 'True') return 'healthy';
  return status === 'False' ? 'unhealthy' : 'unknown';
}
