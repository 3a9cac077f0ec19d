import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startInMemory, type TestServer } from '../../testing/start-in-memory.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const RULE = {
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['*'],
  resources: ['configmaps'],
};
const GROUP = '/apis/admissionregistration.k8s.io/v1';

describe('a ValidatingAdmissionPolicy', () => {
  test('CP-61 denies with its message, in a dry run too, and lets pass what it allows', async () => {
    await using server = await startInMemory();
    await bindPolicy(server, {
      validations: [
        { expression: 'has(object.data) && object.data.size() < 2', message: 'too much' },
      ],
    });

    const denied = await create(server, { data: { a: '1', b: '2' } });
    const dry = await create(server, { data: { a: '1', b: '2' } }, '?dryRun=All');
    const allowed = await create(server, { data: { a: '1' } });

    const message = `configmaps "a" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: too much`;
    assert.equal(denied.status, 422);
    assert.equal(denied.body.message, message);
    assert.equal(denied.body.reason, 'Invalid');
    assert.equal(dry.body.message, message);
    assert.equal(allowed.status, 201);
  });

  test('without a binding does nothing', async () => {
    await using server = await startInMemory();
    await bindPolicy(server, { validations: [{ expression: 'false' }] }, null);

    assert.equal((await create(server, {})).status, 201);
  });

  test('computes its message from variables, each evaluated once it is needed', async () => {
    await using server = await startInMemory();
    await bindPolicy(server, {
      variables: [
        { name: 'count', expression: 'has(object.data) ? object.data.size() : 0' },
        { name: 'twice', expression: 'variables.count * 2' },
        { name: 'broken', expression: 'object.none.such' },
      ],
      validations: [
        {
          expression: 'variables.twice <= 2',
          messageExpression: "'twice is ' + string(variables.twice)",
          reason: 'Forbidden',
        },
      ],
    });

    const denied = await create(server, { data: { a: '1', b: '2' } });

    assert.equal(denied.status, 403);
    assert.match(denied.body.message, /denied request: twice is 4$/);
  });

  test('warns instead of denying where the binding says so', async () => {
    await using server = await startInMemory();
    await bindPolicy(
      server,
      { validations: [{ expression: "object.metadata.name != 'a'" }] },
      { validationActions: ['Warn', 'Audit'] },
    );

    const { status, headers } = await create(server, {});

    assert.equal(status, 201);
    assert.deepEqual(headers['warning'], [
      `299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': failed expression: object.metadata.name != 'a'"`,
    ]);
  });

  test('takes parameters by name or by labels, and says what happens without', async () => {
    await using server = await startInMemory();
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const validations = [
      { expression: '!has(object.data) || object.data.size() <= int(params.data.max)' },
    ];
    await bindPolicy(
      server,
      {
        paramKind,
        validations,
        matchConstraints: {
          resourceRules: [RULE],
          excludeResourceRules: [{ ...RULE, resourceNames: ['limits'] }],
        },
      },
      { paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' } },
    );

    const missing = await create(server, { data: { a: '1', b: '2' } });
    await server.send(`POST ${MAPS}`, { body: map('limits', { data: { max: '1' } }) });
    const denied = await create(server, { data: { a: '1', b: '2' } });
    const allowed = await create(server, { data: { a: '1' } });

    assert.match(
      missing.body.message,
      /denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction$/,
    );
    assert.match(denied.body.message, /failed expression/);
    assert.equal(allowed.status, 201);
  });

  test('that cannot be evaluated denies or not, as its failure policy says', async () => {
    await using server = await startInMemory();
    await bindPolicy(server, { validations: [{ expression: "object.data.none == 'x'" }] });
    await bindPolicy(
      server,
      { failurePolicy: 'Ignore', validations: [{ expression: "object.data.other == 'x'" }] },
      {},
      'q',
    );

    const denied = await create(server, { data: {} });

    assert.match(
      denied.body.message,
      /denied request: expression 'object\.data\.none == 'x'' resulted in error: no such key: data$/,
    );
  });
});

async function bindPolicy(
  server: TestServer,
  spec: object,
  binding: object | null = {},
  name = 'p',
): Promise<void> {
  const policy = await server.send(`POST ${GROUP}/validatingadmissionpolicies`, {
    body: {
      kind: 'ValidatingAdmissionPolicy',
      apiVersion: 'admissionregistration.k8s.io/v1',
      metadata: { name },
      spec: {
        matchConstraints: {
          resourceRules: [RULE],
        },
        ...spec,
      },
    },
  });
  assert.equal(policy.status, 201, policy.text());
  if (binding === null) return;
  const bound = await server.send(`POST ${GROUP}/validatingadmissionpolicybindings`, {
    body: {
      kind: 'ValidatingAdmissionPolicyBinding',
      apiVersion: 'admissionregistration.k8s.io/v1',
      metadata: { name: name === 'p' ? 'b' : `b-${name}` },
      spec: { policyName: name, validationActions: ['Deny'], ...binding },
    },
  });
  assert.equal(bound.status, 201, bound.text());
}

const map = (name: string, more: object) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name },
  ...more,
});

async function create(server: TestServer, more: object, query = '') {
  const { status, headers, json } = await server.send(`POST ${MAPS}${query}`, {
    body: map('a', more),
  });
  return { status, headers, body: json() as { message: string; reason: string } };
}
