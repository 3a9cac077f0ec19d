import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@flotilla/machinery';
import { createObject } from './objects/create-object.ts';
import { deleteObject } from './objects/delete-object.ts';
import { findStored } from './objects/stored.ts';
import { updateObject } from './objects/update-object.ts';
import type { ResourceDef } from './resources/resource.ts';
import { ROOT_TENANT, type Tenant } from './storage/store.ts';
import { startInMemory, type TestServer } from './testing/start-in-memory.ts';
import { openWatch } from './testing/watch-events.ts';

const OTHER: Tenant = 'other';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

describe('two tenants', () => {
  test('have objects of the same name and see only their own', async () => {
    await using rig = await start();
    await rig.create(ROOT_TENANT, { data: { of: 'root' } });
    await rig.create(OTHER, { data: { of: 'other' } });

    assert.deepEqual(rig.find(ROOT_TENANT)?.['data'], { of: 'root' });
    assert.deepEqual(rig.find(OTHER)?.['data'], { of: 'other' });
    assert.notEqual(rig.find(ROOT_TENANT)?.metadata.uid, rig.find(OTHER)?.metadata.uid);
    const listed = (await rig.server.send(`GET ${CONFIG_MAPS}?limit=10`)).json();
    assert.deepEqual(
      listed.items.map(({ data }: { data: { of?: string } }) => data.of),
      ['root', undefined],
    );
  });

  test('change and delete without the other noticing', async () => {
    await using rig = await start();
    await rig.create(ROOT_TENANT, { data: { of: 'root' } });
    await rig.create(OTHER, { data: { of: 'other' } });
    const revision = rig.server.store.revision(ROOT_TENANT);
    const watch = await openWatch(
      rig.server,
      `${CONFIG_MAPS}?watch=true&resourceVersion=${revision}`,
    );

    await updateObject(rig.server.api.engine, {
      ...rig.target(OTHER),
      subresource: '',
      change: (current) => ({ ...current, data: { of: 'nobody' } }),
      dryRun: false,
    });
    await deleteObject(rig.server.api.engine, { ...rig.target(OTHER), options: {} });
    await rig.server.api.settled();

    assert.equal(rig.find(OTHER), undefined);
    assert.deepEqual(rig.find(ROOT_TENANT)?.['data'], { of: 'root' });
    assert.equal(rig.server.store.revision(ROOT_TENANT), revision, 'each counts its own');
    await rig.server.send(`DELETE ${CONFIG_MAPS}/a`);
    const [first] = await watch.take(1);
    assert.equal(first?.type, 'DELETED');
    assert.deepEqual(first?.object.data, { of: 'root' });
    watch.stream.cancel();
  });

  test('have their own namespaces, addresses and policy', async () => {
    await using rig = await start();
    await rig.server.send('POST /api/v1/namespaces', { body: { metadata: { name: 'team' } } });
    await assert.rejects(rig.create(OTHER, {}, 'team'), { code: 404 });

    const services = rig.def('', 'services');
    const service = (tenant: Tenant) =>
      createObject(rig.server.api.engine, {
        ...rig.target(tenant),
        def: services,
        dryRun: false,
        object: {
          kind: 'Service',
          apiVersion: 'v1',
          metadata: { name: 's' },
          spec: { clusterIP: '10.0.0.77', ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }] },
        },
      });
    await service(ROOT_TENANT);
    await service(OTHER);
    await assert.rejects(service(OTHER), {
      code: 422,
      message: /provided IP is already allocated/,
    });

    await rig.server.send('POST /apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      body: {
        metadata: { name: 'ann' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
      },
    });
    const may = (tenant: Tenant): boolean =>
      rig.server.api.authorizer.decide(tenant, {
        user: { name: 'ann', groups: [] },
        verb: 'list',
        isResource: true,
        group: '',
        version: 'v1',
        resource: 'pods',
        subresource: '',
        namespace: 'default',
        name: '',
        path: '',
      }).allowed;
    assert.equal(may(ROOT_TENANT), true);
    assert.equal(may(OTHER), false);
  });

  test('begin alike, each with uids of its own', async () => {
    await using rig = await start();
    const namespaces = rig.def('', 'namespaces');
    const uid = (tenant: Tenant): string | undefined =>
      findStored(rig.server.api.engine, { tenant, def: namespaces, namespace: '', name: 'default' })
        ?.object.metadata.uid;

    assert.ok(uid(ROOT_TENANT));
    assert.ok(uid(OTHER));
    assert.notEqual(uid(ROOT_TENANT), uid(OTHER));
  });
});

async function start() {
  const server: TestServer = await startInMemory();
  await server.store.createTenant(OTHER, {
    uid: '00000000-0000-4000-8000-000000000009',
    createdAt: 0,
  });
  server.api.adopt(OTHER);
  await server.api.settled();
  const def = (group: string, resource: string): ResourceDef => {
    const found = server.api.registry.find(group, 'v1', resource);
    assert.ok(found, resource);
    return found;
  };
  const target = (tenant: Tenant, namespace = 'default') => ({
    tenant,
    def: def('', 'configmaps'),
    namespace,
    name: 'a',
    user: { name: 'admin', groups: ['system:masters'] },
    warn: () => {},
  });
  return {
    server,
    def,
    target,
    create: (tenant: Tenant, fields: object, namespace = 'default') =>
      createObject(server.api.engine, {
        ...target(tenant, namespace),
        dryRun: false,
        object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, ...fields },
      }),
    find: (tenant: Tenant): KubeObject | undefined =>
      findStored(server.api.engine, target(tenant))?.object,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
