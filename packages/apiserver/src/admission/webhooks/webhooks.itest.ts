import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startInMemory } from '../../testing/start-in-memory.ts';
import { patchOf, startWebhook } from '../../testing/start-webhook.ts';
import {
  autoscaler,
  configMap,
  configure,
  createConfigMap,
  deployment,
  json,
  pod,
} from './webhooks.cases.ts';

describe('a mutating webhook', () => {
  test('changes the object before it is validated, and its warnings reach the client', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    webhook.on('/', () => ({
      allowed: true,
      warnings: ['be careful'],
      ...patchOf([{ op: 'add', path: '/metadata/labels', value: { touched: 'yes' } }]),
    }));
    await configure(server, webhook, { kind: 'Mutating' });

    const { status, body, headers } = await createConfigMap(server, 'a');

    assert.equal(status, 201);
    assert.deepEqual(body.metadata.labels, { touched: 'yes' });
    assert.deepEqual(headers['warning'], ['299 - "be careful"']);
  });

  test('is told everything about the request', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    await configure(server, webhook, { kind: 'Mutating', operations: ['*'] });

    await server.send(
      'POST /api/v1/namespaces/default/configmaps?fieldManager=me&fieldValidation=Strict',
      { body: configMap('a') },
    );
    const call = webhook.received.find(({ review }) => review.request['name'] === 'a');
    const { uid, object, ...request } = call?.review.request ?? { uid: '', object: {} };

    assert.match(uid, /^[0-9a-f-]{36}$/);
    assert.equal((object as { kind: string }).kind, 'ConfigMap');
    assert.equal(call?.path, '/?timeout=10s');
    assert.equal(call?.headers['content-type'], 'application/json');
    assert.deepEqual(request, {
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
      requestResource: { group: '', version: 'v1', resource: 'configmaps' },
      name: 'a',
      namespace: 'default',
      operation: 'CREATE',
      userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
      oldObject: null,
      dryRun: false,
      options: {
        kind: 'CreateOptions',
        apiVersion: 'meta.k8s.io/v1',
        fieldManager: 'me',
        fieldValidation: 'Strict',
      },
    });
  });

  test('of a later configuration sees what an earlier one did; IfNeeded is asked again', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    const label = (name: string) => (call: { review: { request: Record<string, unknown> } }) => {
      const { metadata } = call.review.request['object'] as { metadata: { labels?: object } };
      const path = metadata.labels === undefined ? '/metadata/labels' : `/metadata/labels/${name}`;
      const value = metadata.labels === undefined ? { [name]: 'yes' } : 'yes';
      return { allowed: true, ...patchOf([{ op: 'add', path, value }]) };
    };
    webhook.on('/first', label('first'));
    webhook.on('/second', label('second'));
    const options = { kind: 'Mutating' } as const;
    await configure(server, webhook, { ...options, name: 'b', path: '/second' });
    await configure(server, webhook, {
      ...options,
      name: 'a',
      path: '/first',
      hook: { reinvocationPolicy: 'IfNeeded' },
    });

    const { body } = await createConfigMap(server, 'x');

    assert.deepEqual(body.metadata.labels, { first: 'yes', second: 'yes' });
    assert.deepEqual(
      webhook.received.map(({ path }) => path.split('?')[0]),
      ['/first', '/second', '/first'],
    );
  });

  test('cannot patch what is deleted', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    webhook.on('/', () => ({ allowed: true, ...patchOf([{ op: 'remove', path: '/x' }]) }));
    await createConfigMap(server, 'a');
    await configure(server, webhook, { kind: 'Mutating', operations: ['DELETE'] });

    const { status, body } = await server.send('DELETE /api/v1/namespaces/default/configmaps/a');

    assert.equal(status, 500);
    assert.equal(
      json(body).message,
      'Internal error occurred: admission webhook "hook.example.com" attempted to modify the object, which is not supported for this operation',
    );
  });
});

describe('a validating webhook', () => {
  test('refuses in its own words, with the code it sends', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    webhook.on('/', () => ({
      allowed: false,
      status: { code: 418, reason: 'Teapot', message: 'no coffee' },
    }));
    await configure(server, webhook, { kind: 'Validating' });

    const refused = await createConfigMap(server, 'a');
    webhook.on('/', () => ({ allowed: false }));
    const bare = await createConfigMap(server, 'a');

    assert.equal(refused.status, 418);
    assert.equal(refused.body.reason, 'Teapot');
    assert.equal(
      refused.body.message,
      'admission webhook "hook.example.com" denied the request: no coffee',
    );
    assert.equal(bare.status, 400);
    assert.equal(
      bare.body.message,
      'admission webhook "hook.example.com" denied the request without explanation',
    );
  });

  test('sees updates, patches, deletes, each of a collection, status, scale and connections', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    const at = '/apis/apps/v1/namespaces/default/deployments';
    await server.send(`POST ${at}`, { body: deployment('d') });
    await server.send('POST /api/v1/namespaces/default/pods', { body: pod('p') });
    await configure(server, webhook, {
      kind: 'Validating',
      operations: ['*'],
      rule: { apiGroups: ['apps', ''], resources: ['deployments', 'deployments/*', 'pods/*'] },
    });
    const patch = { headers: { 'content-type': 'application/merge-patch+json' } };

    await server.send(`PATCH ${at}/d`, { ...patch, body: { metadata: { labels: { a: 'b' } } } });
    await server.send(`PATCH ${at}/d/status`, { ...patch, body: { status: { replicas: 1 } } });
    await server.send(`PATCH ${at}/d/scale`, { ...patch, body: { spec: { replicas: 3 } } });
    await server.send('POST /api/v1/namespaces/default/pods/p/exec?command=ls&stdout=true');
    await server.send('POST /api/v1/namespaces/default/pods/p/eviction', {
      body: { kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name: 'p' } },
    });
    await server.send(`DELETE ${at}?dryRun=All`);
    await server.send(`DELETE ${at}/d`);

    const seen = webhook.received.map(({ review: { request } }) => ({
      operation: request['operation'],
      subResource: request['subResource'],
      kind: (request['kind'] as { kind: string }).kind,
      object: (request['object'] as { kind?: string } | null)?.kind,
      old: (request['oldObject'] as { kind?: string } | null)?.kind,
      name: request['name'],
    }));
    const of = (
      operation: string,
      subResource: string | undefined,
      kind: string,
      object: string | undefined,
      old: string | undefined,
      name: string | undefined,
    ) => ({ operation, subResource, kind, object, old, name });
    assert.deepEqual(seen, [
      of('UPDATE', undefined, 'Deployment', 'Deployment', 'Deployment', 'd'),
      of('UPDATE', 'status', 'Deployment', 'Deployment', 'Deployment', 'd'),
      of('UPDATE', 'scale', 'Scale', 'Scale', 'Scale', 'd'),
      of('CONNECT', 'exec', 'PodExecOptions', 'PodExecOptions', undefined, 'p'),
      of('CREATE', 'eviction', 'Eviction', 'Eviction', undefined, 'p'),
      of('DELETE', undefined, 'Deployment', undefined, 'Deployment', undefined),
      of('DELETE', undefined, 'Deployment', undefined, 'Deployment', 'd'),
    ]);
  });

  test('is asked in the version it has rules for', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    const rule = { apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['*'] };
    await configure(server, webhook, { kind: 'Validating', rule });
    await configure(server, webhook, {
      kind: 'Validating',
      name: 'exact',
      path: '/exact',
      rule,
      hook: { matchPolicy: 'Exact' },
    });

    const { status } = await server.send(
      'POST /apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
      { body: autoscaler() },
    );

    assert.equal(status, 201);
    assert.equal(webhook.received.length, 1);
    const { request } = webhook.received[0]?.review ?? { request: {} as Record<string, unknown> };
    assert.deepEqual(request['kind'], {
      group: 'autoscaling',
      version: 'v1',
      kind: 'HorizontalPodAutoscaler',
    });
    assert.deepEqual((request['requestKind'] as { version: string }).version, 'v2');
    assert.equal((request['object'] as { apiVersion: string }).apiVersion, 'autoscaling/v1');
  });

  test('is chosen by the labels of the namespace and of the object', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    webhook.on('/', () => ({ allowed: false }));
    for (const [name, labels] of Object.entries({ in: { team: 'a' }, out: {} })) {
      const body = { kind: 'Namespace', apiVersion: 'v1', metadata: { name, labels } };
      await server.send('POST /api/v1/namespaces', { body });
    }
    await configure(server, webhook, {
      kind: 'Validating',
      hook: {
        namespaceSelector: { matchLabels: { team: 'a' } },
        objectSelector: { matchExpressions: [{ key: 'skip', operator: 'DoesNotExist' }] },
      },
    });
    const create = async (namespace: string, labels: Record<string, string>): Promise<number> => {
      const body = { ...configMap('x'), metadata: { name: 'x', labels } };
      const at = `/api/v1/namespaces/${namespace}/configmaps`;
      return (await server.send(`POST ${at}`, { body })).status;
    };

    assert.equal(await create('in', {}), 400);
    assert.equal(await create('in', { skip: 'yes' }), 201);
    assert.equal(await create('out', {}), 201);
  });

  test('is never asked about the configuration of admission', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    webhook.on('/', () => ({ allowed: false }));
    await configure(server, webhook, {
      kind: 'Validating',
      operations: ['*'],
      rule: { apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] },
    });

    const { status } = await server.send(
      'DELETE /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/hooks',
    );

    assert.equal(status, 200);
    assert.equal((await createConfigMap(server, 'a')).status, 201);
  });

  test('that has side effects is not asked about dry runs', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    await configure(server, webhook, { kind: 'Validating', hook: { sideEffects: 'NoneOnDryRun' } });
    const at = '/api/v1/namespaces/default/configmaps?dryRun=All';

    const { status } = await server.send(`POST ${at}`, { body: configMap('a') });

    assert.equal(status, 201);
    assert.equal(webhook.received[0]?.review.request['dryRun'], true);
    assert.deepEqual((webhook.received[0]?.review.request['options'] as object) ?? {}, {
      kind: 'CreateOptions',
      apiVersion: 'meta.k8s.io/v1',
      dryRun: ['All'],
    });
  });
});
