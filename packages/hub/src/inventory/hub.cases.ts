import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ClusterProfiles } from '@flotilla/api';
import { eventually } from '@flotilla/testkit';
import { installKinds } from '../install/install-kinds.ts';
import {
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
import { openInventory, type StartHub } from './testing/open-inventory.ts';

/** What the inventory makes of the hub it is on. */
export function hubCases(start: StartHub): void {
  describe('the inventory of a hub', () => {
    test('REG-73 without the CRD registrations say so, and profiles appear when it does', async () => {
      await using hub = await openInventory(start, { installs: false });
      const { client } = hub;
      await register(client, 'west', { status: readyStatus('west') });

      await eventually(async () => (await published(client, 'west')) === 'False/NotInstalled');

      await installKinds(client, { clusterProfiles: true }, new AbortController().signal);
      await profileOf(client, 'west', (profile) => stateOf(profile) === 'True/Registered');
      await eventually(async () => (await published(client, 'west')) === 'True/Published');
      assert.deepEqual(hub.complaints, []);
    });

    test('a pass over what has not changed writes nothing, and neither does a heartbeat', async () => {
      await using hub = await openInventory(start);
      const { client } = hub;
      await putSecret(client, 'west');
      await register(client, 'west', { status: readyStatus('west') });
      const before = await profileOf(client, 'west', (it) => stateOf(it) === 'True/Registered');
      await eventually(async () => (await published(client, 'west')) === 'True/Published');
      const written = hub.writes.length;
      const looks = () => hub.passes.filter((name) => name === 'west').length;

      const first = looks();
      hub.enqueue('west');
      await eventually(() => looks() > first);
      await setStatus(client, 'west', {
        lastHeartbeatTime: '2026-01-01T00:00:00Z',
        lastReconcileTime: '2026-01-01T00:00:00Z',
      });
      // A heartbeat is not worth a look; whoever comes after it tells that it was heard of.
      await register(client, 'east', { status: readyStatus('east') });
      await eventually(async () => (await published(client, 'east')) === 'True/Published');
      await hub.stop();
      const third = looks();
      hub.start();
      // Once when it starts, and once when it knows the profiles.
      await eventually(() => looks() > third + 1);
      await hub.stop();

      const ofWest = hub.writes.slice(written).filter((write) => !write.includes('east'));
      assert.deepEqual(ofWest, []);
      const after = await client.get(ClusterProfiles, { namespace: SPACE, name: 'west' });
      assert.equal(after.metadata.resourceVersion, before.metadata.resourceVersion);
    });

    test('the hub itself is in it on request', async () => {
      await using hub = await openInventory(start, {
        includesHub: true,
        hubRoute: { server: 'https://hub.example.com' },
      });

      const profile = await profileOf(hub.client, 'local');

      assert.equal(stateOf(profile), 'True/Healthy');
      assert.match(profile.status?.version?.kubernetes ?? '', /^v1\./);
      assert.ok(propertiesOf(profile)['cluster.clusterset.k8s.io']);
      assert.equal(
        profile.status?.accessProviders?.[0]?.cluster?.server,
        'https://hub.example.com:443',
      );

      // Whoever starts anew has not heard of the hub yet, which is no reason to take its profile away.
      await hub.stop();
      const seen: string[] = [];
      const watching = watchNames(hub.client, seen);
      hub.start();
      await putSecret(hub.client, 'west');
      await profileOf(hub.client, 'west');
      hub.enqueue('local');
      await hub.stop();
      hub.start({ includesHub: false });
      await untilGone(hub.client, 'local');
      await eventually(() => seen.includes('DELETED local'));
      await watching.stop();
      assert.ok(seen.indexOf('ADDED west') < seen.indexOf('DELETED local'), seen.join());
      assert.equal(seen.filter((each) => each.endsWith(' local')).length, 1, seen.join());
    });
  });
}
