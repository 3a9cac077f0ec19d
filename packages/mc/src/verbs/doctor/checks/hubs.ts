import type { Client } from '@flotilla/client';
import { isForbidden, isNotFound } from '@flotilla/machinery';
import { fieldOf } from '../../../inventory/fields.ts';
import { type Hub, hubsOf } from '../../../inventory/hub.ts';
import type { InventoryDeps } from '../../../inventory/inventory-deps.ts';
import { withHub } from '../../../inventory/with-hub.ts';
import { type Check, type CheckResult, fail, failed, ok, warn } from '../check.ts';
import { SET_CLOCKS, skewOf, skewText, timed } from './clock-skew.ts';
import { permitted } from './permission.ts';

const GROUP = 'multicluster.x-k8s.io';
const MAX_VERSIONS = 4;
const OTHER_HUB = 'name another hub with --hub-context, or use --inventory kubeconfig';
const REACH_HUB = `check that the hub runs and that this machine reaches it (VPN, proxy, firewall), or ${OTHER_HUB}`;

/** The hubs of a run, and what was found of them. */
export interface CheckedHubs {
  readonly hubs: readonly Hub[];
  readonly checks: readonly Check[];
}

/** Each hub: whether it answers, whether it knows ClusterProfiles, and whether the user may list them. */
export async function checkHubs(deps: InventoryDeps): Promise<CheckedHubs> {
  const { discovery, kubectl } = deps.settings;
  if (discovery.api !== 'clusterprofile' || kubectl.context !== undefined) {
    return { hubs: [], checks: [] };
  }
  let hubs: Hub[];
  try {
    hubs = await hubsOf(deps);
  } catch (error) {
    const result = failed(error, OTHER_HUB);
    return { hubs: [], checks: [{ kind: 'hub', subject: 'context', ...result }] };
  }
  const checks = await Promise.all(hubs.map((hub) => checkHub(hub, deps)));
  return { hubs, checks: checks.flat() };
}

/** Step by step; what comes behind a step that fails would only fail with it. */
async function checkHub(hub: Hub, deps: InventoryDeps): Promise<Check[]> {
  const steps = [
    ['reachable', reachable, REACH_HUB],
    ['ClusterProfile API', served, OTHER_HUB],
    ['permission', permitted, 'ask the admins of the hub'],
  ] as const;
  const checks: Check[] = [];
  for (const [subject, step, advice] of steps) {
    let result: CheckResult;
    try {
      result = await withHub(hub, deps, ({ client }) => step(client, hub, deps));
    } catch (error) {
      deps.io.signal.throwIfAborted();
      result = failed(error, advice);
    }
    const context = hub.context === '' ? 'no context' : hub.context;
    checks.push({ kind: 'hub', subject: `${subject} (${context})`, ...result });
    if (result.status === 'FAIL') break;
  }
  return checks;
}

async function reachable(
  { transport }: Client,
  hub: Hub,
  { io, settings }: InventoryDeps,
): Promise<CheckResult> {
  const { answer, sentAt, receivedAt } = await timed(io.clock, () =>
    transport.send({
      method: 'GET',
      path: '/version',
      signal: io.signal,
      timeouts: { totalMs: settings.execution.timeoutMs },
    }),
  );
  if (answer.status >= 500) {
    return fail(`${hub.server} answers with ${answer.status}`, 'look at the hub itself');
  }
  const skew = skewText(skewOf(answer.headers, { sentAt, receivedAt }));
  const took = `${hub.server} answers within ${receivedAt - sentAt}ms`;
  return skew === undefined ? ok(took) : warn(`${took}, but ${skew}`, SET_CLOCKS);
}

/** A version of the group that has profiles; whichever that is, they are read the same way. */
async function served(client: Client, hub: Hub, deps: InventoryDeps): Promise<CheckResult> {
  const { io, settings } = deps;
  const get = (path: string): Promise<unknown> =>
    client.raw({ path, signal: io.signal, timeoutMs: settings.execution.timeoutMs });
  try {
    const versions = listOf(await get(`/apis/${GROUP}`), 'versions')
      .map((each) => fieldOf(each, 'version'))
      .filter((each) => typeof each === 'string');
    for (const version of versions.slice(0, MAX_VERSIONS)) {
      const resources = listOf(
        await get(`/apis/${GROUP}/${encodeURIComponent(version)}`),
        'resources',
      );
      if (resources.some((each) => fieldOf(each, 'name') === 'clusterprofiles')) {
        return ok(`clusterprofiles of ${GROUP}/${version}`);
      }
    }
  } catch (error) {
    if (isForbidden(error)) {
      return warn(
        `you may not see what it serves: ${(error as Error).message}`,
        'ask the admins of the hub',
      );
    }
    if (!isNotFound(error)) throw error;
  }
  return fail(
    `the hub has no ClusterProfile API (${GROUP}/v1alpha1)`,
    `install it on ${hub.server}, ${OTHER_HUB}`,
  );
}

function listOf(value: unknown, field: string): readonly unknown[] {
  const list = fieldOf(value, field);
  return Array.isArray(list) ? list : [];
}
