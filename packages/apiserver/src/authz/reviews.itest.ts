import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ROOT_TENANT } from '../storage/store.ts';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const AUTHZ = '/apis/authorization.k8s.io/v1';

describe('a SelfSubjectRulesReview', () => {
  test('lists what the asker may do in a namespace, by whatever binding', async () => {
    await using server = await startInMemory();
    await grant(server, 'pods', { apiGroups: [''], resources: ['pods'], verbs: ['get'] });
    await grant(server, 'one', {
      apiGroups: [''],
      resources: ['secrets'],
      resourceNames: ['mine'],
      verbs: ['get'],
    });

    const rules = await rulesOf(server, 'default');

    const own = rules.resourceRules
      .filter(({ resources }: Rule) => ['pods', 'secrets'].includes(resources[0] ?? ''))
      .sort((a: Rule, b: Rule) => (a.resources[0] ?? '').localeCompare(b.resources[0] ?? ''));
    assert.deepEqual(own, [
      { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
      { verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['mine'] },
    ]);
    assert.ok(
      rules.nonResourceRules.some(({ nonResourceURLs }: { nonResourceURLs: string[] }) =>
        nonResourceURLs.includes('/version'),
      ),
      'the default policy lets everyone who is known read /version',
    );
    assert.equal(rules.incomplete, false);
    assert.equal(rules.evaluationError, undefined);
    const elsewhere = await rulesOf(server, 'kube-system');
    assert.ok(
      !elsewhere.resourceRules.some(({ resources }: { resources: string[] }) =>
        resources.includes('pods'),
      ),
    );
  });

  test('tells of bindings whose role nobody has defined', async () => {
    await using server = await startInMemory();
    await bind(server, 'ghost');

    const rules = await rulesOf(server, 'default');

    assert.match(rules.evaluationError, /role\.rbac\.authorization\.k8s\.io "ghost" not found/);
  });

  test('must name a namespace', async () => {
    await using server = await startInMemory();

    const refused = await server.send(`POST ${AUTHZ}/selfsubjectrulesreviews`, {
      body: { spec: {} },
      as: 'ann',
    });

    assert.equal(refused.status, 400);
    assert.equal(refused.json().message, 'no namespace on request');
  });
});

describe('an access review', () => {
  test('answers for the asker, and for others only to those who may ask', async () => {
    await using server = await startInMemory();
    await grant(server, 'pods', { apiGroups: [''], resources: ['pods'], verbs: ['get'] });
    const resourceAttributes = { namespace: 'default', verb: 'get', resource: 'pods' };

    const self = await server.send(`POST ${AUTHZ}/selfsubjectaccessreviews`, {
      body: { spec: { resourceAttributes } },
      as: 'ann',
    });
    assert.equal(self.json().status.allowed, true);
    const other = await server.send(`POST ${AUTHZ}/subjectaccessreviews`, {
      body: { spec: { user: 'bob', resourceAttributes } },
      as: 'ann',
    });
    assert.equal(other.status, 403);
    const admin = await server.send(`POST ${AUTHZ}/subjectaccessreviews`, {
      body: { spec: { user: 'bob', resourceAttributes } },
    });
    assert.deepEqual(admin.json().status, { allowed: false });
  });

  test('asks about a resource or a path, one of the two', async () => {
    await using server = await startInMemory();

    const neither = await server.send(`POST ${AUTHZ}/subjectaccessreviews`, {
      body: { spec: { user: 'bob' } },
    });
    assert.equal(neither.status, 422);
    const path = await server.send(`POST ${AUTHZ}/subjectaccessreviews`, {
      body: {
        spec: {
          user: 'bob',
          groups: ['system:authenticated'],
          nonResourceAttributes: { path: '/version', verb: 'get' },
        },
      },
    });
    assert.equal(path.json().status.allowed, true);
  });

  test('of one namespace does not speak of another', async () => {
    await using server = await startInMemory();

    const refused = await server.send(
      `POST ${AUTHZ}/namespaces/default/localsubjectaccessreviews`,
      {
        body: {
          metadata: { namespace: 'default' },
          spec: {
            user: 'bob',
            resourceAttributes: { namespace: 'kube-system', verb: 'get', resource: 'pods' },
          },
        },
      },
    );

    assert.ok(refused.status >= 400 && refused.status < 500, String(refused.status));
  });

  test('is never stored', async () => {
    await using server = await startInMemory();
    const before = server.store.revision(ROOT_TENANT);

    await server.send(`POST ${AUTHZ}/selfsubjectaccessreviews`, {
      body: { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } },
    });

    assert.equal(server.store.revision(ROOT_TENANT), before);
  });
});

interface Rule {
  readonly resources: string[];
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of the server
async function rulesOf(server: TestServer, namespace: string): Promise<any> {
  const review = await server.send(`POST ${AUTHZ}/selfsubjectrulesreviews`, {
    body: { spec: { namespace } },
    as: 'ann',
  });
  assert.equal(review.status, 201);
  return review.json().status;
}

async function grant(server: TestServer, name: string, rule: object): Promise<void> {
  const created = await server.send(`POST ${RBAC}/namespaces/default/roles`, {
    body: { metadata: { name }, rules: [rule] },
  });
  assert.equal(created.status, 201);
  await bind(server, name);
}

async function bind(server: TestServer, role: string): Promise<void> {
  const created = await server.send(`POST ${RBAC}/namespaces/default/rolebindings`, {
    body: {
      metadata: { name: role },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
    },
  });
  assert.equal(created.status, 201);
}
