import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';

const GROUP = 'rbac.authorization.k8s.io';
const RBAC = `/apis/${GROUP}/v1`;
const MERGE = { 'content-type': 'application/merge-patch+json' };
const READ_PODS = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };

describe('who writes roles', () => {
  test('may give away less than they have, but nothing more', async () => {
    await using server = await startWithWriter([
      { apiGroups: [''], resources: ['pods', '*/status'], verbs: ['*'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['mine'], verbs: ['get'] },
      { nonResourceURLs: ['/logs/*'], verbs: ['get'] },
    ]);

    assert.equal(await write(server, [READ_PODS]), 201);
    assert.equal(await write(server, [{ ...READ_PODS, resources: ['nodes/status'] }]), 201);
    assert.equal(await write(server, [{ nonResourceURLs: ['/logs/a'], verbs: ['get'] }]), 201);
    const mine = {
      apiGroups: [''],
      resources: ['secrets'],
      resourceNames: ['mine'],
      verbs: ['get'],
    };
    assert.equal(await write(server, [mine]), 201);

    assert.equal(await write(server, [{ ...mine, resourceNames: [] }]), 403, 'all secrets');
    assert.equal(await write(server, [{ ...mine, resourceNames: ['yours'] }]), 403);
    assert.equal(await write(server, [{ ...READ_PODS, resources: ['*'] }]), 403);
    assert.equal(await write(server, [{ ...READ_PODS, apiGroups: ['*'] }]), 403);
    assert.equal(await write(server, [{ nonResourceURLs: ['*'], verbs: ['get'] }]), 403);
  });

  test('need everything to aggregate, because anything may come of it', async () => {
    await using server = await startWithWriter([READ_PODS]);

    const refused = await server.send(`POST ${RBAC}/clusterroles`, {
      as: 'ann',
      body: {
        metadata: { name: 'sum' },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
      },
    });

    assert.equal(refused.status, 403);
    assert.match(
      refused.json().message,
      /must have cluster-admin privileges to use the aggregationRule/,
    );
  });

  test('may change what is no permission in a role beyond theirs', async () => {
    await using server = await startWithWriter([READ_PODS]);

    const labelled = await server.send(`PATCH ${RBAC}/clusterroles/cluster-admin`, {
      as: 'ann',
      body: { metadata: { labels: { seen: 'yes' } } },
      headers: MERGE,
    });
    assert.equal(labelled.status, 200, labelled.text());
    const grown = await server.send(`PATCH ${RBAC}/clusterroles/view`, {
      as: 'ann',
      body: { rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }] },
      headers: MERGE,
    });
    assert.equal(grown.status, 403);
  });
});

describe('who writes bindings', () => {
  test('may bind what they hold or were allowed to bind, and nobody knows of a missing role', async () => {
    await using server = await startWithWriter([
      READ_PODS,
      { apiGroups: [GROUP], resources: ['clusterroles'], resourceNames: ['edit'], verbs: ['bind'] },
    ]);
    await server.send(`POST ${RBAC}/clusterroles`, {
      body: { metadata: { name: 'pods' }, rules: [READ_PODS] },
    });

    assert.equal(await bind(server, 'pods'), 201);
    assert.equal(await bind(server, 'edit'), 201);
    assert.equal(await bind(server, 'view'), 403);
    assert.equal(await bind(server, 'cluster-admin'), 403);
    assert.equal(await bind(server, 'none'), 404);
  });
});

/** Ann may write roles and bindings, and has these rights besides. */
async function startWithWriter(rules: object[]): Promise<TestServer> {
  const server = await startInMemory();
  const writing = {
    apiGroups: [GROUP],
    resources: ['clusterroles', 'clusterrolebindings'],
    verbs: ['create', 'update', 'patch', 'get'],
  };
  await server.send(`POST ${RBAC}/clusterroles`, {
    body: { metadata: { name: 'writer' }, rules: [writing, ...rules] },
  });
  const bound = await server.send(`POST ${RBAC}/clusterrolebindings`, {
    body: {
      metadata: { name: 'writer' },
      roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'writer' },
      subjects: [{ apiGroup: GROUP, kind: 'User', name: 'ann' }],
    },
  });
  assert.equal(bound.status, 201, bound.text());
  return server;
}

async function write(server: TestServer, rules: object[]): Promise<number> {
  const body = { metadata: { generateName: 'r-' }, rules };
  return (await server.send(`POST ${RBAC}/clusterroles`, { as: 'ann', body })).status;
}

async function bind(server: TestServer, role: string): Promise<number> {
  const created = await server.send(`POST ${RBAC}/clusterrolebindings`, {
    as: 'ann',
    body: {
      metadata: { generateName: 'b-' },
      roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup: GROUP, kind: 'User', name: 'bob' }],
    },
  });
  return created.status;
}
