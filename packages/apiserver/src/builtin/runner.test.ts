import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../authn/manual-clock.ts';
import { createMemoryStore } from '../storage/memory.ts';
import { ROOT_TENANT, type Store } from '../storage/store.ts';
import type { BuiltinController } from './controller.ts';
import { runControllers } from './runner.ts';

const LEASE = 'coordination.k8s.io/leases/kube-system/kube-controller-manager';

describe('the runner of built-in controllers', () => {
  test('works on what there is at adoption and on what changes later', async () => {
    await using rig = start({});
    await rig.put('work/a');
    rig.runner.adopt(ROOT_TENANT);
    await rig.runner.idle();
    assert.deepEqual(rig.synced, ['a', 'initial']);

    await rig.put('work/b');
    await rig.runner.idle();
    assert.deepEqual(rig.synced.slice(2), ['b']);
  });

  test('never works on a key twice at a time, and once more when it changed meanwhile', async () => {
    let under = 0;
    let most = 0;
    await using rig = start({
      sync: async () => {
        under += 1;
        most = Math.max(most, under);
        await new Promise((resolve) => setImmediate(resolve));
        under -= 1;
        return undefined;
      },
    });

    for (let i = 0; i < 10; i += 1) await rig.put('work/a');
    await rig.runner.idle();

    assert.equal(most, 1);
    assert.ok(rig.synced.length >= 1 && rig.synced.length <= 10);
    const before = rig.synced.length;
    await rig.put('work/a');
    await rig.runner.idle();
    assert.equal(rig.synced.length, before + 1);
  });

  test('looks again when a controller asks for it, with one timer per key', async () => {
    await using rig = start({ sync: async () => 5_000 });
    for (let i = 0; i < 5; i += 1) {
      await rig.put('work/a');
      await rig.runner.idle();
      rig.clock.advance(1);
    }
    assert.equal(rig.synced.length, 5);
    assert.equal(rig.clock.pending, 1);

    rig.clock.advance(5_000);
    await rig.runner.idle();

    assert.equal(rig.synced.length, 6);
    assert.equal(rig.clock.pending, 1);
  });

  test('tries again what failed, later each time, and reports what keeps failing', async () => {
    await using rig = start({
      sync: () => Promise.reject(new Error('Cannot work: broken')),
    });
    await rig.put('work/a');
    await rig.runner.idle();
    for (const ms of [99, 1]) rig.clock.advance(ms);
    await rig.runner.idle();
    assert.equal(rig.synced.length, 2);
    assert.equal(rig.reported.length, 0);

    for (const ms of [200, 400, 800]) {
      rig.clock.advance(ms);
      await rig.runner.idle();
    }

    assert.equal(rig.synced.length, 5);
    assert.equal(rig.reported.length, 2);
  });

  test('stands down while a kube-controller-manager leads and takes over when its lease ends', async () => {
    await using rig = start({ yields: true });
    await lead(rig.store, rig.clock);
    await rig.put('work/a');
    await rig.runner.idle();
    assert.deepEqual(rig.synced, []);

    rig.clock.advance(10_000);
    await lead(rig.store, rig.clock);
    rig.clock.advance(14_999);
    await rig.runner.idle();
    assert.deepEqual(rig.synced, [], 'the lease was renewed');

    rig.clock.advance(15_001);
    await rig.runner.idle();
    assert.deepEqual(rig.synced, ['a']);
  });

  test('lets work that no kube-controller-manager does go on beside it', async () => {
    await using rig = start({ yields: false });
    await lead(rig.store, rig.clock);
    await rig.put('work/a');
    await rig.runner.idle();

    assert.deepEqual(rig.synced, ['a']);
  });

  test('reports what cannot be looked at, and goes on with the rest', async () => {
    const broken = (): never => {
      throw new Error('Cannot read "a": its record is damaged');
    };
    await using rig = start({ initial: broken, concerns: broken });
    rig.runner.adopt(ROOT_TENANT);
    await rig.put('work/a');
    await rig.runner.idle();

    assert.equal(rig.reported.length, 2);
    assert.deepEqual(rig.synced, []);
  });

  test('does nothing more once it is stopped', async () => {
    await using rig = start({ sync: async () => 1_000 });
    await rig.put('work/a');
    await rig.runner.idle();

    await rig.runner[Symbol.asyncDispose]();
    rig.clock.advance(60_000);
    await rig.put('work/b');

    assert.deepEqual(rig.synced, ['a']);
    assert.equal(rig.clock.pending, 0);
  });
});

function start(options: {
  yields?: boolean;
  sync?: () => Promise<number | undefined>;
  initial?: BuiltinController['initial'];
  concerns?: BuiltinController['concerns'];
}) {
  const clock = new ManualClock('2026-01-01T00:00:00Z');
  const store = createMemoryStore({ now: () => clock.now().getTime() });
  const synced: string[] = [];
  const reported: unknown[] = [];
  const controller: BuiltinController = {
    name: 'test',
    yields: options.yields ?? false,
    initial: options.initial ?? (() => ['initial']),
    concerns: options.concerns ?? (({ key }) => (key.startsWith('work/') ? [key.slice(5)] : [])),
    sync: async (_tenant, key) => {
      synced.push(key);
      return options.sync?.();
    },
  };
  const runner = runControllers({
    store,
    clock,
    controllers: [controller],
    report: (error) => reported.push(error),
  });
  return {
    clock,
    store,
    runner,
    synced,
    reported,
    put: (key: string) => put(store, key, {}),
    [Symbol.asyncDispose]: async () => {
      await runner[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

async function put(store: Store, key: string, object: object): Promise<void> {
  const expect = store.read(ROOT_TENANT, key)?.revision ?? 0;
  const value = (): Buffer => Buffer.from(JSON.stringify(object));
  await store.write(ROOT_TENANT, { key, expect, value });
}

/** A kube-controller-manager renews its lease. */
async function lead(store: Store, clock: ManualClock): Promise<void> {
  const renewTime = clock.now().toISOString();
  const spec = { holderIdentity: 'kcm', leaseDurationSeconds: 15, renewTime };
  await put(store, LEASE, { metadata: {}, spec });
}
