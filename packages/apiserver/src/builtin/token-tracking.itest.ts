import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startInMemory } from '../testing/start-in-memory.ts';

const TRACKING =
  '/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking';
const MERGE = { 'content-type': 'application/merge-patch+json' };

describe('the record of since when tokens are tracked', () => {
  test('is there from the beginning and says a day', async () => {
    await using server = await startInMemory();

    const { data, metadata } = (await server.send(`GET ${TRACKING}`)).json();

    assert.deepEqual(data, { since: metadata.creationTimestamp.slice(0, 10) });
    assert.deepEqual(metadata.managedFields[0].fieldsV1, {
      'f:data': { '.': {}, 'f:since': {} },
    });
  });

  test('comes back when it is deleted', async () => {
    await using server = await startInMemory();

    assert.equal((await server.send(`DELETE ${TRACKING}`)).status, 200);
    await server.api.settled();

    assert.match((await server.send(`GET ${TRACKING}`)).json().data.since, /^\d{4}-\d\d-\d\d$/);
  });

  test('is dated anew when what it says is no day, beside what others keep there', async () => {
    await using server = await startInMemory();
    const { since } = (await server.send(`GET ${TRACKING}`)).json().data;

    for (const bad of ['yesterday', '2026-99-01', null]) {
      const body = JSON.stringify({ data: { since: bad, other: 'x' } });
      assert.equal((await server.send(`PATCH ${TRACKING}`, { body, headers: MERGE })).status, 200);
      await server.api.settled();

      assert.deepEqual((await server.send(`GET ${TRACKING}`)).json().data, { since, other: 'x' });
    }
  });

  test('keeps an earlier day', async () => {
    await using server = await startInMemory();

    const body = JSON.stringify({ data: { since: '2020-01-31' } });
    await server.send(`PATCH ${TRACKING}`, { body, headers: MERGE });
    await server.api.settled();

    assert.equal((await server.send(`GET ${TRACKING}`)).json().data.since, '2020-01-31');
  });
});
