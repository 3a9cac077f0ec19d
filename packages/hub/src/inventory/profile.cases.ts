import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ClusterProfiles, ClusterRegistrations } from '@flotilla/api';
import { Events, Secrets } from '@flotilla/client';
import { eventually } from '@flotilla/testkit';
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
  TOKEN,
  untilGone,
  watchNames,
} from './testing/objects.ts';
import { openInventory, type StartHub } from './testing/open-inventory.ts';

/** What becomes of a registration in the inventory, on any hub. */
export function profileCases(start: StartHub): void {
  describe('a profile', () => {
    test('REG-67 a Ready registration has one profile that says all of it, and no credential', async () => {
      await using hub = await openInventory(start);
      const { client, access } = hub;
      const ca = String(access.tls.ca);
      await putSecret(client, 'west', {
        data: { 'ca.crt': ca, 'proxy-url': `http://me:${TOKEN}@proxy.example.com:3128` },
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': TOKEN },
      });
      await register(client, 'west-registration', {
        spec: {
          clusterName: 'west',
          alias: 'Production West',
          labels: { env: 'prod', 'multicluster.x-k8s.io/clusterset': 'blue' },
        },
        status: readyStatus('west'),
      });

      // The Secret alone has a profile, too, for as long as nobody has seen the registration.
      const profile = await profileOf(client, 'west', (it) => stateOf(it) === 'True/Registered');

      assert.deepEqual(profile.metadata.labels, {
        'x-k8s.io/cluster-manager': 'flotilla',
        'multicluster.x-k8s.io/clusterset': 'blue',
        env: 'prod',
      });
      assert.deepEqual(profile.spec, {
        displayName: 'Production West',
        clusterManager: { name: 'flotilla' },
      });
      assert.equal(stateOf(profile), 'True/Registered');
      assert.equal(stateOf(profile, 'Joined'), 'True/Registered');
      const healthy = profile.status?.conditions?.find(
        ({ type }) => type === 'ControlPlaneHealthy',
      );
      assert.equal(healthy?.message, 'The member is registered');
      assert.equal(profile.status?.version?.kubernetes, 'v1.34.4');
      assert.deepEqual(propertiesOf(profile), {
        'cluster.clusterset.k8s.io': 'uid-of-west',
        'flotilla.dev/endpoint': 'https://west.example.com:6443',
        'flotilla.dev/registration': `${GATEWAY}/west-registration`,
      });
      const [provider, ...others] = profile.status?.accessProviders ?? [];
      assert.deepEqual(others, []);
      assert.equal(provider?.name, 'flotilla');
      const authorities = provider?.cluster?.['certificate-authority-data'] ?? '';
      assert.equal(Buffer.from(authorities, 'base64').toString().trim(), ca.trim());
      assert.deepEqual(
        { ...provider?.cluster, 'certificate-authority-data': '' },
        {
          server: 'https://west.example.com:6443',
          'certificate-authority-data': '',
          'proxy-url': 'http://proxy.example.com:3128',
        },
      );
      await eventually(
        async () => (await published(client, 'west-registration')) === 'True/Published',
      );

      assert.equal((await client.list(ClusterProfiles)).items.length, 1);
      const everything = JSON.stringify([
        await client.list(ClusterProfiles),
        await client.list(ClusterRegistrations),
        await client.list(Events),
        hub.complaints,
      ]);
      assert.ok(!everything.includes(TOKEN));
      assert.ok(!everything.includes(Buffer.from(TOKEN).toString('base64').slice(0, 40)));
      assert.deepEqual(hub.complaints, []);
    });

    test('REG-67 a key that slipped into an authority bundle is not published', async () => {
      await using hub = await openInventory(start);
      const { client, access } = hub;
      const key = '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n';
      await putSecret(client, 'odd', { data: { 'ca.crt': `${key}${String(access.tls.ca)}` } });
      await putSecret(client, 'worse', {
        data: { 'ca.crt': key, endpoint: `https://me:${TOKEN}@worse.example.com` },
      });

      const odd = await profileOf(client, 'odd');
      const worse = await profileOf(client, 'worse');

      const [provider] = odd.status?.accessProviders ?? [];
      const bundle = Buffer.from(provider?.cluster?.['certificate-authority-data'] ?? '', 'base64');
      assert.match(bundle.toString(), /BEGIN CERTIFICATE/);
      assert.doesNotMatch(bundle.toString(), /PRIVATE/);
      assert.equal(worse.status?.accessProviders, undefined);
      assert.ok(!JSON.stringify(worse).includes(TOKEN));
    });

    test('REG-68 a registration that degrades or is suspended says so in its profile, with the same cause', async () => {
      await using hub = await openInventory(start);
      const { client } = hub;
      await register(client, 'west', { status: readyStatus('west') });
      await profileOf(client, 'west', (profile) => stateOf(profile) === 'True/Registered');

      await setStatus(client, 'west', {
        phase: 'Degraded',
        message: 'Cannot reach https://west.example.com:6443 within 30s',
        conditions: [condition('Ready', 'False/Timeout', 'Cannot reach it')],
      });
      const degraded = await profileOf(client, 'west', (it) => stateOf(it) === 'False/Timeout');
      assert.match(degraded.status?.conditions?.[0]?.message ?? '', /within 30s/);

      await client.patch(
        ClusterRegistrations,
        { namespace: GATEWAY, name: 'west' },
        { type: 'merge', body: { spec: { suspend: true } } },
      );
      await profileOf(client, 'west', (profile) => stateOf(profile) === 'Unknown/Suspended');
    });

    test('REG-68 a renamed cluster has its new profile before the old one goes', async () => {
      await using hub = await openInventory(start);
      const { client } = hub;
      await putSecret(client, 'old');
      await register(client, 'cluster', {
        spec: { clusterName: 'old' },
        status: readyStatus('old'),
      });
      await profileOf(client, 'old', (profile) => stateOf(profile) === 'True/Registered');
      const seen: string[] = [];
      const watching = watchNames(client, seen);

      await client.patch(
        ClusterRegistrations,
        { namespace: GATEWAY, name: 'cluster' },
        { type: 'merge', body: { spec: { clusterName: 'new' } } },
      );
      await putSecret(client, 'new');
      await setStatus(client, 'cluster', readyStatus('new'));
      await client.delete(Secrets, { namespace: GATEWAY, name: 'old' });

      await profileOf(client, 'new', (profile) => stateOf(profile) === 'True/Registered');
      await untilGone(client, 'old');
      await eventually(() => seen.includes('DELETED old'));
      await watching.stop();
      assert.ok(seen.indexOf('ADDED new') < seen.indexOf('DELETED old'), seen.join());
    });

    test('REG-68 the profile of a deleted registration goes', async () => {
      await using hub = await openInventory(start);
      const { client } = hub;
      await register(client, 'west', { status: readyStatus('west') });
      await profileOf(client, 'west');

      await client.delete(ClusterRegistrations, { namespace: GATEWAY, name: 'west' });

      await untilGone(client, 'west');
    });

    test('REG-68 profiles whose source went while nobody looked are gone after a start', async () => {
      await using hub = await openInventory(start);
      const { client } = hub;
      await register(client, 'west', { status: readyStatus('west') });
      await putSecret(client, 'east');
      await profileOf(client, 'west');
      await profileOf(client, 'east');
      await hub.stop();
      await client.delete(ClusterRegistrations, { namespace: GATEWAY, name: 'west' });
      await client.delete(Secrets, { namespace: GATEWAY, name: 'east' });
      const byHand = foreignProfile('by-hand', SPACE, 'flotilla');
      await client.create(ClusterProfiles, byHand);

      hub.start();

      await untilGone(client, 'west');
      await untilGone(client, 'east');
      // Made in our name, but not by us.
      await client.get(ClusterProfiles, { namespace: SPACE, name: 'by-hand' });
    });
  });
}
