import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../authn/manual-clock.ts';
import { startInMemory } from '../../testing/start-in-memory.ts';
import { MAPS, make, names } from './config-maps.cases.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };

describe('background deletion', () => {
  test('CP-55 dependents go once all their owners are gone, and theirs after them', async () => {
    await using server = await startInMemory();
    const top = await make(server, 'top');
    const middle = await make(server, 'middle', { owners: [top] });
    await make(server, 'bottom', { owners: [middle] });
    await make(server, 'bystander');

    await server.send(`DELETE ${MAPS}/top?propagationPolicy=Background`);
    await server.api.settled();

    assert.deepEqual(await names(server), ['bystander']);
  });

  test('an owner that stays keeps its dependents, and references to those gone are taken out', async () => {
    await using server = await startInMemory();
    const one = await make(server, 'one');
    const two = await make(server, 'two');
    await make(server, 'shared', { owners: [one, two], finalizers: ['example.com/mine'] });

    await server.send(`DELETE ${MAPS}/one`);
    await server.api.settled();

    const shared = (await server.send(`GET ${MAPS}/shared`)).json();
    assert.deepEqual(shared.metadata.ownerReferences, [two]);
    assert.deepEqual(shared.metadata.finalizers, ['example.com/mine'], 'nothing else is touched');
    assert.equal(shared.metadata.deletionTimestamp, undefined);
  });

  test('an owner made anew under its old name is another one', async () => {
    await using server = await startInMemory();
    const owner = await make(server, 'owner');
    await server.send(`DELETE ${MAPS}/owner`);
    await make(server, 'owner');
    await make(server, 'late', { owners: [owner] });
    await server.api.settled();

    assert.deepEqual(await names(server), ['owner']);
  });

  test('a uid under another name or kind is no owner', async () => {
    await using server = await startInMemory();
    const owner = await make(server, 'owner');
    await make(server, 'wrong-name', { owners: [{ ...owner, name: 'other' }] });
    await make(server, 'wrong-kind', { owners: [{ ...owner, kind: 'Secret' }] });
    await make(server, 'right', { owners: [owner] });
    await server.api.settled();

    assert.deepEqual(await names(server), ['owner', 'right']);
  });

  test('a dependent whose owner is of a kind nobody serves is left alone, and looked at again later', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    await using server = await startInMemory({ clock });
    const gone = { apiVersion: 'example.com/v1', kind: 'Thing', name: 'x', uid: 'u-1' };
    await make(server, 'waiting', { owners: [gone] });
    await server.api.settled();
    assert.deepEqual(await names(server), ['waiting']);
    assert.ok(clock.pending > 0);

    clock.advance(3_600_000);
    await server.api.settled();

    assert.deepEqual(await names(server), ['waiting']);
  });

  test('a reference that is added later counts from then on', async () => {
    await using server = await startInMemory();
    const owner = await make(server, 'owner');
    await make(server, 'dependent');
    const patched = await server.send(`PATCH ${MAPS}/dependent`, {
      body: { metadata: { ownerReferences: [owner] } },
      headers: MERGE,
    });
    assert.equal(patched.status, 200, patched.text());

    await server.send(`DELETE ${MAPS}/owner`);
    await server.api.settled();

    assert.deepEqual(await names(server), []);
  });

  test('an object that lost its references before its owner went stays', async () => {
    await using server = await startInMemory();
    const owner = await make(server, 'owner');
    await make(server, 'freed', { owners: [owner] });
    await server.send(`PATCH ${MAPS}/freed`, {
      body: { metadata: { ownerReferences: null } },
      headers: MERGE,
    });

    await server.send(`DELETE ${MAPS}/owner`);
    await server.api.settled();

    assert.deepEqual(await names(server), ['freed']);
  });

  test('dependents created while the owner is being deleted do not survive it', async () => {
    await using server = await startInMemory();
    const owner = await make(server, 'owner');

    const creations = Array.from({ length: 40 }, (_, index) =>
      make(server, `dependent-${index}`, { owners: [owner] }),
    );
    await Promise.all([...creations, server.send(`DELETE ${MAPS}/owner`)]);
    await server.api.settled();

    assert.deepEqual(await names(server), []);
  });

  test('a deleted collection takes the dependents of each along', async () => {
    await using server = await startInMemory();
    const one = await make(server, 'one', { labels: { app: 'a' } });
    const two = await make(server, 'two', { labels: { app: 'a' } });
    await make(server, 'of-one', { owners: [one] });
    await make(server, 'of-both', { owners: [one, two] });

    await server.send(`DELETE ${MAPS}?labelSelector=app%3Da`);
    await server.api.settled();

    assert.deepEqual(await names(server), []);
  });

  test('10,000 dependents go, and requests are served meanwhile', {
    timeout: 120_000,
  }, async () => {
    await using server = await startInMemory();
    const owner = await make(server, 'owner');
    for (let start = 0; start < 10_000; start += 500) {
      await Promise.all(
        Array.from({ length: 500 }, (_, index) =>
          make(server, `d-${start + index}`, { owners: [owner] }),
        ),
      );
    }
    await server.api.settled();

    await server.send(`DELETE ${MAPS}/owner`);
    let isSettled = false;
    const settled = server.api.settled().then(() => {
      isSettled = true;
    });
    for (let asked = 0; asked < 20; asked += 1) {
      assert.equal((await server.send('GET /api/v1/namespaces/default')).status, 200);
    }
    assert.equal(isSettled, false, 'requests had to wait for the collector');
    await settled;

    assert.deepEqual(await names(server), []);
  });
});

describe('foreground deletion', () => {
  test('CP-55 the owner stays, marked, until the dependents that block it are gone', async () => {
    await using server = await startInMemory();
    const owner = await make(server, 'owner');
    await make(server, 'held', {
      owners: [{ ...owner, blockOwnerDeletion: true }],
      finalizers: ['example.com/hold'],
    });
    await make(server, 'free', { owners: [{ ...owner, blockOwnerDeletion: true }] });

    const answer = await server.send(`DELETE ${MAPS}/owner?propagationPolicy=Foreground`);
    assert.equal(answer.status, 200);
    await server.api.settled();

    assert.deepEqual(await names(server), ['held', 'owner']);
    const waiting = (await server.send(`GET ${MAPS}/owner`)).json();
    assert.deepEqual(waiting.metadata.finalizers, ['foregroundDeletion']);
    assert.notEqual(waiting.metadata.deletionTimestamp, undefined);

    await server.send(`PATCH ${MAPS}/held`, {
      body: { metadata: { finalizers: null } },
      headers: MERGE,
    });
    await server.api.settled();

    assert.deepEqual(await names(server), []);
  });

  test('dependents that do not block are deleted but not waited for', async () => {
    await using server = await startInMemory();
    const owner = await make(server, 'owner');
    await make(server, 'slow', { owners: [owner], finalizers: ['example.com/hold'] });

    await server.send(`DELETE ${MAPS}/owner?propagationPolicy=Foreground`);
    await server.api.settled();

    assert.deepEqual(await names(server), ['slow']);
    const slow = (await server.send(`GET ${MAPS}/slow`)).json();
    assert.notEqual(slow.metadata.deletionTimestamp, undefined);
  });

  test('goes down the whole tree from the leaves up', async () => {
    await using server = await startInMemory();
    const top = await make(server, 'top');
    const middle = await make(server, 'middle', {
      owners: [{ ...top, blockOwnerDeletion: true }],
    });
    await make(server, 'leaf', {
      owners: [{ ...middle, blockOwnerDeletion: true }],
      finalizers: ['example.com/hold'],
    });

    await server.send(`DELETE ${MAPS}/top?propagationPolicy=Foreground`);
    await server.api.settled();
    const held = (await server.send(`GET ${MAPS}/middle`)).json();
    assert.deepEqual(held.metadata.finalizers, ['foregroundDeletion']);
    assert.deepEqual(await names(server), ['leaf', 'middle', 'top']);

    await server.send(`PATCH ${MAPS}/leaf`, {
      body: { metadata: { finalizers: null } },
      headers: MERGE,
    });
    await server.api.settled();

    assert.deepEqual(await names(server), []);
  });

  test('a dependent that stops blocking lets its owner go', async () => {
    await using server = await startInMemory();
    const owner = await make(server, 'owner');
    await make(server, 'held', {
      owners: [{ ...owner, blockOwnerDeletion: true }],
      finalizers: ['example.com/hold'],
    });
    await server.send(`DELETE ${MAPS}/owner?propagationPolicy=Foreground`);
    await server.api.settled();
    assert.deepEqual(await names(server), ['held', 'owner']);

    await server.send(`PATCH ${MAPS}/held`, {
      body: { metadata: { ownerReferences: [{ ...owner, blockOwnerDeletion: false }] } },
      headers: MERGE,
    });
    await server.api.settled();

    assert.deepEqual(await names(server), ['held']);
  });

  test('a dependent with another owner stays without the reference', async () => {
    await using server = await startInMemory();
    const owner = await make(server, 'owner');
    const other = await make(server, 'other');
    await make(server, 'shared', {
      owners: [{ ...owner, blockOwnerDeletion: true }, other],
    });

    await server.send(`DELETE ${MAPS}/owner?propagationPolicy=Foreground`);
    await server.api.settled();

    assert.deepEqual(await names(server), ['other', 'shared']);
    const shared = (await server.send(`GET ${MAPS}/shared`)).json();
    assert.deepEqual(shared.metadata.ownerReferences, [other]);
  });

  test('a circle of owners ends', async () => {
    await using server = await startInMemory();
    const a = await make(server, 'a');
    const b = await make(server, 'b', { owners: [{ ...a, blockOwnerDeletion: true }] });
    const c = await make(server, 'c', { owners: [{ ...b, blockOwnerDeletion: true }] });
    await server.send(`PATCH ${MAPS}/a`, {
      body: { metadata: { ownerReferences: [{ ...c, blockOwnerDeletion: true }] } },
      headers: MERGE,
    });
    await server.api.settled();
    assert.deepEqual(await names(server), ['a', 'b', 'c'], 'who owns each other stays');

    await server.send(`DELETE ${MAPS}/b?propagationPolicy=Foreground`);
    await server.api.settled();

    assert.deepEqual(await names(server), []);
  });
});

describe('orphaning', () => {
  test('CP-55 dependents stay, and no longer name the owner', async () => {
    await using server = await startInMemory();
    const owner = await make(server, 'owner');
    const other = await make(server, 'other');
    await make(server, 'one', { owners: [owner] });
    await make(server, 'two', { owners: [other, owner] });

    await server.send(`DELETE ${MAPS}/owner?propagationPolicy=Orphan`);
    await server.api.settled();

    assert.deepEqual(await names(server), ['one', 'other', 'two']);
    const one = (await server.send(`GET ${MAPS}/one`)).json();
    assert.equal(one.metadata.ownerReferences, undefined);
    const two = (await server.send(`GET ${MAPS}/two`)).json();
    assert.deepEqual(two.metadata.ownerReferences, [other]);
  });

  test('is what a ReplicationController does unless told otherwise', async () => {
    await using server = await startInMemory();
    const controllers = '/api/v1/namespaces/default/replicationcontrollers';
    for (const name of ['kept', 'cascaded']) {
      const made = await server.send(`POST ${controllers}`, {
        body: {
          metadata: { name },
          spec: {
            replicas: 0,
            template: {
              metadata: { labels: { app: name } },
              spec: { containers: [{ name: 'c', image: 'i' }] },
            },
          },
        },
      });
      assert.equal(made.status, 201, made.text());
      const { uid } = made.json().metadata;
      const owner = { apiVersion: 'v1', kind: 'ReplicationController', name, uid };
      await make(server, `of-${name}`, { owners: [owner] });
    }

    await server.send(`DELETE ${controllers}/kept`);
    await server.send(`DELETE ${controllers}/cascaded?orphanDependents=false`);
    await server.api.settled();

    assert.deepEqual(await names(server), ['of-kept']);
    assert.equal((await server.send(`GET ${controllers}/kept`)).status, 404);
  });

  test('the finalizer of an object that is collected is honoured', async () => {
    await using server = await startInMemory();
    const top = await make(server, 'top');
    const middle = await make(server, 'middle', { owners: [top], finalizers: ['orphan'] });
    await make(server, 'leaf', { owners: [middle] });

    await server.send(`DELETE ${MAPS}/top`);
    await server.api.settled();

    assert.deepEqual(await names(server), ['leaf']);
  });
});
