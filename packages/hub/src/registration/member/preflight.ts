import { Namespaces, Nodes, TransportError } from '@flotilla/client';
import { defineKind, isUnauthorized, type KubeObject } from '@flotilla/machinery';
import { askWhoAmI } from './ask-who-am-i.ts';
import { type MemberFault, memberFault } from './member-fault.ts';
import type { MemberSession } from './member-session.ts';
import { type MemberVersion, readVersion } from './member-version.ts';

/** What a member told about itself. */
export interface MemberFacts {
  readonly version: MemberVersion | undefined;
  /** By which clusters are told apart. */
  readonly clusterID: string | undefined;
  readonly authenticatedAs: string | undefined;
  /** By which clouds are recognised. */
  readonly providerID: string | undefined;
  /** Of its clock before ours; negative after it. */
  readonly clockSkewMs: number | undefined;
}

/** How a first look at a member ended. */
export type Preflight =
  | { readonly result: 'welcome'; readonly facts: MemberFacts }
  | { readonly result: 'anonymous' | 'unauthorized' }
  | ({ readonly result: 'unreachable' } & MemberFault);

/** A property that a cluster says about itself (about.k8s.io). */
interface ClusterProperty extends KubeObject {
  spec?: { value?: unknown };
}

const ClusterProperties = defineKind<ClusterProperty>({
  group: 'about.k8s.io',
  version: 'v1alpha1',
  kind: 'ClusterProperty',
  plural: 'clusterproperties',
  namespaced: false,
});

/** The uids of Kubernetes have 36. */
const LONGEST_ID = 128;
/** Those of Azure have 200 and more. */
const LONGEST_PROVIDER_ID = 256;

/**
 * Looks at a member directly, before anything on the hub depends on it: who we are there, which version it has, which
 * cluster it is. All over one connection.
 */
export async function preflight(
  member: MemberSession,
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal },
): Promise<Preflight> {
  try {
    // One after the other: a handshake costs more than a round trip, and at once they would need a connection each.
    // Whoever does not know us or cannot be reached is not asked anything else.
    const identity = await askWhoAmI(member, signal);
    if (identity.kind !== 'user') return { result: identity.kind };
    const version = await askVersion(member, { now, signal });
    const clusterID = await askClusterID(member, signal);
    const providerID = await askProviderID(member, signal);
    const authenticatedAs = identity.name;
    return { result: 'welcome', facts: { ...version, clusterID, providerID, authenticatedAs } };
  } catch (error) {
    signal.throwIfAborted();
    // A server that refuses everything to a bad credential may have answered the quickest question first.
    if (isUnauthorized(error)) return { result: 'unauthorized' };
    const fault = memberFault(error, member);
    if (fault === undefined) throw error;
    return { result: 'unreachable', ...fault };
  }
}

async function askVersion(
  member: MemberSession,
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal },
): Promise<Pick<MemberFacts, 'version' | 'clockSkewMs'>> {
  const { transport } = member.client;
  const answer = await transport.send({ method: 'GET', path: '/version', signal });
  const clockSkewMs = skewOf(answer.headers['date'], now());
  if (answer.status !== 200) return { version: undefined, clockSkewMs };
  try {
    return {
      version: readVersion(JSON.parse(answer.body.toString()), member.conceal),
      clockSkewMs,
    };
  } catch {
    return { version: undefined, clockSkewMs };
  }
}

function skewOf(date: string | undefined, now: number): number | undefined {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? undefined : time - now;
}

/** The uid of kube-system, as everybody does it; where it may not be read, what the cluster says of itself. */
async function askClusterID(
  { client, conceal }: MemberSession,
  signal: AbortSignal,
): Promise<string | undefined> {
  const shown = (id: unknown) =>
    typeof id === 'string' && id !== '' ? conceal(id).slice(0, LONGEST_ID) : undefined;
  try {
    const { metadata } = await client.get(Namespaces, { name: 'kube-system' }, { signal });
    return shown(metadata.uid);
  } catch (error) {
    rethrowLost(error, signal);
  }
  try {
    const property = { name: 'cluster.clusterset.k8s.io' };
    return shown((await client.get(ClusterProperties, property, { signal })).spec?.value);
  } catch (error) {
    rethrowLost(error, signal);
    return undefined;
  }
}

/** What one node says of the machine it is. Nobody needs it to join: whatever goes wrong, nothing is known then. */
async function askProviderID(
  { client, conceal }: MemberSession,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    for await (const { items } of client.pages(Nodes, { pageSize: 1, signal })) {
      const id = (items[0] as { spec?: { providerID?: unknown } } | undefined)?.spec?.providerID;
      return typeof id === 'string' && id !== ''
        ? conceal(id).slice(0, LONGEST_PROVIDER_ID)
        : undefined;
    }
  } catch {
    signal.throwIfAborted();
  }
  return undefined;
}

/** A refusal is an answer like any other here; a connection that broke is not. */
function rethrowLost(error: unknown, signal: AbortSignal): void {
  if (signal.aborted || error instanceof TransportError) throw error;
}
