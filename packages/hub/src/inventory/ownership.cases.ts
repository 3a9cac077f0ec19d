import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ClusterProfile, ClusterProfiles, ClusterRegistrations } from '@flotilla/api';
import { eventually } from '@flotilla/testkit';
import { overflowNamespace } from './names.ts';
import {
  condition,
  foreignProfile,
  GATEWAY,
  profileOf,
  propertiesOf,
  published,
  putSecret,
  readyStatus,
  register,
  SPACE,
  setStatus,
  stateOf,
  untilGone,
  watchNames,
} from './testing/objects.ts';
import { ensureNamespace, openInventory, type StartHub } from './testing/open-inventory.ts';

/** Whose a profile is and what is in it, on any hub. */
export function ownershipCases(start: StartHub): void {
  describe('the owner of a profile', () => {
    test('REG-70 a cluster Secret without a registration is in the inventory, and stays when one adopts it', async () => {
      await using hub = await openInventory(start);
      const { client } = hub;
      await putSecret(client, 'legacy', {
        labels: { env: 'prod' },
        annotations: {
          'cluster.core.oam.dev/cluster-alias': 'Legacy',
          'cluster.core.oam.dev/cluster-version': '{"gitVersion":"v1.30.1"}',
        },
      });

      const before = await profileOf(client, 'legacy');
      assert.equal(stateOf(before), 'Unknown/Unmanaged');
      assert.equal(stateOf(before, 'Joined'), 'True/SecretFound');
      assert.equal(before.metadata.annotations?.['inventory.flotilla.dev/unmanaged'], 'true');
      assert.equal(before.metadata.labels?.['env'], 'prod');
      assert.equal(before.spec.displayName, 'Legacy');
      assert.equal(before.status?.version?.kubernetes, 'v1.30.1');

      const seen: string[] = [];
      const watching = watchNames(client, seen);
      await register(client, 'legacy', { spec: { credentialSource: { existingSecret: {} } } });
      await setStatus(client, 'legacy', readyStatus('legacy'));
      const after = await profileOf(client, 'legacy', (it) => stateOf(it) === 'True/Registered');
      await watching.stop();

      assert.equal(after.metadata.uid, before.metadata.uid);
      assert.ok(!seen.includes('DELETED legacy'), seen.join());
      // What was ours and is not wanted any more is gone.
      assert.equal(after.metadata.annotations?.['inventory.flotilla.dev/unmanaged'], undefined);
      assert.equal(after.metadata.labels?.['env'], undefined);
      assert.equal(after.spec.displayName, 'legacy');
    });

    test('REG-70 a registration that is refused the name does not speak for a cluster that works', async () => {
      await using hub = await openInventory(start);
      const { client } = hub;
      await putSecret(client, 'legacy');
      await register(client, 'legacy', {
        status: {
          phase: 'Failed',
          conditions: [condition('Ready', 'False/NotAdoptable', 'No')],
        },
      });

      await profileOf(client, 'legacy', (profile) => stateOf(profile) === 'Unknown/Unmanaged');
      await eventually(async () => (await published(client, 'legacy')) === 'False/NameTaken');
    });

    test('REG-70 Secrets without a registration can be left out', async () => {
      await using hub = await openInventory(start, { includesUnregistered: false });
      const { client } = hub;
      await putSecret(client, 'legacy');
      await register(client, 'west', { status: readyStatus('west') });
      await profileOf(client, 'west');

      const { items } = await client.list(ClusterProfiles);

      assert.deepEqual(
        items.map(({ metadata }) => metadata.name),
        ['west'],
      );
    });

    test("REG-71 another manager's profile of the same name is untouched, and ours is elsewhere", async () => {
      await using hub = await openInventory(start);
      const { client } = hub;
      const own = overflowNamespace(SPACE);
      await ensureNamespace(client, SPACE);
      await ensureNamespace(client, 'theirs');
      const before = await client.create(ClusterProfiles, foreignProfile('west', SPACE, 'them'));
      const other = await client.create(ClusterProfiles, foreignProfile('west', 'theirs', 'them'));
      await register(client, 'west', { status: readyStatus('west') });

      await profileOf(
        client,
        { namespace: own, name: 'west' },
        (it) => stateOf(it) === 'True/Registered',
      );
      for (const { metadata } of [before, other]) {
        const key = { namespace: metadata.namespace, name: 'west' };
        const now = await client.get(ClusterProfiles, key);
        assert.equal(now.metadata.resourceVersion, metadata.resourceVersion);
      }
      await eventually(async () => (await published(client, 'west')) === 'True/Published');

      // Their place is free again: ours moves there, and only then leaves where it was.
      await client.delete(ClusterProfiles, { namespace: SPACE, name: 'west' });
      await profileOf(client, 'west', (it) => stateOf(it) === 'True/Registered');
      await untilGone(client, 'west', own);

      await client.delete(ClusterRegistrations, { namespace: GATEWAY, name: 'west' });
      await untilGone(client, 'west');
      await client.get(ClusterProfiles, { namespace: 'theirs', name: 'west' });
    });

    test('REG-71 where both places are taken nothing is overwritten, and the registration says so', async () => {
      await using hub = await openInventory(start);
      const { client } = hub;
      for (const namespace of [SPACE, overflowNamespace(SPACE)]) {
        await ensureNamespace(client, namespace);
        await client.create(ClusterProfiles, foreignProfile('west', namespace, 'them'));
      }

      await register(client, 'west', { status: readyStatus('west') });

      await eventually(async () => (await published(client, 'west')) === 'False/NameTaken');
      const { items } = await client.list(ClusterProfiles);
      assert.deepEqual(
        items.map(({ spec }) => spec.clusterManager.name),
        ['them', 'them'],
      );
    });

    test('REG-72 what a user changes of ours is restored, and what is theirs survives', async () => {
      await using hub = await openInventory(start);
      const { client } = hub;
      await register(client, 'west', { status: readyStatus('west') });
      await profileOf(client, 'west');
      const key = { namespace: SPACE, name: 'west' };
      const theirs = { name: 'example.com/owner', value: 'team-a' };
      await client.apply(
        ClusterProfiles,
        {
          apiVersion: 'multicluster.x-k8s.io/v1alpha1',
          kind: 'ClusterProfile',
          metadata: key,
          status: { properties: [theirs] },
        } as unknown as ClusterProfile,
        { fieldManager: 'them', subresource: 'status' },
      );
      const { status } = await client.get(ClusterProfiles, key);

      await client.patch(ClusterProfiles, key, {
        type: 'merge',
        body: {
          metadata: {
            labels: { mine: 'yes', 'x-k8s.io/cluster-manager': 'me' },
            annotations: null,
          },
          spec: { displayName: 'Mine' },
        },
      });
      await client.patch(ClusterProfiles, key, {
        type: 'merge',
        subresource: 'status',
        body: {
          status: {
            version: { kubernetes: 'v9' },
            properties: (status?.properties ?? []).map((each) =>
              each.name === 'flotilla.dev/endpoint' ? { ...each, value: 'https://evil' } : each,
            ),
            conditions: [],
          },
        },
      });

      const restored = await profileOf(
        client,
        'west',
        (profile) =>
          profile.spec.displayName === 'west' &&
          profile.metadata.labels?.['x-k8s.io/cluster-manager'] === 'flotilla' &&
          profile.status?.version?.kubernetes === 'v1.34.4' &&
          stateOf(profile) === 'True/Registered',
      );
      const properties = propertiesOf(restored);
      assert.equal(properties['flotilla.dev/endpoint'], 'https://west.example.com:6443');
      assert.equal(properties['example.com/owner'], 'team-a');
      assert.equal(restored.metadata.labels?.['mine'], 'yes');
      assert.ok(restored.metadata.annotations?.['inventory.flotilla.dev/source']);
    });
  });
}
