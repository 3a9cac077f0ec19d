import { setTimeout as delay } from 'node:timers/promises';
import type { Ask } from './real-server.ts';
import { type GroupVersionRow, listPaths } from './resources.ts';

interface ObjectList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly items: readonly Record<string, unknown>[];
}

const RBAC = 'rbac.authorization.k8s.io';
// The identity of one server process, the health of its neighbours, and what merely happened.
const OF_ONE_PROCESS = new Set(['leases', 'componentstatuses', 'events']);
const SET_BY_SERVER = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
]);
/** Stands for the port a server listens on, wherever an object repeats it. */
const SERVING_PORT = 6443;
const SETTLED_AFTER_SAME = 6;
const POLL_MS = 500;
const SETTLES_WITHIN_MS = 60_000;

/** The default RBAC policy, as objects; aggregated roles need the controller that fills them. */
export async function readPolicy(
  ask: Ask,
  resources: readonly GroupVersionRow[],
): Promise<unknown[]> {
  const rbac = resources.filter(({ group }) => group === RBAC);
  return settled(async () => {
    const objects = await readObjects(ask, rbac);
    return objects.every(hasItsRules) ? objects : undefined;
  });
}

/** What else a server creates by itself at its first start, without what is particular to one. */
export async function readBootstrapObjects(
  ask: Ask,
  resources: readonly GroupVersionRow[],
): Promise<unknown[]> {
  const others = resources
    .filter(({ group, preferred }) => group !== RBAC && preferred)
    .map((row) => ({
      ...row,
      resources: row.resources.filter(({ name }) => !OF_ONE_PROCESS.has(name)),
    }));
  return settled(async () => (await readObjects(ask, others)).map(withoutInstance));
}

async function readObjects(
  ask: Ask,
  resources: readonly GroupVersionRow[],
): Promise<Record<string, unknown>[]> {
  const lists = listPaths(resources).map(async ({ path }) => {
    const { kind, apiVersion, items } = (await ask(path)) as ObjectList;
    return items.map((item) => ({
      kind: kind.replace(/List$/, ''),
      apiVersion,
      ...item,
      metadata: ownMetadata(item['metadata'] as Record<string, unknown>),
    }));
  });
  return (await Promise.all(lists)).flat();
}

function ownMetadata(metadata: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !SET_BY_SERVER.has(name)));
}

function hasItsRules(role: Record<string, unknown>): boolean {
  return role['aggregationRule'] === undefined || role['rules'] !== null;
}

/** Drops times and replaces the port of the server that was asked. */
function withoutInstance(object: Record<string, unknown>): unknown {
  const isKubernetes = (object['metadata'] as { name: string }).name === 'kubernetes';
  return JSON.parse(JSON.stringify(object), (name, value: unknown) => {
    if (name === 'lastTransitionTime' || name === 'since') return undefined;
    const isPort = name === 'targetPort' || (name === 'port' && value !== 443);
    return isKubernetes && isPort ? SERVING_PORT : value;
  });
}

/** The servers' own controllers finish at different moments; waits until nothing changes any more. */
async function settled<T>(read: () => Promise<T[] | undefined>): Promise<T[]> {
  const deadline = performance.now() + SETTLES_WITHIN_MS;
  let last = '';
  let same = 0;
  for (;;) {
    const objects = await read();
    const text = JSON.stringify(objects);
    same = objects !== undefined && text === last ? same + 1 : 0;
    last = text;
    if (objects !== undefined && same >= SETTLED_AFTER_SAME) return objects;
    if (performance.now() > deadline) {
      throw new Error('Cannot read the objects of a new server: they keep changing');
    }
    await delay(POLL_MS);
  }
}
