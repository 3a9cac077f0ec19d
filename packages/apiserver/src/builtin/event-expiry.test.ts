import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../authn/manual-clock.ts';
import { createMemoryStore } from '../storage/memory.ts';
import { type Store, StoreUnavailable, type Tenant, type Write } from '../storage/store.ts';
import { expireEvents } from './event-expiry.ts';

const HOUR = 3_600_000;
const START = '2026-01-01T12:00:00Z';

describe('events', () => {
  test('go an hour after they were written, and not before', async () => {
    await using rig = start();
    await rig.put('one', 'a');
    rig.clock.advance(HOUR - 1);
    await settle();
    assert.equal(rig.has('one', 'a'), true);

    rig.clock.advance(1);
    await settle();

    assert.equal(rig.has('one', 'a'), false);
    assert.equal(rig.clock.pending, 0);
  });

  test('live another hour when they are written again', async () => {
    await using rig = start();
    await rig.put('one', 'a');
    rig.clock.advance(HOUR / 2);
    await rig.put('one', 'a');

    rig.clock.advance(HOUR - 1);
    await settle();
    assert.equal(rig.has('one', 'a'), true);
    rig.clock.advance(1);
    await settle();
    assert.equal(rig.has('one', 'a'), false);
  });

  test('of a restarted server go by their own latest time', async () => {
    await using rig = start();
    rig.stop();
    const minutesAgo = (minutes: number): string =>
      new Date(Date.parse(START) - minutes * 60_000).toISOString();
    await rig.put('one', 'old', { metadata: { creationTimestamp: minutesAgo(90) } });
    await rig.put('one', 'again', {
      metadata: { creationTimestamp: minutesAgo(90) },
      series: { lastObservedTime: minutesAgo(10) },
    });
    await rig.put('one', 'timeless', { metadata: {}, lastTimestamp: 'never' });
    await using later = expireEvents(rig);

    later.adopt('one');
    rig.clock.advance(0);
    await settle();
    assert.deepEqual(rig.names('one'), ['again', 'timeless']);
    rig.clock.advance(50 * 60_000);
    await settle();
    assert.deepEqual(rig.names('one'), ['timeless']);
    rig.clock.advance(10 * 60_000);
    await settle();
    assert.deepEqual(rig.names('one'), []);
  });

  test('that are overdue in a tenant adopted later do not wait for those of the first', async () => {
    await using rig = start();
    rig.stop();
    await rig.put('one', 'fresh', { metadata: { creationTimestamp: START } });
    await rig.put('two', 'old', { metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } });
    await using later = expireEvents(rig);

    later.adopt('one');
    later.adopt('two');
    rig.clock.advance(0);
    await settle();

    assert.deepEqual(rig.names('two'), []);
    assert.deepEqual(rig.names('one'), ['fresh']);
  });

  test('leave everything else alone', async () => {
    await using rig = start();
    const value = (): Buffer => Buffer.from('{"metadata":{}}');
    await rig.store.write('one', { key: 'core/eventsources/n/a', expect: 0, value });

    rig.clock.advance(2 * HOUR);
    await settle();

    assert.ok(rig.store.read('one', 'core/eventsources/n/a'));
  });

  test('that could not be removed are tried again, and reported once', async () => {
    await using rig = start();
    const full = failing(rig.store);
    const reported: unknown[] = [];
    await using events = expireEvents({
      ...rig,
      store: full.store,
      report: (error) => reported.push(error),
    });
    rig.stop();
    await rig.put('one', 'a');
    await rig.put('one', 'b');
    full.fail = true;
    rig.clock.advance(HOUR);
    await settle();
    assert.deepEqual([rig.names('one').length, reported.length], [2, 1]);
    events.adopt('one');

    full.fail = false;
    rig.clock.advance(60_000);
    await settle();

    assert.deepEqual(rig.names('one'), []);
    assert.equal(rig.clock.pending, 0);
  });

  test('of a restarted server go in any number, however often it is told of them', async () => {
    await using rig = start();
    rig.stop();
    await Promise.all(Array.from({ length: 1100 }, (_, i) => rig.put('one', `e${i}`)));
    await using later = expireEvents(rig);
    later.adopt('one');
    later.adopt('one');
    await settle();

    rig.clock.advance(HOUR);
    for (let i = 0; i < 3; i += 1) {
      await settle();
      rig.clock.advance(0);
    }
    await settle();

    assert.deepEqual(rig.names('one'), []);
    assert.equal(rig.clock.pending, 0);
  });

  test('that claim a time to come live no longer than those of now', async () => {
    await using rig = start();
    rig.stop();
    await rig.put('one', 'a', { metadata: {}, lastTimestamp: '2099-01-01T00:00:00Z' });
    await using later = expireEvents(rig);
    later.adopt('one');

    rig.clock.advance(HOUR);
    await settle();

    assert.deepEqual(rig.names('one'), []);
  });

  test('go in any number', async () => {
    await using rig = start();
    await Promise.all(Array.from({ length: 1100 }, (_, i) => rig.put('one', `e${i}`)));

    rig.clock.advance(HOUR);
    for (let i = 0; i < 3; i += 1) {
      await settle();
      rig.clock.advance(0);
    }
    await settle();

    assert.deepEqual(rig.names('one'), []);
  });
});

function start() {
  const clock = new ManualClock(START);
  const store = createMemoryStore({ now: () => clock.now().getTime() });
  const report = (error: unknown): never => {
    throw error;
  };
  const events = expireEvents({ store, clock, report });
  const key = (name: string): string => `core/events/default/${name}`;
  return {
    clock,
    store,
    report,
    stop: () => void events[Symbol.asyncDispose](),
    put: (tenant: Tenant, name: string, object: object = { metadata: {} }) =>
      put(store, tenant, { key: key(name), object }),
    has: (tenant: Tenant, name: string) => store.read(tenant, key(name)) !== undefined,
    names: (tenant: Tenant): string[] => {
      using snapshot = store.snapshot(tenant);
      return snapshot.range(key(''), { limit: 10_000 }).map((e) => e.key.slice(key('').length));
    },
    [Symbol.asyncDispose]: async () => {
      await events[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

async function put(
  store: Store,
  tenant: Tenant,
  { key, object }: { key: string; object: object },
): Promise<void> {
  const expect = store.read(tenant, key)?.revision ?? 0;
  await store.write(tenant, { key, expect, value: () => Buffer.from(JSON.stringify(object)) });
}

/** The same store, whose disk may be full. */
function failing(store: Store) {
  const rig = {
    fail: false,
    store: {
      ...methods(store),
      write: (tenant: Tenant, write: Write) =>
        rig.fail
          ? Promise.reject(new StoreUnavailable('Cannot write: the disk is full'))
          : store.write(tenant, write),
    },
  };
  return rig;
}

function methods(store: Store): Store {
  return {
    revision: (tenant) => store.revision(tenant),
    oldestRevision: (tenant) => store.oldestRevision(tenant),
    read: (tenant, key) => store.read(tenant, key),
    snapshot: (tenant, revision) => store.snapshot(tenant, revision),
    write: (tenant, write) => store.write(tenant, write),
    watch: (tenant, options, listener) => store.watch(tenant, options, listener),
    changes: (listener) => store.changes(listener),
    compact: (tenant, revision) => store.compact(tenant, revision),
    tenants: () => store.tenants(),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Lets the writes that time set off reach the store. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
