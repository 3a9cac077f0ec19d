import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../authn/manual-clock.ts';
import { realIdentity } from '../../testing/real-identity.ts';
import { startInMemory, type TestServer } from '../../testing/start-in-memory.ts';

const SECRETS = '/api/v1/namespaces/default/secrets';
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const NAME = 'kubernetes.io/service-account.name';

describe('a Secret of the service-account type', () => {
  test('is filled with a token that stands for the account', async () => {
    await using server = await started();
    await account(server);
    await tokenSecret(server);

    const secret = (await server.send(`GET ${SECRETS}/robot-token`)).json();
    assert.equal(text(secret.data.namespace), 'default');
    assert.match(text(secret.data['ca.crt']), /BEGIN CERTIFICATE/);
    const claims = JSON.parse(
      Buffer.from(text(secret.data.token).split('.')[1] ?? '', 'base64url').toString(),
    );
    const uid = secret.metadata.annotations['kubernetes.io/service-account.uid'];
    assert.deepEqual(claims, {
      iss: 'kubernetes/serviceaccount',
      'kubernetes.io/serviceaccount/namespace': 'default',
      'kubernetes.io/serviceaccount/secret.name': 'robot-token',
      'kubernetes.io/serviceaccount/service-account.name': 'robot',
      'kubernetes.io/serviceaccount/service-account.uid': uid,
      sub: 'system:serviceaccount:default:robot',
    });
    const answer = await who(server, text(secret.data.token));
    assert.deepEqual(answer.json().status.userInfo, {
      username: 'system:serviceaccount:default:robot',
      uid,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
    });
    const used = (await server.send(`GET ${SECRETS}/robot-token`)).json();
    assert.equal(used.metadata.labels['kubernetes.io/legacy-token-last-used'], '2026-01-01');
  });

  test('goes with its account, and its token opens nothing any more', async () => {
    await using server = await started();
    await account(server);
    const token = await tokenSecret(server);
    await server.send(`DELETE ${ACCOUNTS}/robot`);
    assert.equal((await who(server, token)).status, 401, 'before anyone cleaned up');
    await server.api.settled();

    assert.equal((await server.send(`GET ${SECRETS}/robot-token`)).status, 404);
    await account(server);
    assert.equal((await who(server, token)).status, 401, 'another account of the same name');
  });

  test('without an account is deleted', async () => {
    await using server = await started();
    await create(server);
    await server.api.settled();

    assert.equal((await server.send(`GET ${SECRETS}/robot-token`)).status, 404);
  });

  test('ends with its Secret, and the account no longer names it', async () => {
    await using server = await started();
    await account(server);
    const token = await tokenSecret(server);
    await server.send(`PATCH ${ACCOUNTS}/robot`, {
      body: { secrets: [{ name: 'robot-token' }, { name: 'other' }] },
      headers: MERGE,
    });

    await server.send(`DELETE ${SECRETS}/robot-token`);
    assert.equal((await who(server, token)).status, 401);
    await server.api.settled();

    const robot = (await server.send(`GET ${ACCOUNTS}/robot`)).json();
    assert.deepEqual(robot.secrets, [{ name: 'other' }]);
  });

  test('gets back what someone took out, and a new token makes the old one worthless', async () => {
    await using server = await started();
    await account(server);
    const token = await tokenSecret(server);

    await server.send(`PATCH ${SECRETS}/robot-token`, {
      body: { data: { 'ca.crt': null } },
      headers: MERGE,
    });
    await server.api.settled();
    const repaired = (await server.send(`GET ${SECRETS}/robot-token`)).json();
    assert.match(text(repaired.data['ca.crt']), /BEGIN CERTIFICATE/);
    assert.equal((await who(server, token)).status, 201);

    await server.send(`PATCH ${SECRETS}/robot-token`, {
      body: { stringData: { token: 'mine' } },
      headers: MERGE,
    });
    assert.equal((await who(server, token)).status, 401);
  });

  test('that is marked invalid opens nothing', async () => {
    await using server = await started();
    await account(server);
    const token = await tokenSecret(server);
    await server.send(`PATCH ${SECRETS}/robot-token`, {
      body: { metadata: { labels: { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01' } } },
      headers: MERGE,
    });

    assert.equal((await who(server, token)).status, 401);
  });
});

async function started(): Promise<TestServer> {
  const clock = new ManualClock('2026-01-01T00:00:00Z');
  return startInMemory({ clock, identity: realIdentity(clock).identity });
}

function text(base64: string): string {
  return Buffer.from(base64, 'base64').toString();
}

function who(server: TestServer, token: string) {
  return server.send(`POST ${WHO}`, { body: {}, as: token });
}

async function account(server: TestServer): Promise<void> {
  const made = await server.send(`POST ${ACCOUNTS}`, { body: { metadata: { name: 'robot' } } });
  assert.equal(made.status, 201, made.text());
}

async function create(server: TestServer): Promise<void> {
  const made = await server.send(`POST ${SECRETS}`, {
    body: {
      metadata: { name: 'robot-token', annotations: { [NAME]: 'robot' } },
      type: 'kubernetes.io/service-account-token',
    },
  });
  assert.equal(made.status, 201, made.text());
}

async function tokenSecret(server: TestServer): Promise<string> {
  await create(server);
  await server.api.settled();
  const { data } = (await server.send(`GET ${SECRETS}/robot-token`)).json();
  return text(data.token);
}
