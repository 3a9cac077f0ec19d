import { isForbidden, isNotFound } from '@flotilla/machinery';
import type { RoutedCluster } from '../../fan-out/fleet.ts';
import type { Member } from '../../fan-out/member.ts';
import type { FleetCluster } from '../../fleet/cluster.ts';
import { fieldOf } from '../../inventory/fields.ts';
import type { Session } from '../../session.ts';
import { printableLine } from '../../text/printable.ts';

/** What asking a cluster has shown. */
export type Verification =
  | {
      readonly state: 'answered';
      readonly version: string;
      /** Empty when the server is too old to tell. */
      readonly user: string;
      /** Whether it is the cluster that the profile means; unknown where either does not say who it is. */
      readonly identity: 'same' | 'different' | 'unknown';
      /** What it says it is; empty when it does not. */
      readonly clusterId: string;
    }
  | { readonly state: 'failed'; readonly message: string };

/** Asks clusters who they are and who we are to them, by the routes they have been given. */
export async function verifyClusters(
  clusters: readonly RoutedCluster[],
  session: Session,
): Promise<ReadonlyMap<string, Verification>> {
  const outcomes = await session.fanOut({ clusters }, askWho);
  session.io.signal.throwIfAborted();
  return new Map(
    outcomes.map(({ cluster, value, failure, status }) => [
      cluster.name,
      value === undefined
        ? { state: 'failed', message: failure?.message ?? status }
        : { state: 'answered', ...value, identity: identityOf(cluster, value.clusterId) },
    ]),
  );
}

/** Short, for a cell. */
export function verificationText(verification: Verification): string {
  if (verification.state === 'failed') return `failed: ${verification.message}`;
  const { version, user, identity } = verification;
  const who = user === '' ? '' : ` as ${user}`;
  const is = identity === 'different' ? ', but it is another cluster' : '';
  return `${version}${who}${is}`;
}

async function askWho({ client, signal }: Member) {
  const version = await client.raw({ path: '/version', signal });
  const [user, clusterId] = await Promise.all([
    client
      .raw({
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
        signal,
      })
      .then((review) => fieldOf(fieldOf(fieldOf(review, 'status'), 'userInfo'), 'username'))
      .catch(unlessUntold),
    client
      .raw({ path: '/api/v1/namespaces/kube-system', signal })
      .then((namespace) => fieldOf(fieldOf(namespace, 'metadata'), 'uid'))
      .catch(unlessUntold),
  ]);
  return {
    version: textOf(fieldOf(version, 'gitVersion')) || 'answers',
    user: textOf(user),
    clusterId: textOf(clusterId),
  };
}

/** Older servers do not know the question, and not everybody may ask it. */
function unlessUntold(error: unknown): undefined {
  if (isForbidden(error) || isNotFound(error)) return undefined;
  throw error;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? printableLine(value) : '';
}

const CLUSTER_ID = 'cluster.clusterset.k8s.io';
const OLDER_ID = 'id.k8s.io';
const UID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** By what the user pinned, else by what the profile says: the UID of kube-system, which no two clusters share. */
export function identityOf(
  { properties, mapping }: FleetCluster,
  clusterId: string,
): 'same' | 'different' | 'unknown' {
  if (clusterId === '') return 'unknown';
  const pinned = mapping?.clusterId;
  if (pinned !== undefined) return pinned === clusterId ? 'same' : 'different';
  const own = (name: string) => (Object.hasOwn(properties, name) ? properties[name] : undefined);
  const said = own(CLUSTER_ID) ?? own(OLDER_ID);
  if (said === undefined || !UID.test(said)) return 'unknown';
  if (said.toLowerCase() === clusterId.toLowerCase()) return 'same';
  // OpenShift calls itself by an id of its own there.
  const isOwnId =
    own(CLUSTER_ID) === undefined &&
    /openshift|rosa|aro/i.test(own('product.open-cluster-management.io') ?? '');
  return isOwnId ? 'unknown' : 'different';
}
