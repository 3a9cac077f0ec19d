import type { Client, KubeCondition } from '@flotilla/client';
import {
  defineKind,
  isJsonObject,
  isNotFound,
  type Kind,
  type KubeObject,
} from '@flotilla/machinery';

/** An ExternalSecret of external-secrets.io, as far as a registration cares. */
export interface ExternalSecret extends KubeObject {
  spec?: {
    secretStoreRef?: { name?: string; kind?: string };
    refreshPolicy?: string;
    refreshInterval?: string;
    target?: { name?: string; creationPolicy?: string; manifest?: unknown };
  };
  status?: {
    refreshTime?: string | null;
    binding?: { name?: string };
    conditions?: KubeCondition[];
  };
}

/** A store of external-secrets.io: its provider has one key, which names it. */
export interface SecretStore extends KubeObject {
  spec?: { provider?: Record<string, unknown> };
}

/** What looking for an ExternalSecret found. */
export type FoundExternalSecret =
  | { readonly state: 'found'; readonly object: ExternalSecret; readonly version: string }
  | { readonly state: 'not found' }
  | { readonly state: 'not installed' };

const GROUP = 'external-secrets.io';

/** Preferred first: since 0.17 the operator serves v1 alone, before 0.16 it had v1beta1 alone. */
const VERSIONS = ['v1', 'v1beta1'] as const;

/** Gets an ExternalSecret in the newest version that the hub serves. */
export async function getExternalSecret(
  client: Pick<Client, 'get' | 'raw'>,
  place: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<FoundExternalSecret> {
  for (const version of VERSIONS) {
    try {
      return {
        state: 'found',
        object: await client.get(externalSecrets(version), place, { signal }),
        version,
      };
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    // Not found is what a server says of a kind it does not have, too.
    if (await isServed(client, version, signal)) return { state: 'not found' };
  }
  return { state: 'not installed' };
}

/** The store that an ExternalSecret names; undefined where it cannot be had, for it is only asked to compare notes. */
export async function getSecretStore(
  client: Pick<Client, 'get'>,
  { object, version }: { readonly object: ExternalSecret; readonly version: string },
  signal: AbortSignal,
): Promise<SecretStore | undefined> {
  const { name, kind } = object.spec?.secretStoreRef ?? {};
  if (name === undefined) return undefined;
  const isForAll = kind === 'ClusterSecretStore';
  const store = defineKind<SecretStore>({
    group: GROUP,
    version,
    kind: isForAll ? 'ClusterSecretStore' : 'SecretStore',
    plural: isForAll ? 'clustersecretstores' : 'secretstores',
    namespaced: !isForAll,
  });
  const { namespace } = object.metadata;
  try {
    return await client.get(store, isForAll ? { name } : { namespace, name }, { signal });
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function externalSecrets(version: string): Kind<ExternalSecret> {
  return defineKind<ExternalSecret>({
    group: GROUP,
    version,
    kind: 'ExternalSecret',
    plural: 'externalsecrets',
    namespaced: true,
  });
}

async function isServed(
  client: Pick<Client, 'raw'>,
  version: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const list = await client.raw({ path: `/apis/${GROUP}/${version}`, signal });
    const resources =
      isJsonObject(list) && Array.isArray(list['resources']) ? list['resources'] : [];
    return resources.some(
      (resource) => isJsonObject(resource) && resource['name'] === 'externalsecrets',
    );
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
