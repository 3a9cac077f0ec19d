import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  allKinds,
  ClusterProfiles,
  ClusterRegistrations,
  clusterProfile,
  clusterRegistration,
  crdOf,
} from '@flotilla/api';
import {
  type Access,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  createClient,
  createTransport,
} from '@flotilla/client';
import { isNotFound, systemClock } from '@flotilla/machinery';
import { startServer } from '@flotilla/testkit';
import { INSTALL_MANAGER, installKinds } from './install-kinds.ts';

const never = new AbortController().signal;
const names = allKinds.map((kind) => crdOf(kind).metadata.name ?? '');
const [registrations = '', profiles = ''] = names;

describe('installKinds', () => {
  test('serves our kinds when it returns, and ClusterProfiles only where it is told to', async () => {
    await using server = await startServer();
    await using client = connect(server.access);

    await installKinds(client, { clusterProfiles: false }, never);

    assert.deepEqual((await client.list(ClusterRegistrations)).items, []);
    await assert.rejects(client.list(ClusterProfiles), isNotFound);

    await installKinds(client, { clusterProfiles: true }, never);

    assert.deepEqual((await client.list(ClusterProfiles)).items, []);
  });

  test('writes nothing the second time, and several may do it at once', async () => {
    await using server = await startServer();
    await using client = connect(server.access);
    const versions = async () =>
      (await client.list(CustomResourceDefinitions)).items.map(
        ({ metadata }) => metadata.resourceVersion,
      );

    await Promise.all([1, 2, 3].map(() => installKinds(client, { clusterProfiles: true }, never)));
    const before = await versions();
    await installKinds(client, { clusterProfiles: true }, never);

    assert.equal(before.length, 2);
    assert.deepEqual(await versions(), before);
  });

  test('replaces an older schema, whoever installed it', async () => {
    await using server = await startServer();
    await using client = connect(server.access);
    const older = ours(clusterRegistration);
    delete specSchema(older).properties['suspend'];
    await client.create(CustomResourceDefinitions, older, { fieldManager: 'kubectl' });

    await installKinds(client, { clusterProfiles: false }, never);

    const crd = await client.get(CustomResourceDefinitions, { name: registrations });
    assert.ok('suspend' in specSchema(crd).properties);
  });

  test('leaves a schema and versions alone that can do more', async () => {
    await using server = await startServer();
    await using client = connect(server.access);
    const newer = ours(clusterRegistration);
    specSchema(newer).properties['region'] = { type: 'string' };
    const [version] = newer.spec?.versions ?? [];
    assert.ok(version);
    newer.spec?.versions.push({ ...version, name: 'v1', storage: false });
    const before = await client.create(CustomResourceDefinitions, newer);

    await installKinds(client, { clusterProfiles: false }, never);

    const crd = await client.get(CustomResourceDefinitions, { name: registrations });
    assert.equal(crd.metadata.generation, before.metadata.generation);
    assert.ok('region' in specSchema(crd).properties);
    assert.deepEqual((await client.list(ClusterRegistrations)).items, []);
  });

  test('never touches a CRD of ClusterProfiles that somebody else manages', async () => {
    await using server = await startServer();
    await using client = connect(server.access);
    const theirs = ours(clusterProfile);
    specSchema(theirs).description = 'Theirs';
    await client.create(CustomResourceDefinitions, theirs, { fieldManager: 'theirs' });

    await installKinds(client, { clusterProfiles: true }, never);

    const crd = await client.get(CustomResourceDefinitions, { name: profiles });
    assert.equal(specSchema(crd).description, 'Theirs');
    const managers = (crd.metadata.managedFields ?? []) as { manager: string }[];
    assert.ok(!managers.some(({ manager }) => manager === INSTALL_MANAGER));
  });

  test('brings its own CRD of ClusterProfiles up to date', async () => {
    await using server = await startServer();
    await using client = connect(server.access);
    const older = ours(clusterProfile);
    delete specSchema(older).properties['displayName'];
    await client.apply(CustomResourceDefinitions, older, { fieldManager: INSTALL_MANAGER });

    await installKinds(client, { clusterProfiles: true }, never);

    const crd = await client.get(CustomResourceDefinitions, { name: profiles });
    assert.ok('displayName' in specSchema(crd).properties);
  });

  test('says so when a foreign CRD does not serve the version it works with', async () => {
    await using server = await startServer();
    await using client = connect(server.access);
    const theirs = ours(clusterProfile);
    for (const version of theirs.spec?.versions ?? []) version.name = 'v2';
    await client.create(CustomResourceDefinitions, theirs, { fieldManager: 'theirs' });

    await assert.rejects(
      installKinds(client, { clusterProfiles: true }, never),
      /Cannot use the kind "clusterprofiles\.multicluster\.x-k8s\.io": its CRD serves v2, not v1alpha1/,
    );
  });

  test('says so when the names are taken, instead of waiting for ever', async () => {
    await using server = await startServer();
    await using client = connect(server.access);
    const squatter = ours(clusterRegistration);
    squatter.metadata.name = 'others.multicluster.oam.dev';
    Object.assign(squatter.spec?.names ?? {}, {
      plural: 'others',
      singular: 'other',
      shortNames: [],
    });
    await client.create(CustomResourceDefinitions, squatter);

    await assert.rejects(
      installKinds(client, { clusterProfiles: false }, never),
      /Cannot install the kind "clusterregistrations\.multicluster\.oam\.dev": its names are taken/,
    );
  });

  test('works without the right to write CRDs where an administrator installed them', async () => {
    await using server = await startServer();
    await using admin = connect(server.access);
    await admin.raw({
      method: 'POST',
      path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
      body: {
        metadata: { name: 'crd-reader' },
        rules: [
          {
            apiGroups: ['apiextensions.k8s.io'],
            resources: ['customresourcedefinitions'],
            verbs: ['get'],
          },
        ],
      },
    });
    await admin.raw({
      method: 'POST',
      path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
      body: {
        metadata: { name: 'crd-reader' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'crd-reader' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'hub' }],
      },
    });
    await using client = connect(server.accessAs('hub'));

    await assert.rejects(
      installKinds(client, { clusterProfiles: false }, never),
      /Cannot install the kind "clusterregistrations\.multicluster\.oam\.dev": the hub forbids it/,
    );

    await installKinds(admin, { clusterProfiles: false }, never);
    await installKinds(client, { clusterProfiles: false }, never);
  });

  test('waits for a CRD on its way out to be gone, and then installs its own', async () => {
    await using server = await startServer();
    await using client = connect(server.access);
    const leaving = ours(clusterRegistration);
    leaving.metadata.finalizers = ['example.com/wait'];
    const { metadata } = await client.create(CustomResourceDefinitions, leaving);
    await client.delete(CustomResourceDefinitions, { name: registrations });

    const installing = installKinds(client, { clusterProfiles: false }, never);
    await client.patch(
      CustomResourceDefinitions,
      { name: registrations },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    );
    await installing;

    const crd = await client.get(CustomResourceDefinitions, { name: registrations });
    assert.notEqual(crd.metadata.uid, metadata.uid);
  });
});

interface OpenSchema {
  description?: string;
  properties: Record<string, object>;
}

function specSchema(crd: CustomResourceDefinition): OpenSchema {
  const [version] = (crd.spec?.versions ?? []) as unknown as {
    schema: { openAPIV3Schema: { properties: { spec: OpenSchema } } };
  }[];
  assert.ok(version);
  return version.schema.openAPIV3Schema.properties.spec;
}

function ours(kind: Parameters<typeof crdOf>[0]): CustomResourceDefinition {
  return structuredClone(crdOf(kind)) as unknown as CustomResourceDefinition;
}

function connect(access: Access) {
  return createClient(createTransport({ access, clock: systemClock, random: () => 0.5 }));
}
