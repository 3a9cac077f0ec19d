import { isRefusal, refusalOf } from '@flotilla/client';
import { isForbidden, isNotFound } from '@flotilla/machinery';
import type { Fleet } from '../../../fan-out/fleet.ts';
import type { Member } from '../../../fan-out/member.ts';
import type { Outcome, OutcomeStatus } from '../../../fan-out/outcome.ts';
import { fieldOf } from '../../../inventory/fields.ts';
import type { FleetFinder } from '../../../open-fleet.ts';
import type { Session } from '../../../session.ts';
import { type Check, type CheckResult, fail, failed, ok, warn } from '../check.ts';
import { SET_CLOCKS, skewOf, skewText, timed } from './clock-skew.ts';

/** The checks of clusters, and the fleet they are of; none when nobody says which clusters there are. */
export interface CheckedClusters {
  readonly fleet: Fleet | undefined;
  readonly checks: readonly Check[];
}

/** What the check is called that has no cluster yet. */
export const INVENTORY = 'inventory';

/** Each cluster that is meant: how it is reached, whether it answers and knows the user, and what time it has. */
export async function checkClusters(
  finder: FleetFinder,
  session: Session,
): Promise<CheckedClusters> {
  let fleet: Fleet;
  try {
    fleet = await finder.choose(await finder.inventory());
  } catch (error) {
    session.io.signal.throwIfAborted();
    const result = failed(error, 'name clusters that there are; kubectl mc clusters lists them');
    return { fleet: undefined, checks: [{ kind: 'cluster', subject: INVENTORY, ...result }] };
  }
  const outcomes = await session.fanOut(fleet, (member) => look(member, session));
  // A cluster that nobody has set up may be meant to be left out, but not all of them.
  const mayBeMeant = outcomes.some(({ value }) => value !== undefined);
  const checks = outcomes.map((outcome): Check => {
    const result = outcome.value === undefined ? judgeFailure(outcome, mayBeMeant) : judge(outcome);
    return { kind: 'cluster', subject: outcome.cluster.name, ...result };
  });
  return { fleet, checks };
}

interface Seen {
  readonly version: string;
  /** Empty when the server would not say. */
  readonly user: string;
  readonly skewMs: number | undefined;
}

async function look({ transport, client, signal }: Member, { io }: Session): Promise<Seen> {
  const { answer, sentAt, receivedAt } = await timed(io.clock, () =>
    transport.send({ method: 'GET', path: '/version', signal }),
  );
  if (isRefusal(answer.status)) throw refusalOf(answer, { method: 'GET' });
  const version = fieldOf(JSON.parse(answer.body.toString('utf8')), 'gitVersion');
  if (typeof version !== 'string') {
    throw new Error('it answers, but not as the API server of a cluster does');
  }
  const user = await client
    .raw({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      signal,
    })
    .then((review) => fieldOf(fieldOf(fieldOf(review, 'status'), 'userInfo'), 'username'))
    .catch((error: unknown) => {
      // Older servers do not know the question, and not everybody may ask it.
      if (isForbidden(error) || isNotFound(error)) return undefined;
      throw error;
    });
  return {
    version,
    user: typeof user === 'string' ? user : '',
    skewMs: skewOf(answer.headers, { sentAt, receivedAt }),
  };
}

/** What to do where the failure itself does not say. */
const ADVICE: Readonly<Partial<Record<OutcomeStatus, string>>> = {
  forbidden: 'ask the admins of the cluster for access, or log in as somebody else',
  unauthorized: 'log in again',
  unreachable:
    'check that the cluster runs and that this machine reaches it (VPN, proxy, firewall), or map another context: kubectl mc setup',
  timeout: 'check the network, or give it more time with --cluster-timeout',
  tls: 'check that its certificate authority is the current one, and fetch the context anew: kubectl mc setup',
  noaccess: 'run kubectl mc setup',
  untrusted: 'run kubectl mc on a terminal to be asked',
  skipped: 'run kubectl mc setup',
  absent: 'check that it is the API server of a cluster that answers there',
  error: 'check that it is the API server of a cluster that answers there, and how it is',
  cancelled: 'run kubectl mc doctor again',
};

function judgeFailure(outcome: Outcome<Seen>, mayBeMeant: boolean): CheckResult {
  const { status, failure, route } = outcome;
  const { message = status, hint = ADVICE[status] ?? 'look at the cluster itself' } = failure ?? {};
  const detail = route === undefined ? message : `${route.source}: ${message}`;
  return status === 'skipped' && mayBeMeant ? warn(detail, hint) : fail(detail, hint);
}

function judge({ cluster, value, route, elapsedMs }: Outcome<Seen>): CheckResult {
  const { version, user, skewMs } = value ?? { version: '', user: '', skewMs: undefined };
  const as = user === '' ? '' : ` as ${user}`;
  const detail = `${route?.source ?? 'reached'}: ${version}${as} within ${elapsedMs}ms`;
  const skew = skewText(skewMs);
  if (skew !== undefined) return warn(`${detail}, but ${skew}`, SET_CLOCKS);
  if (route?.mismatch !== undefined) {
    return warn(
      `${detail}, but ${route.mismatch}`,
      'run kubectl mc setup --verify, or add server to its entry of the mapping file if that is meant',
    );
  }
  if (cluster.health === 'unhealthy') {
    return warn(`${detail}, but its hub calls it unhealthy`, 'look at its profile on the hub');
  }
  return ok(detail);
}
