import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterProfile } from '@flotilla/api';
import { FIELD_MANAGER } from '../names.ts';
import type { DesiredProfile } from './desired-profile.ts';
import { onlyOurEntries } from './owned-fields.ts';
import { isMainUpToDate, isStatusUpToDate } from './up-to-date.ts';

describe('a profile is up to date', () => {
  test('when all we want is there, whatever else others wrote', () => {
    const profile = found();
    Object.assign(profile.metadata.labels ?? {}, { theirs: 'x' });
    profile.status?.properties?.push({ name: 'theirs', value: 'x' });
    profile.status?.accessProviders?.push({ name: 'theirs' });

    assert.ok(isMainUpToDate(profile, desired));
    assert.ok(isStatusUpToDate(profile, desired));
  });

  test('whatever the times of its conditions say', () => {
    const profile = found();
    for (const condition of profile.status?.conditions ?? []) {
      condition.lastTransitionTime = '2030-01-01T00:00:00Z';
    }

    assert.ok(isStatusUpToDate(profile, desired));
  });

  for (const [what, spoil] of Object.entries<(profile: ClusterProfile) => void>({
    'a label is another': ({ metadata }) => Object.assign(metadata.labels ?? {}, { env: 'x' }),
    'an annotation is gone': ({ metadata }) => Object.assign(metadata, { annotations: {} }),
    'the name for people is another': ({ spec }) => Object.assign(spec, { displayName: 'x' }),
    'a label of ours is wanted no more': (profile) =>
      own(profile, '', 'f:metadata', 'f:labels', 'f:old'),
  })) {
    test(`not when ${what}`, () => {
      const profile = found();
      spoil(profile);

      assert.ok(!isMainUpToDate(profile, desired));
    });
  }

  for (const [what, spoil] of Object.entries<(profile: ClusterProfile) => void>({
    'there is no status': (profile) => Object.assign(profile, { status: undefined }),
    'a condition says something else': ({ status }) =>
      Object.assign(status?.conditions?.[0] ?? {}, { reason: 'x' }),
    'a property is gone': ({ status }) => Object.assign(status ?? {}, { properties: [] }),
    'the version is another': ({ status }) =>
      Object.assign(status ?? {}, { version: { kubernetes: 'v9' } }),
    'a server is another': ({ status }) =>
      Object.assign(status?.accessProviders?.[0]?.cluster ?? {}, { server: 'https://evil' }),
    'a property of ours is wanted no more': (profile) =>
      own(profile, 'status', 'f:status', 'f:properties', 'k:{"name":"old"}'),
    'an access provider of ours is wanted no more': (profile) =>
      own(profile, 'status', 'f:status', 'f:accessProviders', 'k:{"name":"eks"}'),
  })) {
    test(`not when ${what}`, () => {
      const profile = found();
      spoil(profile);

      assert.ok(!isStatusUpToDate(profile, desired));
    });
  }

  test('not when a version of ours is not known any more', () => {
    const profile = found();
    own(profile, 'status', 'f:status', 'f:version', 'f:kubernetes');

    assert.ok(!isStatusUpToDate(profile, { ...desired, version: undefined }));
  });

  test('and keeps of who wrote what our own entries alone', () => {
    const profile = found();
    profile.metadata.managedFields = [
      { manager: 'them', operation: 'Apply' },
      { manager: FIELD_MANAGER, operation: 'Apply' },
    ];

    assert.deepEqual(onlyOurEntries(profile).metadata.managedFields, [
      { manager: FIELD_MANAGER, operation: 'Apply' },
    ]);
  });
});

const desired: DesiredProfile = {
  name: 'west',
  labels: { env: 'prod' },
  annotations: { source: 'x' },
  spec: { displayName: 'West', clusterManager: { name: 'flotilla' } },
  conditions: [{ type: 'ControlPlaneHealthy', status: 'True', reason: 'Healthy', message: '' }],
  version: { kubernetes: 'v1.34.4' },
  properties: [{ name: 'region', value: 'eu' }],
  accessProviders: [{ name: 'flotilla', cluster: { server: 'https://west:443' } }],
};

function found(): ClusterProfile {
  const { labels, annotations, spec, conditions, version, properties, accessProviders } =
    structuredClone(desired);
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: { name: 'west', labels: { ...labels }, annotations: { ...annotations } },
    spec,
    status: {
      conditions: conditions.map((each) => ({ ...each, lastTransitionTime })),
      ...(version === undefined ? {} : { version }),
      properties: [...properties],
      accessProviders: [...accessProviders],
    },
  };
}

/** Makes one field ours. */
function own(profile: ClusterProfile, subresource: string, ...path: string[]): void {
  const fieldsV1 = path.reduceRight<object>((inner, field) => ({ [field]: inner }), {});
  profile.metadata.managedFields = [
    {
      manager: FIELD_MANAGER,
      operation: 'Apply',
      ...(subresource === '' ? {} : { subresource }),
      fieldsV1,
    },
  ];
}
