import { type Client, Namespaces } from '@flotilla/client';
import {
  defineKind,
  isExpired,
  isForbidden,
  isNotFound,
  type Kind,
  type KubeObject,
  StatusError,
} from '@flotilla/machinery';
import { fieldOf, shortText } from './fields.ts';
import type { Hub } from './hub.ts';
import { HubError } from './hub-error.ts';
import type { InventoryDeps } from './inventory-deps.ts';
import { CLUSTERSET_LABEL, type ProfileRecord } from './profile-record.ts';
import { readProfile } from './read-profile.ts';

const GROUP = 'multicluster.x-k8s.io';

/** Where hubs serve ClusterProfiles; @flotilla/api has their schema, too, which nobody needs for reading. */
const profilesOf = (version: string) =>
  defineKind<KubeObject>({
    group: GROUP,
    version,
    kind: 'ClusterProfile',
    plural: 'clusterprofiles',
    namespaced: true,
  });

/** What every hub served when this was written; newer ones may have moved on, to versions of the same form. */
const ClusterProfiles = profilesOf('v1alpha1');

/** Where managers keep profiles unless told otherwise: OCM formerly, GKE Fleet, KubeFleet, and we. */
const USUAL_NAMESPACES = [
  'open-cluster-management',
  'fleet-cluster-inventory',
  'fleet-system',
  'flotilla-inventory',
];

/** No fleet has more; a hub that never ends its list has lost its mind. */
const MAX_PROFILES = 200_000;
const MAX_VERSIONS = 4;

/** How a hub is asked. */
export interface ListingHub {
  readonly client: Client;
  readonly hub: Hub;
  readonly deps: Pick<InventoryDeps, 'settings' | 'note' | 'io'>;
  /** @default v1alpha1's */
  readonly kind?: Kind;
}

/**
 * The profiles that the user may see: those of the namespaces that were asked for, else all; where that is forbidden,
 * those of the context's namespace, and if there are none, those of the namespaces that managers usually keep them in.
 */
export async function listProfiles(asked: ListingHub): Promise<ProfileRecord[]> {
  try {
    return await listAsked(asked);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    for (const version of await otherVersions(asked)) {
      try {
        return await listAsked({ ...asked, kind: profilesOf(version) });
      } catch (another) {
        if (!isNotFound(another)) throw another;
      }
    }
    throw error;
  }
}

/** Versions of the group beside the usual one, the hub's favourite first; none when the hub has no such group. */
async function otherVersions({ client, deps }: ListingHub): Promise<string[]> {
  try {
    const group = await client.raw({ path: `/apis/${GROUP}`, signal: deps.io.signal });
    const versions = fieldOf(group, 'versions');
    return (Array.isArray(versions) ? (versions as unknown[]) : [])
      .map((each) => fieldOf(each, 'version'))
      .filter((each): each is string => typeof each === 'string' && /^v\d\w{0,20}$/.test(each))
      .filter((each) => each !== ClusterProfiles.version)
      .slice(0, MAX_VERSIONS);
  } catch {
    return [];
  }
}

async function listAsked(asked: ListingHub): Promise<ProfileRecord[]> {
  const { namespaces } = asked.deps.settings.hub;
  if (namespaces.length > 0 && !namespaces.includes('*')) {
    const lists = await Promise.all(namespaces.map((each) => listIn(each, asked)));
    return lists.flat();
  }
  try {
    return await listIn(undefined, asked);
  } catch (error) {
    if (!(error instanceof StatusError) || !isForbidden(error)) throw error;
    return await listWhereAllowed(asked, error);
  }
}

async function listWhereAllowed(asked: ListingHub, refusal: StatusError): Promise<ProfileRecord[]> {
  const { hub, deps } = asked;
  deps.note(1, `${hub.title}: ${refusal.message}`);
  const own = await allowedIn(hub.namespace, asked);
  if (own !== undefined && own.length > 0) {
    deps.note(1, `${hub.title}: taking the clusters of namespace "${hub.namespace}" instead`);
    return own;
  }
  const others = await Promise.all(
    USUAL_NAMESPACES.filter((each) => each !== hub.namespace).map(async (namespace) => ({
      namespace,
      profiles: await allowedIn(namespace, asked),
    })),
  );
  const allowed = others.filter(({ profiles }) => profiles !== undefined);
  if (own === undefined && allowed.length === 0) {
    throw new HubError(
      `Cannot list clusters on the hub (${hub.title}): ${refusal.message}\n` +
        'Name the namespaces that you may list with --hub-namespace.',
      { cause: refusal },
    );
  }
  const used = allowed.filter(({ profiles }) => profiles?.length !== 0);
  if (used.length > 0) {
    const names = used.map(({ namespace }) => `"${namespace}"`).join(', ');
    deps.note(1, `${hub.title}: taking the clusters of namespaces ${names} instead`);
  }
  return used.flatMap(({ profiles }) => profiles ?? []);
}

async function allowedIn(
  namespace: string,
  asked: ListingHub,
): Promise<ProfileRecord[] | undefined> {
  try {
    return await listIn(namespace, asked);
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

/** Undefined means all namespaces. */
async function listIn(namespace: string | undefined, asked: ListingHub): Promise<ProfileRecord[]> {
  const { hub, deps, client, kind = ClusterProfiles } = asked;
  const options = {
    namespace,
    signal: deps.io.signal,
    timeoutMs: deps.settings.execution.timeoutMs,
  };
  let seen = 0;
  let records: ProfileRecord[] = [];
  const take = (items: readonly unknown[]): void => {
    seen += items.length;
    if (seen > MAX_PROFILES) {
      throw new HubError(`Cannot use the hub (${hub.title}): its list of clusters has no end`);
    }
    for (const item of items) {
      const record = readProfile(item);
      if (record !== undefined) records.push(record);
    }
  };
  try {
    for await (const { items } of client.pages(kind, options)) take(items);
  } catch (error) {
    if (seen === 0 || !isExpired(error)) throw error;
    // The list was too old for its next page: all of it at once cannot become so, as client-go's pager knows.
    seen = 0;
    records = [];
    take((await client.list(kind, { ...options, pageSize: 0 })).items);
  }
  if (records.length < seen) {
    deps.note(1, `${hub.title}: ${seen - records.length} profiles have no usable name`);
  }
  return records;
}

/** The clustersets that namespaces of profiles are of, by namespace; none where the user may not list namespaces. */
export async function listClustersets({
  client,
  hub,
  deps,
}: ListingHub): Promise<Record<string, string>> {
  try {
    const { items } = await client.list(Namespaces, {
      labelSelector: CLUSTERSET_LABEL,
      metadataOnly: true,
      signal: deps.io.signal,
      timeoutMs: deps.settings.execution.timeoutMs,
    });
    return Object.fromEntries(
      items.flatMap(({ metadata }) => {
        const { name = '', labels } = metadata;
        const set = shortText(fieldOf(labels, CLUSTERSET_LABEL), 253);
        return set === undefined ? [] : [[name, set]];
      }),
    );
  } catch (error) {
    if (!isForbidden(error)) throw error;
    deps.note(
      1,
      `${hub.title}: ${(error as Error).message}; clustersets of namespaces are unknown`,
    );
    return {};
  }
}
