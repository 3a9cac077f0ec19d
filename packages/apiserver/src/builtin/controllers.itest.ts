import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../authn/manual-clock.ts';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const MERGE = { 'content-type': 'application/merge-patch+json' };

describe('every namespace', () => {
  test('gets its default account and the CAs of the server, and gets them back', async () => {
    await using server = await startInMemory();
    await namespace(server, 'team');
    await server.api.settled();
    assert.deepEqual(await contents(server, 'team'), [200, 200]);

    await server.send('DELETE /api/v1/namespaces/team/serviceaccounts/default');
    await server.send('PATCH /api/v1/namespaces/team/configmaps/kube-root-ca.crt', {
      body: { data: { 'ca.crt': 'forged' }, metadata: { labels: { mine: 'yes' } } },
      headers: MERGE,
    });
    await server.api.settled();

    assert.deepEqual(await contents(server, 'team'), [200, 200]);
    const bundle = (
      await server.send('GET /api/v1/namespaces/team/configmaps/kube-root-ca.crt')
    ).json();
    assert.equal(bundle.data['ca.crt'], 'the CA');
    assert.deepEqual(bundle.metadata.labels, { mine: 'yes' }, 'what is not ours stays');
  });

  test('gets nothing from a controller that is disabled', async () => {
    await using server = await startInMemory({ disabledControllers: ['serviceaccount'] });
    await namespace(server, 'team');
    await server.api.settled();

    assert.deepEqual(await contents(server, 'team'), [404, 200]);
  });

  test('is left to a kube-controller-manager while one leads, and taken over when its lease ends', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    await using server = await startInMemory({ clock });
    const lease = await server.send(`POST ${LEASES}`, {
      body: {
        metadata: { name: 'kube-controller-manager' },
        spec: {
          holderIdentity: 'node-1_1',
          leaseDurationSeconds: 15,
          renewTime: '2026-01-01T00:00:00.000000Z',
        },
      },
    });
    assert.equal(lease.status, 201, lease.text());

    await namespace(server, 'team');
    await server.api.settled();
    assert.deepEqual(await contents(server, 'team'), [404, 404]);
    clock.advance(14_999);
    await server.api.settled();
    assert.deepEqual(await contents(server, 'team'), [404, 404]);

    clock.advance(1);
    await server.api.settled();
    assert.deepEqual(await contents(server, 'team'), [200, 200]);
  });
});

describe('an aggregated role', () => {
  test('follows the labels and rules of what it selects, each rule once, never its own', async () => {
    await using server = await startInMemory();
    const boats = { apiGroups: ['example.com'], resources: ['boats'], verbs: ['get'] };
    const crews = { apiGroups: ['example.com'], resources: ['crews'], verbs: ['get'] };
    await role(server, 'all', {
      metadata: { labels: { fleet: 'yes' } },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { fleet: 'yes' } }] },
    });
    await role(server, 'b', { metadata: { labels: { fleet: 'yes' } }, rules: [boats, crews] });
    await role(server, 'a', { metadata: { labels: { fleet: 'yes' } }, rules: [boats] });
    await role(server, 'c', { rules: [{ ...boats, verbs: ['delete'] }] });
    await server.api.settled();
    assert.deepEqual(await rules(server, 'all'), [boats, crews]);

    await server.send(`PATCH ${RBAC}/b`, {
      body: { metadata: { labels: { fleet: null } } },
      headers: MERGE,
    });
    await server.api.settled();
    assert.deepEqual(await rules(server, 'all'), [boats]);

    await server.send(`DELETE ${RBAC}/a`);
    await server.api.settled();
    assert.deepEqual((await rules(server, 'all')) ?? [], []);
  });

  test('is put right again when someone writes its rules', async () => {
    await using server = await startInMemory();
    const before = await rules(server, 'view');

    await server.send(`PATCH ${RBAC}/view`, { body: { rules: [] }, headers: MERGE });
    await server.api.settled();

    assert.deepEqual(await rules(server, 'view'), before);
  });

  test('stays as it is when its controller is disabled', async () => {
    await using server = await startInMemory({ disabledControllers: ['clusterrole-aggregation'] });
    await server.send(`PATCH ${RBAC}/view`, { body: { rules: [] }, headers: MERGE });
    await server.api.settled();

    assert.deepEqual((await rules(server, 'view')) ?? [], []);
  });
});

async function namespace(server: TestServer, name: string): Promise<void> {
  const created = await server.send('POST /api/v1/namespaces', { body: { metadata: { name } } });
  assert.equal(created.status, 201);
}

async function contents(server: TestServer, name: string): Promise<number[]> {
  const paths = ['serviceaccounts/default', 'configmaps/kube-root-ca.crt'];
  const answers = paths.map((path) => server.send(`GET /api/v1/namespaces/${name}/${path}`));
  return (await Promise.all(answers)).map(({ status }) => status);
}

async function role(
  server: TestServer,
  name: string,
  { metadata = {}, ...rest }: { metadata?: object; [field: string]: unknown },
): Promise<void> {
  const created = await server.send(`POST ${RBAC}`, {
    body: { metadata: { name, ...metadata }, ...rest },
  });
  assert.equal(created.status, 201, created.text());
}

async function rules(server: TestServer, name: string): Promise<object[] | undefined> {
  return (await server.send(`GET ${RBAC}/${name}`)).json().rules;
}
