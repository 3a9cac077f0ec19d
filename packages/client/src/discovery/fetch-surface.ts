import { isNotFound, type Json } from '@flotilla/machinery';
import type { Transport } from '../transport.ts';
import { decodeJson } from '../verbs/exchange.ts';
import { JSON_TYPE } from '../verbs/media-types.ts';
import { isRefusal, refusalOf } from '../verbs/refusal.ts';
import {
  isAggregated,
  type LegacyVersion,
  readAggregated,
  readLegacyResources,
  readLegacyVersions,
} from './documents.ts';
import type { ApiGroup, ApiSurface } from './surface.ts';

/** One of the two roots as it was last seen. */
export interface SurfaceHalf extends ApiSurface {
  /** '' when the server gives none: then it is always asked anew. */
  readonly etag: string;
}

/** The core group and the named ones, each with its own fingerprint. */
export interface SurfaceHalves {
  readonly core: SurfaceHalf;
  readonly named: SurfaceHalf;
}

const AGGREGATED = (version: string) =>
  `${JSON_TYPE};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

/** Everything at once if the server can, else the index of the older form. */
const ACCEPT = `${AGGREGATED('v2')},${AGGREGATED('v2beta1')},${JSON_TYPE}`;

/** Asks a server what it serves; what did not change since `known` is not sent again. */
export async function fetchHalves(
  transport: Transport,
  known?: SurfaceHalves,
): Promise<SurfaceHalves> {
  const [core, named] = await Promise.all([
    // Servers that only extend another have no core group.
    fetchHalf(transport, '/api', known?.core).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      return { groups: [], failed: [], etag: '' };
    }),
    fetchHalf(transport, '/apis', known?.named),
  ]);
  return { core, named };
}

/** Both halves as one, the core group first. */
export function joinHalves({ core, named }: SurfaceHalves): ApiSurface {
  return {
    groups: [...core.groups, ...named.groups],
    failed: [...core.failed, ...named.failed],
  };
}

async function fetchHalf(
  transport: Transport,
  path: string,
  known?: SurfaceHalf,
): Promise<SurfaceHalf> {
  const etag = known?.etag ?? '';
  const answer = await transport.send({
    method: 'GET',
    path,
    headers: { accept: ACCEPT, ...(etag === '' ? {} : { 'if-none-match': etag }) },
  });
  if (answer.status === 304 && known !== undefined) return known;
  if (isRefusal(answer.status)) throw refusalOf(answer, { method: 'GET' });
  const document = decodeJson(answer.body);
  if (isAggregated(document)) {
    return { ...readAggregated(document as Json), etag: answer.headers['etag'] ?? '' };
  }
  return { ...(await fetchLegacy(transport, readLegacyVersions(document))), etag: '' };
}

/** The older form: a document for each group version. One that fails costs only itself. */
async function fetchLegacy(
  transport: Transport,
  groups: readonly (readonly LegacyVersion[])[],
): Promise<ApiSurface> {
  const failed: string[] = [];
  const fetchVersion = async ({ group, version }: LegacyVersion) => {
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const answer = await transport.send({ method: 'GET', path, headers: { accept: JSON_TYPE } });
    if (isRefusal(answer.status)) {
      failed.push(group === '' ? version : `${group}/${version}`);
      return [];
    }
    return [{ version, resources: readLegacyResources(decodeJson(answer.body)) }];
  };
  const found = await Promise.all(
    groups.map(async (versions): Promise<ApiGroup> => {
      const read = await Promise.all(versions.map(fetchVersion));
      return { name: versions[0]?.group ?? '', versions: read.flat() };
    }),
  );
  return { groups: found, failed };
}
