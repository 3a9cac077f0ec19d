import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startServer } from '@flotilla/testkit';
import { PROXY_CONFIGURATION_ANNOTATION } from '../cluster-secret/names.ts';
import { accessTo, GATEWAYS, type GatewayHub, startHub } from './testing/gateway-hub.ts';
import { type RecordingMember, recordingMember } from './testing/recording-member.ts';

const WEST = `${GATEWAYS}/west/proxy`;

describe('as whom the gateway asks', () => {
  test("REG-78 it asks as the cluster's credential unless it is told otherwise", async () => {
    await using hub = await startHub();
    await using west = await recordingMember();
    await hub.join('west', west.access());

    assert.deepEqual(await seenAs(hub, west, '/api'), {});
    assert.deepEqual(await seenAs(hub, west, '/api?impersonate=true'), {
      'impersonate-user': 'admin',
      'impersonate-group': 'system:masters, system:authenticated',
    });
    assert.deepEqual(await seenAs(hub, west, '/api?impersonate=false'), {});
  });

  test('REG-78 it passes on who the caller acts as, not the headers it said it with', async () => {
    await using hub = await startHub({ passesIdentityOn: true });
    await using west = await recordingMember();
    await hub.join('west', west.access());
    await allowAll(hub, 'alice');
    const alice = hub.as('alice', ['devs']);

    await alice.transport.send({ method: 'GET', path: `${WEST}/api` });
    assert.deepEqual(impersonation(west), {
      'impersonate-user': 'alice',
      'impersonate-group': 'devs, system:authenticated',
    });
  });

  test('REG-78 a real member sees the caller, and lets it do what the caller may', async () => {
    await using hub = await startHub({ passesIdentityOn: true });
    await using west = await startServer();
    await hub.join('west', await accessTo(west));
    await allowAll(hub, 'alice');
    const alice = hub.as('alice');

    const path = `${WEST}/api/v1/namespaces`;
    await assert.rejects(alice.raw({ path }), {
      code: 403,
      message: /User "alice" cannot list resource "namespaces"/,
    });
    const who = (await alice.raw({
      method: 'POST',
      path: `${WEST}/apis/authentication.k8s.io/v1/selfsubjectreviews`,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    })) as { status: { userInfo: { username: string } } };
    assert.equal(who.status.userInfo.username, 'alice');
  });

  test("REG-78 a cluster's own rules come first, then those for all clusters, then the caller", async () => {
    await using hub = await startHub({
      passesIdentityOn: true,
      proxyConfiguration: configuration(`
      - name: everyone-else
        type: StaticMappingIdentityExchanger
        source: { userPattern: '^(alice|bob)$' }
        target: { user: guest, groups: [guests], uid: '7' }`),
    });
    await using west = await recordingMember();
    await hub.join('west', west.access(), {
      annotations: {
        [PROXY_CONFIGURATION_ANNOTATION]: configuration(`
      - name: elsewhere
        type: PrivilegedIdentityExchanger
        source: { user: bob, cluster: east }
      - name: masters
        type: PrivilegedIdentityExchanger
        source: { group: system:masters }`),
      },
    });
    for (const user of ['alice', 'bob', 'carol']) await allowAll(hub, user);
    const as = async (user: string) => {
      await hub.as(user).transport.send({ method: 'GET', path: `${WEST}/api` });
      return impersonation(west);
    };

    assert.deepEqual(await seenAs(hub, west, '/api'), {});
    assert.deepEqual(await as('alice'), {
      'impersonate-user': 'guest',
      'impersonate-uid': '7',
      'impersonate-group': 'guests',
    });
    assert.deepEqual(await as('carol'), {
      'impersonate-user': 'carol',
      'impersonate-group': 'system:authenticated',
    });
    // Rules of an annotation are about its own cluster, whatever they say.
    assert.deepEqual(await as('bob'), {});
  });

  test('REG-78 it sends nothing when the rules cannot be read or followed', async () => {
    await using hub = await startHub();
    await using west = await recordingMember();
    const ask = () =>
      hub.client.transport.send({ method: 'GET', path: `${WEST}/api?impersonate=true` });
    for (const rules of [
      "\n      - { type: PrivilegedIdentityExchanger, source: { userPattern: '(' } }",
      '\n      - { type: ExternalIdentityExchanger, source: { user: admin }, url: "http://x" }',
      '\n      - { type: Surprise, source: { user: admin } }',
      '\n      - { type: StaticMappingIdentityExchanger, source: { user: admin } }',
      '\n      - { type: StaticMappingIdentityExchanger, source: { user: admin }, target: { groups: [a] } }',
      ' 7',
    ]) {
      await hub.join('west', west.access(), {
        annotations: { [PROXY_CONFIGURATION_ANNOTATION]: configuration(rules) },
      });
      const { status, body } = await ask();
      assert.equal(status, 500, rules);
      assert.match(body.toString(), /Cannot tell as whom to send the request/, rules);
    }
    assert.deepEqual(west.seen, []);
    await assert.rejects(startHub({ proxyConfiguration: 'spec: 7' }), {
      name: 'ProxyConfigurationError',
    });
  });
});

function configuration(rules: string): string {
  return `apiVersion: cluster.core.oam.dev/v1alpha1
kind: ClusterGatewayProxyConfiguration
spec:
  clientIdentityExchanger:
    rules:${rules}
`;
}

async function seenAs(hub: GatewayHub, west: RecordingMember, path: string) {
  await hub.client.transport.send({ method: 'GET', path: `${WEST}${path}` });
  return impersonation(west);
}

function impersonation(west: RecordingMember): Record<string, unknown> {
  const { headers = {} } = west.seen.at(-1) ?? {};
  assert.equal(headers['authorization'], 'Bearer the-clusters-own');
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('impersonate-')),
  );
}

async function allowAll(hub: GatewayHub, user: string): Promise<void> {
  await hub.client.raw({
    method: 'POST',
    path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    body: {
      metadata: { name: `all-${user}` },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'cluster-admin',
      },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    },
  });
}
