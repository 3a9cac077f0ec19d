import { type ApiResource, resourcesOf } from '@flotilla/client';
import {
  formatGroupVersion,
  isConflict,
  isJsonObject,
  isNotFound,
  type Json,
  type KubeObject,
  statusErrorOf,
} from '@flotilla/machinery';
import type { Member } from '../../fan-out/member.ts';
import type { Manifest } from '../../manifests/manifest.ts';
import { notAbsent } from '../not-absent.ts';
import type { Versions } from './prepare-versions.ts';

/** How objects would be applied. */
export interface ApplyOptions {
  readonly fieldManager: string;
  readonly force: boolean;
}

/** One object on one cluster, before and after. */
export interface ObjectVersions extends Versions {
  /** What kubectl calls its file: `apps.v1.Deployment.shop.web`. */
  readonly file: string;
}

/** Asks a cluster what an object is, and what applying a manifest would make of it; nothing is changed. */
export async function askVersions(
  member: Member,
  manifest: Manifest,
  options: ApplyOptions,
): Promise<ObjectVersions> {
  const resource = await findResource(member, manifest);
  const { kind, name, group, version } = manifest;
  const namespace = resource.namespaced ? manifest.namespace || member.namespace : '';
  const file = [...(group === '' ? [] : [group]), version, kind, namespace, name].join('.');
  const key = { name, ...(namespace === '' ? {} : { namespace }) };
  const { client, signal } = member;
  try {
    const [live, merged] = await Promise.all([
      client.get(resource, key, { signal }).catch((error: unknown) => {
        if (isNotFound(error) && !isPathMissing(error)) return undefined;
        throw error;
      }),
      client.apply(resource, placed(manifest, namespace), { ...options, dryRun: true, signal }),
    ]);
    return { file, live: live as Json | undefined, merged: merged as unknown as Json };
  } catch (error) {
    if (isNotFound(error) && isPathMissing(error)) throw noMatch(manifest);
    // The server does not say of which object, and there may be many.
    if (isConflict(error) && error instanceof Error) {
      throw new Error(
        `${kind} "${name}": ${error.message}; --force-conflicts shows what taking the fields over would change`,
      );
    }
    throw notAbsent(error);
  }
}

/** The manifest where the request goes: cluster-scoped objects have no namespace, whatever is written in them. */
function placed({ object, name }: Manifest, namespace: string): KubeObject {
  const { namespace: _, ...metadata } = isJsonObject(object['metadata']) ? object['metadata'] : {};
  return {
    ...object,
    metadata: { ...metadata, name, ...(namespace === '' ? {} : { namespace }) },
  } as unknown as KubeObject;
}

async function findResource(
  { discovery, signal }: Member,
  manifest: Manifest,
): Promise<ApiResource> {
  const { kind, version, group } = manifest;
  const isMeant = (resource: ApiResource) =>
    resource.kind === kind && resource.version === version && resource.group === group;
  const found = await discovery.find(`${kind}.${version}.${group}`, signal);
  if (found !== undefined && isMeant(found)) return found;
  // A name may lead to another group that has it, too.
  const resource = [...resourcesOf(await discovery.surface(signal))].find(isMeant);
  if (resource === undefined) throw noMatch(manifest);
  return resource;
}

/** kubectl's words for a kind that a server does not have. */
function noMatch({ name, namespace, source, kind, ...manifest }: Manifest): Error {
  return new Error(
    `resource mapping not found for name: "${name}" namespace: "${namespace}" from "${source}": no matches for kind "${kind}" in version "${formatGroupVersion(manifest)}", ensure CRDs are installed first`,
  );
}

/** A 404 about the path, not about an object. */
function isPathMissing(error: unknown): boolean {
  const { name, causes = [] } = statusErrorOf(error)?.details ?? {};
  return name === undefined || causes.some(({ reason }) => reason === 'UnexpectedServerResponse');
}
