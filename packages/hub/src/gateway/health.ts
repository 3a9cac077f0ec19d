import type { MountedExchange } from '@flotilla/apiserver';
import {
  badRequest,
  isJsonObject,
  jsonPatch,
  mergePatch,
  notFound,
  ParseError,
  parseYaml,
  StatusError,
  unsupportedMediaType,
} from '@flotilla/machinery';
import { HEALTHY_ANNOTATION, HEALTHY_REASON_ANNOTATION } from '../cluster-secret/names.ts';
import { type ClusterGateway, clusterGatewayOf } from './cluster-gateway.ts';
import { CLUSTER_GATEWAYS, GATEWAY_API_VERSION } from './gateway-group.ts';
import type { HubObjects } from './hub-objects.ts';

/** The largest body kube-apiserver reads. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;

/** The cluster with its health; upstream refuses unknown names as the proxy does. */
export async function readHealth(hub: HubObjects, name: string): Promise<ClusterGateway> {
  const secret = await hub.secret(name);
  const gateway = secret === undefined ? undefined : clusterGatewayOf(secret);
  if (gateway === undefined) throw new StatusError(500, '', `no such cluster ${name}`);
  return gateway;
}

/** Writes the health that a prober found to the cluster's Secret; nothing else of what it sends counts. */
export async function writeHealth(
  hub: HubObjects,
  { request, info }: MountedExchange,
): Promise<ClusterGateway> {
  const { name } = info;
  const secret = await hub.secret(name);
  const present = secret === undefined ? undefined : clusterGatewayOf(secret);
  if (secret === undefined || present === undefined) throw notFound(CLUSTER_GATEWAYS, name);
  const sent = await bodyOf(request);
  const wanted = info.verb === 'patch' ? patched(present, sent, request) : sent;
  const { healthy, healthyReason } = statusOf(wanted, name);
  const written = await hub.annotateSecret(
    secret,
    { [HEALTHY_ANNOTATION]: String(healthy), [HEALTHY_REASON_ANNOTATION]: healthyReason },
    { dryRun: request.query.getAll('dryRun').includes('All') },
  );
  return clusterGatewayOf(written) ?? present;
}

async function bodyOf(request: MountedExchange['request']): Promise<unknown> {
  const bytes = await request.body(MAX_BODY_BYTES);
  try {
    // JSON is YAML, too.
    return parseYaml(bytes).value;
  } catch (error) {
    if (error instanceof ParseError) throw badRequest(error.message);
    throw error;
  }
}

function patched(
  present: ClusterGateway,
  patch: unknown,
  { headers }: MountedExchange['request'],
): unknown {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim();
  switch (type) {
    case 'application/merge-patch+json':
      return mergePatch(present, patch);
    case 'application/json-patch+json':
      return jsonPatch(present, patch);
    default:
      throw unsupportedMediaType(
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json',
      );
  }
}

function statusOf(wanted: unknown, name: string): { healthy: boolean; healthyReason: string } {
  if (!isJsonObject(wanted)) throw badRequest('the body is no ClusterGateway');
  const { kind = 'ClusterGateway', apiVersion = GATEWAY_API_VERSION, metadata, status } = wanted;
  if (kind !== 'ClusterGateway' || apiVersion !== GATEWAY_API_VERSION) {
    throw badRequest(`the body is no ClusterGateway of ${GATEWAY_API_VERSION}`);
  }
  const said = isJsonObject(metadata) ? metadata['name'] : undefined;
  if (said !== undefined && said !== '' && said !== name) {
    throw badRequest(
      `the name of the object (${String(said)}) does not match the name on the URL (${name})`,
    );
  }
  const { healthy = false, healthyReason = '' } = isJsonObject(status) ? status : {};
  if (typeof healthy !== 'boolean' || typeof healthyReason !== 'string') {
    throw badRequest('status.healthy must be true or false, and status.healthyReason a text');
  }
  return { healthy, healthyReason };
}
