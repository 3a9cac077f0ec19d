import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ClusterRegistrations } from '@flotilla/api';
import { eventually } from '@flotilla/testkit';
import {
  eventsOf,
  GATEWAY,
  profileOf,
  propertiesOf,
  readyStatus,
  register,
  setStatus,
} from './testing/objects.ts';
import { openInventory, type StartHub } from './testing/open-inventory.ts';

/** How users are told to sign in, on any hub. */
export function vendorCases(start: StartHub): void {
  describe('a cluster of a vendor', () => {
    for (const { vendor, marks, server, expected, config } of VENDOR_CASES) {
      test(`REG-69 labels of a cluster on ${vendor.toUpperCase()} say how users sign in`, async () => {
        await using hub = await openInventory(start);
        const { client } = hub;
        await register(client, 'cloudy', {
          metadata: { labels: marks },
          status: readyStatus('cloudy', server),
        });

        const profile = await profileOf(client, 'cloudy');

        const properties = propertiesOf(profile);
        for (const [name, value] of Object.entries(expected)) {
          assert.equal(properties[name], value, name);
        }
        assert.equal(properties['auth.exec.args'], expected['auth.exec.args']);
        const [provider] = profile.status?.accessProviders ?? [];
        assert.equal(provider?.name, vendor);
        assert.deepEqual(provider?.cluster?.extensions, [
          { name: 'client.authentication.k8s.io/exec', extension: config },
        ]);
      });
    }

    test('REG-69 the providerID of a node tells what neither labels nor the address do', async () => {
      await using hub = await openInventory(start);
      const { client } = hub;
      const status = readyStatus('cloudy', 'https://10.0.0.2:443');
      await register(client, 'cloudy', {
        metadata: { labels: { 'multicluster.oam.dev/cluster-name': 'production' } },
        status: {
          ...status,
          clusterInfo: {
            ...status.clusterInfo,
            providerID: 'gce://acme/europe-west1-b/gke-production-pool-1-x',
          },
        },
      });

      const profile = await profileOf(client, 'cloudy');
      const properties = propertiesOf(profile);
      assert.equal(properties['cluster.type'], 'gke');
      assert.equal(properties['auth.exec.command'], 'gke-gcloud-auth-plugin');
      assert.equal(properties['region'], 'europe-west1');
      assert.equal(properties['project'], 'acme');
    });

    test('REG-69 where labels are missing nothing is half said, and one event names them, once', async () => {
      await using hub = await openInventory(start);
      const { client } = hub;
      await register(client, 'cloudy', {
        metadata: { labels: { 'multicluster.oam.dev/region': 'eu-west-1' } },
        status: readyStatus('cloudy', 'https://ABC.gr7.us-west-2.eks.amazonaws.com:443'),
      });

      const profile = await profileOf(client, 'cloudy');
      const [event] = await eventually(
        () => eventsOf(client, 'VendorLabelsMissing'),
        (events) => events.length > 0,
      );

      const names = Object.keys(propertiesOf(profile));
      assert.ok(!names.some((name) => /^(auth|cloud|cluster\.type)/.test(name)), names.join());
      assert.equal(propertiesOf(profile)['region'], 'eu-west-1');
      assert.equal(profile.status?.accessProviders?.[0]?.name, 'flotilla');
      assert.match(event?.note ?? '', /set the labels multicluster\.oam\.dev\/cluster-name$/);
      assert.equal(event?.regarding?.['name'], 'cloudy');

      await setStatus(client, 'cloudy', { lastHeartbeatTime: '2026-01-01T00:00:00Z' });
      await hub.stop();
      hub.start();
      await client.patch(
        ClusterRegistrations,
        { namespace: GATEWAY, name: 'cloudy' },
        {
          type: 'merge',
          body: { metadata: { annotations: { 'multicluster.oam.dev/cluster-name': 'prod_1' } } },
        },
      );
      const complete = await profileOf(
        client,
        'cloudy',
        (it) => 'auth.exec.args' in propertiesOf(it),
      );
      assert.equal(
        propertiesOf(complete)['auth.exec.args'],
        'eks,get-token,--cluster-name,prod_1,--region,eu-west-1',
      );
      await hub.stop();
      assert.equal((await eventsOf(client, 'VendorLabelsMissing')).length, 1);
    });
  });
}

interface VendorCase {
  readonly vendor: string;
  readonly server: string;
  readonly marks: Record<string, string>;
  readonly expected: Record<string, string>;
  readonly config: Record<string, string>;
}

const EXEC_VERSION = 'client.authentication.k8s.io/v1beta1';

const VENDOR_CASES: readonly VendorCase[] = [
  {
    vendor: 'eks',
    server: 'https://10.0.0.1:443',
    marks: {
      'multicluster.oam.dev/vendor': 'EKS',
      'multicluster.oam.dev/region': 'us-east-1',
      'multicluster.oam.dev/cluster-name': 'production',
    },
    expected: {
      'auth.exec.command': 'aws',
      'auth.exec.args': 'eks,get-token,--cluster-name,production,--region,us-east-1',
      'auth.exec.apiVersion': EXEC_VERSION,
      'cloud.provider': 'aws',
      'cluster.type': 'eks',
      platform: 'aws',
      region: 'us-east-1',
      'cluster-name': 'production',
    },
    config: { clusterName: 'production', region: 'us-east-1' },
  },
  {
    vendor: 'gke',
    server: 'https://10.0.0.2:443',
    marks: {
      'multicluster.oam.dev/vendor': 'GKE',
      'multicluster.oam.dev/region': 'europe-west1',
      'multicluster.oam.dev/cluster-name': 'production',
      'multicluster.oam.dev/project': 'acme',
    },
    expected: {
      'auth.exec.command': 'gke-gcloud-auth-plugin',
      'auth.exec.apiVersion': EXEC_VERSION,
      'auth.exec.provideClusterInfo': 'true',
      'cloud.provider': 'gcp',
      'cluster.type': 'gke',
      project: 'acme',
    },
    config: { clusterName: 'production', region: 'europe-west1', project: 'acme' },
  },
  {
    vendor: 'aks',
    server: 'https://acme-dns-1.hcp.westeurope.azmk8s.io:443',
    marks: {
      'multicluster.oam.dev/cluster-name': 'production',
      'multicluster.oam.dev/resource-group': 'acme-rg',
    },
    expected: {
      'auth.exec.command': 'kubelogin',
      'auth.exec.args':
        'get-token,--login,azurecli,--server-id,6dae42f8-4368-4678-94ff-3960e28e3630',
      'auth.exec.apiVersion': EXEC_VERSION,
      'cloud.provider': 'azure',
      'cluster.type': 'aks',
      region: 'westeurope',
    },
    config: { clusterName: 'production', region: 'westeurope', resourceGroup: 'acme-rg' },
  },
];
