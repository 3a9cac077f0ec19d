import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../authn/manual-clock.ts';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';
import type { ManagedFieldsEntry } from './entry.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const START = '2030-01-01T00:00:00Z';

interface Answer {
  readonly status: number;
  readonly message?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly replicas?: number };
  readonly metadata: {
    readonly resourceVersion: string;
    readonly managedFields?: readonly ManagedFieldsEntry[];
  };
  readonly details?: { readonly causes?: readonly object[] };
}

describe('server-side apply', () => {
  test('makes an object, changes it, and removes what is applied no longer', async () => {
    await using server = await startInMemory();

    const made = await apply(
      server,
      `${CONFIG_MAPS}/a?fieldManager=one`,
      configMap({ k: 'v', l: 'v' }),
    );
    const less = await apply(server, `${CONFIG_MAPS}/a?fieldManager=one`, configMap({ k: 'w' }));

    assert.equal(made.status, 201);
    assert.equal(less.status, 200);
    assert.deepEqual(less.data, { k: 'w' });
    assert.deepEqual(owners(less), { 'one Apply': { 'f:data': { 'f:k': {} } } });
  });

  test('CP-51 names the manager and the fields that are in the way, and force transfers them', async () => {
    await using server = await startInMemory();
    await apply(server, `${CONFIG_MAPS}/a?fieldManager=one`, configMap({ k: 'v', l: 'v' }));

    const refused = await apply(server, `${CONFIG_MAPS}/a?fieldManager=two`, configMap({ k: 'w' }));
    const forced = await apply(
      server,
      `${CONFIG_MAPS}/a?fieldManager=two&force=true`,
      configMap({ k: 'w' }),
    );

    assert.equal(refused.status, 409);
    assert.equal(refused.message, 'Apply failed with 1 conflict: conflict with "one": .data.k');
    assert.deepEqual(refused.details?.causes, [
      { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.k' },
    ]);
    assert.deepEqual(owners(forced), {
      'one Apply': { 'f:data': { 'f:l': {} } },
      'two Apply': { 'f:data': { 'f:k': {} } },
    });
  });

  test('that says nothing new writes nothing, however late it comes', async () => {
    const clock = new ManualClock(START);
    await using server = await startInMemory({ clock });
    const first = await apply(server, `${CONFIG_MAPS}/a?fieldManager=one`, configMap({ k: 'v' }));
    clock.advance(60_000);

    const again = await apply(server, `${CONFIG_MAPS}/a?fieldManager=one`, configMap({ k: 'v' }));

    assert.deepEqual(again.metadata, first.metadata);
  });

  test('by a second manager of the same values writes only who owns them', async () => {
    await using server = await startInMemory();
    const first = await apply(server, `${CONFIG_MAPS}/a?fieldManager=one`, configMap({ k: 'v' }));

    const second = await apply(server, `${CONFIG_MAPS}/a?fieldManager=two`, configMap({ k: 'v' }));

    assert.notEqual(second.metadata.resourceVersion, first.metadata.resourceVersion);
    // Who has changed nothing has no time, and stands first.
    assert.deepEqual(Object.keys(owners(second)), ['two Apply', 'one Apply']);
  });

  test('takes a right to create where there is nothing yet', async () => {
    await using server = await startInMemory();
    await allow(server, ['patch']);

    const refused = await apply(server, `${CONFIG_MAPS}/a?fieldManager=one`, configMap({}), 'jane');

    assert.equal(refused.status, 403);
  });

  test('is undone by nobody else: others may write at the same time', async () => {
    await using server = await startInMemory();
    await apply(server, `${CONFIG_MAPS}/a?fieldManager=start`, configMap({ start: 'x' }));

    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        apply(server, `${CONFIG_MAPS}/a?fieldManager=m${i}`, configMap({ [`k${i}`]: 'v' })),
      ),
    );

    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200]));
    const { data } = await read(server, `${CONFIG_MAPS}/a`);
    assert.equal(Object.keys(data ?? {}).length, 21);
  });

  test('of an object nested deeper than the stack is refused or taken, and the server lives', async () => {
    await using server = await startInMemory();
    const deep = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;

    const answer = await server.send(`PATCH ${CONFIG_MAPS}/a?fieldManager=one`, {
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":${deep}}`,
    });

    assert.notEqual(answer.status, 200);
    assert.equal((await read(server, '/api/v1/namespaces/default')).status, 200);
  });
});

describe('managedFields', () => {
  test('an update takes what it changes, at the time it does', async () => {
    const clock = new ManualClock(START);
    await using server = await startInMemory({ clock });
    await server.send(`POST ${CONFIG_MAPS}?fieldManager=one`, {
      body: configMap({ k: 'v', l: 'v' }),
    });
    clock.advance(60_000);

    const changed = await patch(server, `${CONFIG_MAPS}/a?fieldManager=two`, { data: { k: 'w' } });

    assert.deepEqual(changed.metadata.managedFields, [
      entry('one', '2030-01-01T00:00:00Z', { 'f:data': { '.': {}, 'f:l': {} } }),
      entry('two', '2030-01-01T00:01:00Z', { 'f:data': { 'f:k': {} } }),
    ]);
  });

  test('a scale takes the replicas', async () => {
    await using server = await startInMemory();
    await apply(server, `${DEPLOYMENTS}/d?fieldManager=one`, deployment(2));

    await patch(server, `${DEPLOYMENTS}/d/scale?fieldManager=scaler`, { spec: { replicas: 4 } });

    const refused = await apply(server, `${DEPLOYMENTS}/d?fieldManager=one`, deployment(2));
    assert.equal(refused.status, 409);
    assert.match(
      refused.message ?? '',
      /conflict with "scaler" with subresource "scale" using apps\/v1: .spec.replicas/,
    );
  });

  test('an object that is too large with them is stored without', async () => {
    await using server = await startInMemory();
    const data = Object.fromEntries(
      Array.from({ length: 9_000 }, (_, i) => [`key-${i}-${'x'.repeat(60)}`, 'v'.repeat(40)]),
    );

    const made = await server.send(`POST ${CONFIG_MAPS}`, { body: configMap(data) });

    assert.equal(made.status, 201);
    assert.equal((made.json() as Answer).metadata.managedFields, undefined);
  });

  test('base objects have them too', async () => {
    await using server = await startInMemory();

    const role = await read(server, '/apis/rbac.authorization.k8s.io/v1/clusterroles/admin');

    assert.deepEqual(Object.keys(owners(role)), [
      'clusterrole-aggregation-controller Apply',
      'kube-apiserver Update',
    ]);
  });
});

function configMap(data: Readonly<Record<string, string>>) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data };
}

function deployment(replicas: number) {
  const labels = { app: 'd' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
}

function entry(manager: string, time: string, fieldsV1: object): ManagedFieldsEntry {
  const rest = { apiVersion: 'v1', fieldsType: 'FieldsV1', operation: 'Update' };
  return { manager, time, fieldsV1, ...rest };
}

function owners({ metadata }: Answer): Record<string, unknown> {
  const entries = metadata.managedFields ?? [];
  return Object.fromEntries(
    entries.map(({ manager, operation, fieldsV1 }) => [`${manager} ${operation}`, fieldsV1]),
  );
}

async function apply(server: TestServer, path: string, body: object, as?: string): Promise<Answer> {
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  const response = await server.send(`PATCH ${path}`, {
    headers,
    body,
    ...(as === undefined ? {} : { as }),
  });
  return { ...(response.json() as Answer), status: response.status };
}

async function patch(server: TestServer, path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  const response = await server.send(`PATCH ${path}`, { headers, body });
  return { ...(response.json() as Answer), status: response.status };
}

async function read(server: TestServer, path: string): Promise<Answer> {
  const response = await server.send(`GET ${path}`);
  return { ...(response.json() as Answer), status: response.status };
}

async function allow(server: TestServer, verbs: readonly string[]): Promise<void> {
  const group = 'rbac.authorization.k8s.io';
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs }];
  await server.send(`POST /apis/${group}/v1/clusterroles`, {
    body: { apiVersion: `${group}/v1`, kind: 'ClusterRole', metadata: { name: 'r' }, rules },
  });
  await server.send(`POST /apis/${group}/v1/clusterrolebindings`, {
    body: {
      apiVersion: `${group}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'r' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'r' },
      subjects: [{ apiGroup: group, kind: 'User', name: 'jane' }],
    },
  });
}
