import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../authn/manual-clock.ts';
import type { InjectedResponse } from '../http/inject.ts';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';

const DEFAULT = '/api/v1/namespaces/default';
const TOKEN = `${DEFAULT}/serviceaccounts/default/token`;

describe('a token request', () => {
  test('gives a token of an hour for the server itself, unless asked for another', async () => {
    await using server = await startInMemory({ clock: new ManualClock('2026-01-01T00:00:00Z') });

    const usual = await request(server, {});
    assert.equal(usual.status, 201);
    assert.deepEqual(usual.json().spec, {
      audiences: ['https://kubernetes.default.svc'],
      expirationSeconds: 3600,
      boundObjectRef: null,
    });
    assert.deepEqual(usual.json().status, {
      token: 'signed',
      expirationTimestamp: '2026-01-01T01:00:00Z',
    });

    const other = await request(server, { audiences: ['vault'], expirationSeconds: 600 });
    assert.deepEqual(other.json().spec.audiences, ['vault']);
    assert.equal(other.json().status.expirationTimestamp, '2026-01-01T00:10:00Z');
  });

  test('of too short or too long a life is refused', async () => {
    await using server = await startInMemory();

    const short = await request(server, { expirationSeconds: 599 });
    assert.equal(short.status, 422);
    assert.match(short.json().message, /may not specify a duration less than 10 minutes/);
    const long = await request(server, { expirationSeconds: 2 ** 32 + 1 });
    assert.match(long.json().message, /may not specify a duration larger than 2\^32 seconds/);
  });

  test('binds only to an object that exists and is the one meant', async () => {
    await using server = await startInMemory();
    const pod = await server.send(`POST ${DEFAULT}/pods`, {
      body: {
        metadata: { name: 'p' },
        spec: { serviceAccountName: 'default', containers: [{ name: 'c', image: 'i' }] },
      },
    });
    const { uid } = pod.json().metadata;
    const ref = { kind: 'Pod', apiVersion: 'v1', name: 'p' };

    const bound = (boundObjectRef: object) => request(server, { boundObjectRef });
    assert.equal((await bound(ref)).status, 201);
    assert.equal((await bound({ ...ref, uid })).status, 201);
    const replaced = await bound({ ...ref, uid: 'older' });
    assert.equal(replaced.status, 409);
    assert.match(replaced.json().message, /might have been deleted and then recreated$/);
    const wrongKind = await bound({ ...ref, kind: 'ConfigMap' });
    assert.equal(wrongKind.status, 400);
    assert.equal(
      wrongKind.json().message,
      'cannot bind token to object of type /v1, Kind=ConfigMap',
    );

    await server.send(`DELETE ${DEFAULT}/pods/p?gracePeriodSeconds=0`);
    assert.equal((await bound({ ...ref, uid })).status, 404);
  });

  test('does not bind to a pod that runs as someone else', async () => {
    await using server = await startInMemory();
    await server.send(`POST ${DEFAULT}/serviceaccounts`, { body: { metadata: { name: 'bot' } } });
    await server.send(`POST ${DEFAULT}/pods`, {
      body: {
        metadata: { name: 'p' },
        spec: { serviceAccountName: 'bot', containers: [{ name: 'c', image: 'i' }] },
      },
    });

    const refused = await request(server, {
      boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' },
    });

    assert.equal(refused.status, 400);
    assert.equal(
      refused.json().message,
      'cannot bind token for serviceaccount "default" to pod running with different serviceaccount name.',
    );
  });

  test('must mean the account it is sent to', async () => {
    await using server = await startInMemory();
    const send = (metadata: object) =>
      server.send(`POST ${TOKEN}`, { body: { metadata, spec: {} } });

    assert.equal((await send({ name: 'other' })).status, 422);
    assert.equal((await send({ uid: 'other' })).status, 409);
    const missing = await server.send(`POST ${DEFAULT}/serviceaccounts/none/token`, {
      body: { spec: {} },
    });
    assert.equal(missing.status, 404);
  });
});

function request(server: TestServer, spec: object): Promise<InjectedResponse> {
  return server.send(`POST ${TOKEN}`, { body: { spec } });
}
