import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@flotilla/machinery';
import { seeded } from '@flotilla/machinery/testing';
import type { WatchEvent } from '../client.ts';
import { Mirror } from './mirror.ts';
import { ObjectStore } from './object-store.ts';

describe('mirror', () => {
  test('is moved back by nothing that comes again or late', async () => {
    const mirror = mirrorOf([thing('a', 1)], 5);
    const told = follow(mirror);
    mirror.apply(event('MODIFIED', thing('a', 6)));
    mirror.apply(event('DELETED', thing('a', 7)));
    mirror.apply(event('ADDED', thing('a', 8, 'uid-2')));

    // Each of them once more, in another order, and a bookmark from before.
    mirror.apply(event('DELETED', thing('a', 7)));
    mirror.apply(event('MODIFIED', thing('a', 6)));
    mirror.apply(event('ADDED', thing('a', 8, 'uid-2')));
    mirror.apply(event('BOOKMARK', thing('', 4)));
    await turn();

    assert.equal(mirror.resourceVersion, '8');
    assert.deepEqual(told, ['+a@1!', 'a@1>6', '-a@7', '+a@8']);
    assert.deepEqual(stateOf(mirror), ['a@8']);
  });

  test('compares versions as numbers, whatever their length', () => {
    const mirror = mirrorOf([thing('a', 9)], 9);

    mirror.apply(event('MODIFIED', thing('a', 10)));
    mirror.apply(event('MODIFIED', thing('a', '99999999999999999999')));
    mirror.apply(event('MODIFIED', thing('a', '100000000000000000000')));
    mirror.apply(event('MODIFIED', thing('a', '99999999999999999999')));

    assert.deepEqual(stateOf(mirror), ['a@100000000000000000000']);
  });

  test('believes versions it cannot compare', () => {
    const mirror = mirrorOf([thing('a', 'v-one')], 'list-1');

    mirror.apply(event('MODIFIED', thing('a', 'abc')));

    assert.deepEqual(stateOf(mirror), ['a@abc']);
  });

  test('takes away what a server deletes without giving that a version', () => {
    const mirror = mirrorOf([thing('a', 3), thing('b', 4)], 9);

    mirror.apply(event('DELETED', thing('a', 3)));

    assert.deepEqual(stateOf(mirror), ['b@4']);
    assert.equal(mirror.resourceVersion, '9');
  });

  test('tells of the end of an object that another one has replaced', async () => {
    const mirror = mirrorOf([thing('a', 3), thing('b', 4)], 9);
    const told = follow(mirror);

    mirror.apply(event('ADDED', thing('a', 10, 'uid-2')));
    mirror.replace(storeOf([thing('a', 10, 'uid-2'), thing('b', 11, 'uid-3')]), '12');
    await turn();

    assert.deepEqual(told, ['+a@3!', '+b@4!', '-a@3?', '+a@10', '-b@4?', '+b@11']);
  });

  test('tells of a list only what differs', async () => {
    const mirror = mirrorOf([thing('a', 1), thing('b', 2), thing('c', 3)], 5);
    const kept = mirror.objects.get({ namespace: 'ns', name: 'a' });
    const told = follow(mirror);

    mirror.replace(storeOf([thing('a', 1), thing('b', 7), thing('d', 8)]), '9');
    await turn();

    assert.deepEqual(told.slice(3), ['-c@3?', 'b@2>7', '+d@8']);
    assert.equal(mirror.objects.get({ namespace: 'ns', name: 'a' }), kept);
  });

  test('tells a new subscriber what is there, then what changes, and nothing after it left', async () => {
    const mirror = mirrorOf([thing('a', 1)], 5);
    const told: string[] = [];
    const subscription = mirror.subscribe(recorder(told));
    mirror.apply(event('MODIFIED', thing('a', 6)));
    await turn();
    mirror.apply(event('DELETED', thing('a', 7)));

    subscription[Symbol.dispose]();
    await turn();

    assert.deepEqual(told, ['+a@1!', 'a@1>6']);
  });

  test('lets no subscriber that throws or is slow hurt another', async () => {
    const reported: unknown[] = [];
    const mirror = new Mirror<KubeObject>((error) => reported.push(error));
    mirror.replace(storeOf([thing('a', 1), thing('b', 2)]), '5');
    let release = (): void => {};
    const slowHeard: string[] = [];
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    mirror.subscribe({
      added: ({ metadata }) => {
        throw new Error(`not ${metadata.name ?? ''}`);
      },
    });
    mirror.subscribe({
      added: async ({ metadata }) => {
        slowHeard.push(metadata.name ?? '');
        await slow;
      },
    });
    mirror.subscribe({ added: async () => Promise.reject(new Error('later')) });
    const told = follow(mirror);

    mirror.apply(event('ADDED', thing('c', 6)));
    await turn();

    assert.deepEqual(told, ['+a@1!', '+b@2!', '+c@6']);
    assert.deepEqual(slowHeard, ['a']);
    assert.deepEqual(reported.map(String).sort(), [
      'Error: later',
      'Error: later',
      'Error: later',
      'Error: not a',
      'Error: not b',
      'Error: not c',
    ]);
    release();
    await turn();
    assert.deepEqual(slowHeard, ['a', 'b', 'c']);
  });

  test('tells of everything again on a resync, except to those who are behind', async () => {
    const mirror = mirrorOf([thing('a', 1)], 5);
    const told = follow(mirror);
    let calls = 0;
    mirror.subscribe({
      added: () => new Promise<void>(() => {}),
      updated: () => {
        calls += 1;
      },
    });
    await turn();

    mirror.resync();
    await turn();

    assert.deepEqual(told, ['+a@1!', 'a@1>1']);
    assert.equal(calls, 0);
  });

  test('ends where the server is, and its subscribers with it, however events are repeated and lists come between', async () => {
    for (let seed = 0; seed < 200; seed++) {
      const random = seeded(seed);
      const mirror = mirrorOf([], 1);
      const view = new Map<string, string>();
      mirror.subscribe({
        added: (object) => {
          assert.ok(!view.has(nameOf(object)), 'added twice');
          view.set(nameOf(object), at(object));
        },
        updated: (object, before) => {
          assert.equal(view.get(nameOf(object)), at(before));
          view.set(nameOf(object), at(object));
        },
        deleted: (object) => assert.ok(view.delete(nameOf(object)), 'deleted twice'),
      });
      const server = new Map<string, KubeObject>();
      const history: WatchEvent[] = [];
      let sent = 0;
      for (let version = 2; version < 60; version++) {
        const name = random.pick(['a', 'b', 'c']);
        const known = server.get(name);
        const uid = known?.metadata.uid ?? `uid-${version}`;
        const object = thing(name, version, uid);
        const isDeletion = known !== undefined && random.below(3) === 0;
        if (isDeletion) server.delete(name);
        else server.set(name, object);
        const type = isDeletion ? 'DELETED' : known === undefined ? 'ADDED' : 'MODIFIED';
        history.push(event(type, object));
        const chance = random.below(6);
        if (chance === 0) {
          mirror.replace(storeOf([...server.values()].map(copy)), String(version));
          sent = history.length;
        } else if (chance < 3) {
          // From somewhere before where it was, as a proxy that repeats would.
          const from = Math.max(0, sent - random.below(5));
          for (const each of history.slice(from)) mirror.apply(each);
          sent = history.length;
        }
      }
      for (const each of history.slice(sent)) mirror.apply(each);
      await turn();

      assert.deepEqual(stateOf(mirror), [...server.values()].map(at).sort(), `seed ${seed}`);
      assert.deepEqual([...view.values()].sort(), stateOf(mirror), `seed ${seed}`);
    }
  });
});

describe('indexes', () => {
  test('find objects by what they are now', () => {
    const mirror = mirrorOf([thing('a', 1), thing('b', 2)], 5);
    const byUid = ({ metadata }: KubeObject): string[] => [metadata.uid ?? ''];
    mirror.objects.addIndex('uid', byUid);
    mirror.objects.addIndex('uid', byUid);
    const names = (value: string) => mirror.objects.byIndex('uid', value).map(nameOf);
    assert.deepEqual(names('uid-a'), ['a']);

    mirror.apply(event('MODIFIED', thing('a', 6, 'uid-b')));
    assert.deepEqual(names('uid-a'), []);
    assert.deepEqual(names('uid-b').sort(), ['a', 'b']);
    mirror.apply(event('DELETED', thing('b', 7)));

    assert.deepEqual(names('uid-b'), ['a']);
    assert.throws(() => mirror.objects.byIndex('nothing', ''), /Cannot look into index "nothing"/);
    assert.throws(() => mirror.objects.addIndex('uid', () => []), /Cannot add index "uid"/);
  });

  test('objects are found by namespace, and those without one by name', () => {
    const node = {
      ...thing('node', 3),
      metadata: { name: 'node', uid: 'n', resourceVersion: '3' },
    };
    const mirror = mirrorOf([thing('a', 1), node], 5);

    assert.deepEqual(mirror.objects.list('ns').map(nameOf), ['a']);
    assert.deepEqual(mirror.objects.list('other'), []);
    assert.equal(mirror.objects.get({ name: 'node' }), node);
    assert.equal(mirror.objects.get({ name: 'a' }), undefined);
  });
});

function storeOf(objects: KubeObject[]): ObjectStore<KubeObject> {
  const store = new ObjectStore<KubeObject>();
  for (const object of objects) store.set(object);
  return store;
}

function mirrorOf(objects: KubeObject[], version: number | string): Mirror<KubeObject> {
  const mirror = new Mirror<KubeObject>((error) => {
    throw error;
  });
  mirror.replace(storeOf(objects), String(version));
  return mirror;
}

function thing(name: string, version: number | string, uid = `uid-${name}`): KubeObject {
  const metadata = { namespace: 'ns', name, uid, resourceVersion: String(version) };
  return { apiVersion: 'example.dev/v1', kind: 'Thing', metadata };
}

const event = (type: WatchEvent['type'], object: KubeObject): WatchEvent => ({ type, object });
const nameOf = ({ metadata }: KubeObject): string => metadata.name ?? '';
const at = (object: KubeObject): string =>
  `${nameOf(object)}@${object.metadata.resourceVersion ?? ''}`;
const stateOf = (mirror: Mirror<KubeObject>): string[] => mirror.objects.list().map(at).sort();
const copy = (object: KubeObject): KubeObject => structuredClone(object);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function follow(mirror: Mirror<KubeObject>): string[] {
  const told: string[] = [];
  mirror.subscribe(recorder(told));
  return told;
}

function recorder(told: string[]) {
  return {
    added: (object: KubeObject, { isInitial }: { isInitial: boolean }) =>
      void told.push(`+${at(object)}${isInitial ? '!' : ''}`),
    updated: (object: KubeObject, before: KubeObject) =>
      void told.push(`${at(before)}>${object.metadata.resourceVersion ?? ''}`),
    deleted: (object: KubeObject, how: { isFinalStateUnknown: boolean }) =>
      void told.push(`-${at(object)}${how.isFinalStateUnknown ? '?' : ''}`),
  };
}
