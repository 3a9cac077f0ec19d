import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { ManualClock } from '../../authn/manual-clock.ts';
import { realIdentity } from '../../testing/real-identity.ts';
import { startInMemory, type TestServer } from '../../testing/start-in-memory.ts';

const SECRETS = '/api/v1/namespaces/kube-system/secrets';
const MAPS = '/api/v1/namespaces/kube-public/configmaps';
const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const VALUES = {
  'token-id': 'abcdef',
  'token-secret': '0123456789abcdef',
  'usage-bootstrap-authentication': 'true',
  'usage-bootstrap-signing': 'true',
};
const TOKEN = 'abcdef.0123456789abcdef';

describe('a bootstrap token', () => {
  test('stands for the machine that shows it', async () => {
    const { server } = await started();
    await using _ = server;
    await token(server, { 'auth-extra-groups': 'system:bootstrappers:b,system:bootstrappers:a' });

    const answer = await who(server, TOKEN);
    assert.equal(answer.status, 201, answer.text());
    assert.deepEqual(answer.json().status.userInfo, {
      username: 'system:bootstrap:abcdef',
      groups: [
        'system:bootstrappers',
        'system:bootstrappers:a',
        'system:bootstrappers:b',
        'system:authenticated',
      ],
    });
    const review = await server.send('POST /apis/authentication.k8s.io/v1/tokenreviews', {
      body: { spec: { token: TOKEN } },
    });
    assert.equal(review.json().status.authenticated, true);
  });

  test('opens nothing when it is wrong, expired, of other use, or in a group it may not have', async () => {
    const wrong: [Record<string, string>, string?][] = [
      [{}, 'abcdef.0123456789abcdee'],
      [{}, 'abcdeg.0123456789abcdef'],
      [{}, 'abcdef.0123456789abcde'],
      [{ expiration: '2026-01-01T00:00:00Z' }],
      [{ expiration: 'soon' }],
      [{ 'usage-bootstrap-authentication': 'false' }],
      [{ 'auth-extra-groups': 'system:masters' }],
      [{ 'token-id': 'abcdeg' }],
    ];
    for (const [values, shown = TOKEN] of wrong) {
      const { server } = await started({ disabledControllers: ['token-cleaner'] });
      await using _ = server;
      await token(server, values);
      assert.equal((await who(server, shown)).status, 401, JSON.stringify(values));
    }
  });

  test('is deleted the moment it expires, and opens nothing from then on', async () => {
    const { server, clock } = await started();
    await using _ = server;
    await token(server, { expiration: '2026-01-01T01:00:00Z' });
    await server.api.settled();

    clock.advance(3_599_999);
    await server.api.settled();
    assert.equal((await who(server, TOKEN)).status, 201);
    clock.advance(1);
    await server.api.settled();

    assert.equal((await who(server, TOKEN)).status, 401);
    assert.equal((await server.send(`GET ${SECRETS}/bootstrap-token-abcdef`)).status, 404);
  });

  test('signs the address of the cluster for as long as it may', async () => {
    const { server } = await started();
    await using _ = server;
    await server.send(`POST ${MAPS}`, {
      body: {
        metadata: { name: 'cluster-info' },
        data: { kubeconfig: 'where we are', 'jws-kubeconfig-zzzzzz': 'stale' },
      },
    });
    await token(server, {});
    await server.api.settled();

    const { data } = (await server.send(`GET ${MAPS}/cluster-info`)).json();
    const header = Buffer.from('{"alg":"HS256","kid":"abcdef"}').toString('base64url');
    const content = Buffer.from('where we are').toString('base64url');
    const signature = createHmac('sha256', '0123456789abcdef')
      .update(`${header}.${content}`)
      .digest('base64url');
    assert.deepEqual(data, {
      kubeconfig: 'where we are',
      'jws-kubeconfig-abcdef': `${header}..${signature}`,
    });

    await server.send(`DELETE ${SECRETS}/bootstrap-token-abcdef`);
    await server.api.settled();
    const after = (await server.send(`GET ${MAPS}/cluster-info`)).json();
    assert.deepEqual(after.data, { kubeconfig: 'where we are' });
  });
});

async function started(options: { disabledControllers?: string[] } = {}) {
  const clock = new ManualClock('2026-01-01T00:00:00Z');
  const { identity } = realIdentity(clock);
  return { server: await startInMemory({ clock, identity, ...options }), clock };
}

function who(server: TestServer, shown: string) {
  return server.send(`POST ${WHO}`, { body: {}, as: shown });
}

async function token(server: TestServer, values: Record<string, string>): Promise<void> {
  const answer = await server.send(`POST ${SECRETS}`, {
    body: {
      metadata: { name: 'bootstrap-token-abcdef' },
      type: 'bootstrap.kubernetes.io/token',
      stringData: { ...VALUES, ...values },
    },
  });
  assert.equal(answer.status, 201, answer.text());
}
