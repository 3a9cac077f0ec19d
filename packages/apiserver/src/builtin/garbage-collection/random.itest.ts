import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, OwnerReference } from '@flotilla/machinery';
import { seeded } from '../../codec/random-object.cases.ts';
import { startInMemory, type TestServer } from '../../testing/start-in-memory.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const POLICIES = ['Background', 'Foreground', 'Orphan'];
const STEPS = 120;

for (const seed of [1, 2, 3, 4, 5, 6]) {
  test(`whatever happens, everything left has an owner that exists, or never had one (seed ${seed})`, async () => {
    await using server = await startInMemory();
    const random = seeded(seed);
    const below = (bound: number): number => Math.floor(random() * bound);
    const references: OwnerReference[] = [];
    const someOwners = (): OwnerReference[] => {
      const chosen = new Map<string, OwnerReference>();
      for (let count = below(4); count > 0 && references.length > 0; count -= 1) {
        const reference = references[below(references.length)];
        if (reference !== undefined) {
          chosen.set(reference.uid, { ...reference, blockOwnerDeletion: random() < 0.5 });
        }
      }
      return [...chosen.values()];
    };
    const pending: Promise<unknown>[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      const name = `m-${below(30)}`;
      const what = random();
      if (what < 0.5) {
        pending.push(
          create(server, name, someOwners()).then((made) => made && references.push(made)),
        );
      } else if (what < 0.65) {
        const body = { metadata: { ownerReferences: someOwners() } };
        pending.push(server.send(`PATCH ${MAPS}/${name}`, { body, headers: MERGE }));
      } else {
        const policy = POLICIES[below(POLICIES.length)] ?? '';
        pending.push(server.send(`DELETE ${MAPS}/${name}?propagationPolicy=${policy}`));
      }
      // Sometimes things happen at once, sometimes one after the other.
      if (random() < 0.4) await Promise.all(pending.splice(0));
      if (random() < 0.1) await server.api.settled();
    }
    await Promise.all(pending);
    await server.api.settled();

    const left = await list(server);
    const uids = new Set(left.map(({ metadata }) => metadata.uid));
    for (const { metadata } of left) {
      const owners = metadata.ownerReferences ?? [];
      assert.equal(metadata.deletionTimestamp, undefined, `${metadata.name} was not let go`);
      assert.ok(
        owners.length === 0 || owners.some(({ uid }) => uids.has(uid)),
        `${metadata.name} has no owner left`,
      );
    }
  });
}

async function create(
  server: TestServer,
  name: string,
  ownerReferences: OwnerReference[],
): Promise<OwnerReference | undefined> {
  const made = await server.send(`POST ${MAPS}`, { body: { metadata: { name, ownerReferences } } });
  if (made.status !== 201) return undefined;
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: made.json().metadata.uid };
}

async function list(server: TestServer): Promise<KubeObject[]> {
  const { items } = JSON.parse(String(await (await server.send(`GET ${MAPS}`)).whole()));
  return items;
}
