import { allKinds, crdOf, type KindSource } from '@flotilla/api';
import {
  type Client,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
} from '@flotilla/client';
import {
  apiVersionOf,
  type Clock,
  defineKind,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isNotFound,
  systemClock,
} from '@flotilla/machinery';
import { isNewer, servedVersions } from './compare-crds.ts';

/** What to install, and as whom. */
export interface InstallOptions {
  /** Whether also kinds of others: on a hub of our own. A hub with their own CRDs keeps those in any case. */
  readonly clusterProfiles: boolean;
  /** @default the machine's */
  readonly clock?: Clock;
}

type InstallClient = Pick<Client, 'get' | 'apply' | 'pages'>;

/** The field manager of the CRDs, by which we know those we installed. */
export const INSTALL_MANAGER = 'flotilla-install';

const POLL_MS = 25;
const SLOWEST_POLL_MS = 1_000;

/**
 * Makes the server serve our kinds, and returns when it does. Safe to call at every start and by several processes at
 * once. An older CRD is replaced; one that can do more than ours is left to the newer release that installed it; one of
 * a kind that is not ours is left to whoever manages it.
 */
export async function installKinds(
  client: InstallClient,
  which: InstallOptions,
  signal: AbortSignal,
): Promise<void> {
  const { clusterProfiles, clock = systemClock } = which;
  const wanted = allKinds.filter(({ upstream }) => upstream === undefined || clusterProfiles);
  await Promise.all(wanted.map((source) => installKind(source, { client, clock, signal })));
}

interface Installing {
  readonly client: InstallClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

async function installKind(source: KindSource, how: Installing): Promise<void> {
  const ours = crdOf(source) as unknown as CustomResourceDefinition;
  let isInstalled = false;
  await until(how, async () => {
    const found = await find(ours, how);
    // Applied to a CRD on its way out, ours would go with it.
    if (found?.metadata.deletionTimestamp !== undefined) return false;
    if (found === undefined || !isInstalled) {
      isInstalled = mayReplace(found, ours, source) ? await put(ours, found, how) : true;
      if (found === undefined) return false;
    }
    requireVersion(found, source);
    requireNames(found);
    return isInstalled && holds(found, 'Established') && (await isServed(source, how));
  });
}

function mayReplace(
  found: CustomResourceDefinition | undefined,
  ours: CustomResourceDefinition,
  { upstream }: KindSource,
): boolean {
  if (found === undefined) return true;
  if (upstream !== undefined && !isInstalledByUs(found)) return false;
  return !isNewer(found, ours);
}

/** Whether the spec is ours alone: whoever else wrote it manages it now. */
function isInstalledByUs({ metadata }: CustomResourceDefinition): boolean {
  const entries = (metadata.managedFields ?? []) as readonly {
    manager?: string;
    subresource?: string;
    fieldsV1?: Readonly<Record<string, unknown>>;
  }[];
  const writers = entries.filter(
    ({ subresource = '', fieldsV1 = {} }) => subresource === '' && 'f:spec' in fieldsV1,
  );
  return writers.length > 0 && writers.every(({ manager }) => manager === INSTALL_MANAGER);
}

/** True when it was written; false when somebody was quicker, which the next look finds out about. */
async function put(
  ours: CustomResourceDefinition,
  found: CustomResourceDefinition | undefined,
  { client, signal }: Installing,
): Promise<boolean> {
  try {
    await client.apply(CustomResourceDefinitions, ours, {
      fieldManager: INSTALL_MANAGER,
      force: true,
      signal,
    });
    return true;
  } catch (error) {
    if (isConflict(error) || isAlreadyExists(error)) return false;
    if (!isForbidden(error)) throw error;
    // Hubs where an administrator installs CRDs give us no right to do it.
    if (found !== undefined) return true;
    const name = ours.metadata.name ?? '';
    throw new Error(
      `Cannot install the kind "${name}": the hub forbids it; install its CRD as an administrator`,
      { cause: error },
    );
  }
}

async function find(
  { metadata }: CustomResourceDefinition,
  { client, signal }: Installing,
): Promise<CustomResourceDefinition | undefined> {
  try {
    return await client.get(CustomResourceDefinitions, { name: metadata.name ?? '' }, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function requireVersion(found: CustomResourceDefinition, { version }: KindSource): void {
  if (servedVersions(found).includes(version)) return;
  throw new Error(
    `Cannot use the kind "${found.metadata.name ?? ''}": its CRD serves ${servedVersions(found).join(', ') || 'no version'}, not ${version}`,
  );
}

/** Another CRD of the group has one of the names: that never ends by itself. */
function requireNames(found: CustomResourceDefinition): void {
  const refused = found.status?.conditions?.find(
    ({ type, status }) => type === 'NamesAccepted' && status === 'False',
  );
  if (refused === undefined) return;
  throw new Error(
    `Cannot install the kind "${found.metadata.name ?? ''}": its names are taken: ${refused.message ?? ''}`,
  );
}

function holds({ status }: CustomResourceDefinition, wanted: string): boolean {
  return (status?.conditions ?? []).some(
    ({ type, status: state }) => type === wanted && state === 'True',
  );
}

/** Established is said a moment before requests are answered, and not by every replica at once. */
async function isServed(source: KindSource, { client, signal }: Installing): Promise<boolean> {
  const { group, version, kind, plural, namespaced } = source;
  const served = defineKind({ group, version, kind, plural, namespaced });
  try {
    for await (const _ of client.pages(served, { pageSize: 1, metadataOnly: true, signal })) break;
    return true;
  } catch (error) {
    // Who may not list them, such as an installer, has learnt that they are there.
    if (isForbidden(error)) return true;
    if (isNotFound(error)) return false;
    throw new Error(`Cannot list "${plural}" of ${apiVersionOf(source)}`, { cause: error });
  }
}

async function until({ clock, signal }: Installing, look: () => Promise<boolean>): Promise<void> {
  for (let pauseMs = POLL_MS; !(await look()); ) {
    await clock.wait(pauseMs, signal);
    pauseMs = Math.min(pauseMs * 2, SLOWEST_POLL_MS);
  }
}
