import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

describe('RBAC', () => {
  test('refuses what no binding allows, in the words kubectl users know', async () => {
    await using server = await startInMemory();

    const refused = await server.send('GET /api/v1/namespaces/default/pods', { as: 'ann' });

    assert.equal(refused.status, 403);
    assert.equal(
      refused.json().message,
      'pods is forbidden: User "ann" cannot list resource "pods" in API group "" in the namespace "default"',
    );
  });

  test('allows what a RoleBinding grants in its namespace, and nowhere else', async () => {
    await using server = await startInMemory();
    await bind(server, { user: 'ann', clusterRole: 'view', namespace: 'default' });

    assert.equal(
      (await server.send('GET /api/v1/namespaces/default/pods', { as: 'ann' })).status,
      200,
    );
    assert.equal(
      (await server.send('GET /api/v1/namespaces/kube-system/pods', { as: 'ann' })).status,
      403,
    );
    assert.equal((await server.send('GET /api/v1/pods', { as: 'ann' })).status, 403);
  });

  test('lets no field selector lead a list, watch or delete into another namespace', async () => {
    await using server = await startInMemory();
    const secrets = (namespace: string) => `/api/v1/namespaces/${namespace}/secrets`;
    for (const name of ['a', 'b']) {
      const metadata = { name };
      await server.send(`POST ${secrets('kube-system')}`, { body: { metadata } });
    }
    await bind(server, { user: 'ann', clusterRole: 'admin', namespace: 'default' });
    const elsewhere = `${secrets('default')}?fieldSelector=metadata.namespace%3Dkube-system`;

    const listed = await server.send(`GET ${elsewhere}`, { as: 'ann' });
    const watched = await server.send(`GET ${elsewhere}&watch=true`, {
      as: 'ann',
    });
    const one = await server.send(`GET ${elsewhere},metadata.name%3Da&watch=true`, { as: 'ann' });
    server.api.endWatches();
    const deleted = await server.send(`DELETE ${elsewhere}`, { as: 'ann' });

    assert.deepEqual(listed.json().items, []);
    assert.equal((await watched.whole()).toString(), '');
    assert.equal((await one.whole()).toString(), '');
    assert.deepEqual(deleted.json().items, []);
    const left = (await server.send(`GET ${secrets('kube-system')}?limit=5`)).json();
    assert.equal(left.items.length, 2);
    const all = await server.send(
      'GET /api/v1/secrets?fieldSelector=metadata.namespace%3Dkube-system',
    );
    assert.equal(all.json().items.length, 2);
  });

  test('asks for the right to create when an update would', async () => {
    await using server = await startInMemory();
    const rules = [
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['update'] },
    ];
    await role(server, 'renewer', rules);
    await bind(server, { user: 'ann', role: 'renewer', namespace: 'default' });
    const lease = 'PUT /apis/coordination.k8s.io/v1/namespaces/default/leases/a';
    const body = { metadata: { name: 'a' } };

    const refused = await server.send(lease, { as: 'ann', body });
    assert.equal(refused.status, 403);
    assert.equal(
      refused.json().message,
      'leases.coordination.k8s.io "a" is forbidden: User "ann" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "default"',
    );
    const created = await server.send(lease, { body });
    assert.equal(created.status, 201);
    assert.equal((await server.send(lease, { as: 'ann', body: created.json() })).status, 200);
  });

  test('forgets a grant as soon as its binding is deleted', async () => {
    await using server = await startInMemory();
    await bind(server, { user: 'ann', clusterRole: 'view', namespace: 'default' });

    await server.send(`DELETE ${RBAC}/namespaces/default/rolebindings/ann`);

    assert.equal(
      (await server.send('GET /api/v1/namespaces/default/pods', { as: 'ann' })).status,
      403,
    );
  });

  test('CP-62 lets people bind only roles they hold, and fills aggregated roles from labelled ones', async () => {
    await using server = await startInMemory();
    await bind(server, { user: 'ann', clusterRole: 'edit', namespace: 'default' });
    await role(server, 'binder', [
      { apiGroups: ['rbac.authorization.k8s.io'], resources: ['rolebindings'], verbs: ['create'] },
    ]);
    await bind(server, { user: 'ann', role: 'binder', namespace: 'default', name: 'ann-binder' });

    const refused = await server.send(`POST ${RBAC}/namespaces/default/rolebindings`, {
      as: 'ann',
      body: binding({ user: 'bob', clusterRole: 'admin', name: 'bob' }),
    });
    assert.equal(refused.status, 403);
    assert.match(
      refused.json().message,
      /^rolebindings\.rbac\.authorization\.k8s\.io "bob" is forbidden: user "ann" \(groups=\["system:authenticated"\]\) is attempting to grant RBAC permissions not currently held:\n\{APIGroups:/,
    );
    const allowed = await server.send(`POST ${RBAC}/namespaces/default/rolebindings`, {
      as: 'ann',
      body: binding({ user: 'bob', clusterRole: 'view', name: 'bob' }),
    });
    assert.equal(allowed.status, 201);

    await server.send(`POST ${RBAC}/clusterroles`, {
      body: {
        metadata: {
          name: 'boats',
          labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' },
        },
        rules: [{ apiGroups: ['example.com'], resources: ['boats'], verbs: ['get'] }],
      },
    });
    await server.api.settled();
    const view = (await server.send(`GET ${RBAC}/clusterroles/view`)).json();
    assert.ok(
      view.rules.some(({ resources }: { resources?: string[] }) => resources?.includes('boats')),
    );
  });

  test('refuses a role with rights its writer does not have, unless they may escalate', async () => {
    await using server = await startInMemory();
    await role(server, 'role-writer', [
      { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['create'] },
    ]);
    await bind(server, { user: 'ann', role: 'role-writer', namespace: 'default' });
    const wanted = {
      metadata: { name: 'secrets' },
      rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] }],
    };

    const refused = await server.send(`POST ${RBAC}/namespaces/default/roles`, {
      as: 'ann',
      body: wanted,
    });
    assert.equal(refused.status, 403);
    assert.match(
      refused.json().message,
      /not currently held:\n\{APIGroups:\[""\], Resources:\["secrets"\], Verbs:\["get" "list"\]\}$/,
    );

    await role(server, 'escalator', [
      { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['escalate'] },
    ]);
    await bind(server, { user: 'ann', role: 'escalator', namespace: 'default', name: 'escalator' });
    const allowed = await server.send(`POST ${RBAC}/namespaces/default/roles`, {
      as: 'ann',
      body: wanted,
    });
    assert.equal(allowed.status, 201);
  });

  test('judges a role that is not valid, or too large to judge, without falling over', async () => {
    await using server = await startInMemory();
    await bind(server, { user: 'ann', clusterRole: 'admin', namespace: 'default' });
    const post = (rule: object) =>
      server.send(`POST ${RBAC}/namespaces/default/roles`, {
        as: 'ann',
        body: { metadata: { name: 'r' }, rules: [rule] },
      });
    const many = Array.from({ length: 5_000 }, (_, index) => `x${index}`);

    assert.equal((await post({ apiGroups: [''], resources: ['pods'] })).status, 422);
    const huge = await post({ apiGroups: many, resources: many, verbs: many });
    assert.equal(huge.status, 400);
  });

  test('answers reviews with the binding that decided', async () => {
    await using server = await startInMemory();
    await bind(server, { user: 'ann', clusterRole: 'view', namespace: 'default' });

    const review = await server.send('POST /apis/authorization.k8s.io/v1/subjectaccessreviews', {
      body: {
        spec: {
          user: 'ann',
          resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods' },
        },
      },
    });

    assert.equal(review.status, 201);
    assert.deepEqual(review.json().status, {
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "ann/default" of ClusterRole "view" to User "ann"',
    });
  });
});

interface Wanted {
  readonly user: string;
  readonly clusterRole?: string;
  readonly role?: string;
  readonly name?: string;
}

function binding({ user, clusterRole, role: roleName, name = user }: Wanted): object {
  return {
    metadata: { name },
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: clusterRole === undefined ? 'Role' : 'ClusterRole',
      name: clusterRole ?? roleName,
    },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  };
}

async function bind(server: TestServer, wanted: Wanted & { namespace: string }): Promise<void> {
  const created = await server.send(`POST ${RBAC}/namespaces/${wanted.namespace}/rolebindings`, {
    body: binding(wanted),
  });
  assert.equal(created.status, 201);
}

async function role(server: TestServer, name: string, rules: object[]): Promise<void> {
  const created = await server.send(`POST ${RBAC}/namespaces/default/roles`, {
    body: { metadata: { name }, rules },
  });
  assert.equal(created.status, 201);
}
