import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FleetCluster } from '../../../fleet/cluster.ts';
import { detectProvider } from './detect-provider.ts';
import { fillTemplate } from './fill-template.ts';
import { defaultTemplates } from './provider.ts';
import { readMetadata } from './read-metadata.ts';

/** A cluster `prod-1` of which nothing is known but what is said here. */
function cluster(known: Partial<FleetCluster> & { server?: string }): FleetCluster {
  const { server, ...rest } = known;
  return {
    name: 'prod-1',
    aliases: [],
    profile: { namespace: 'fleet', name: 'prod-1', manager: 'm', displayName: '' },
    labels: {},
    properties: {},
    version: '',
    health: 'unknown',
    offers: server === undefined ? [] : [{ name: 'any', server, extensions: {} }],
    ...rest,
  };
}

const GATEWAY =
  'https://us-central1-connectgateway.googleapis.com/v1/projects/123456789/locations/us-central1/gkeMemberships/edge-1';

describe('the cloud of a cluster', () => {
  const cases: readonly [string, Parameters<typeof cluster>[0], string | undefined][] = [
    ['a property', { properties: { 'cloud.provider': 'aws' } }, 'aws'],
    ['a label', { labels: { 'cloud.provider': 'GCP' } }, 'gcp'],
    ['the type', { properties: { 'cluster.type': 'aks' } }, 'azure'],
    [
      'what OCM calls the product',
      { properties: { 'product.open-cluster-management.io': 'EKS' } },
      'aws',
    ],
    ['the vendor of OCM', { labels: { vendor: 'GKE' } }, 'gcp'],
    ['the server of EKS', { server: 'https://ABC.gr7.us-west-2.eks.amazonaws.com' }, 'aws'],
    ['the server of GKE', { server: 'https://gke-a-1.us-central1.gke.goog' }, 'gcp'],
    ['a gateway', { server: GATEWAY }, 'gcp'],
    ['the server of AKS', { server: 'https://p-1.hcp.westeurope.azmk8s.io:443' }, 'azure'],
    [
      'the older field',
      {
        profile: {
          namespace: '',
          name: 'x',
          manager: '',
          displayName: '',
          cloudProvider: 'alibaba',
        },
      },
      'ali',
    ],
    ['the mapping', { mapping: { name: 'prod-1', cloudProvider: 'aws' } }, 'aws'],
    [
      'nothing',
      { properties: { 'cloud.provider': 'on-prem' }, server: 'https://10.0.0.1' },
      undefined,
    ],
    [
      'somebody with a name like it',
      { server: 'https://eks.amazonaws.com.evil.example' },
      undefined,
    ],
    ['what objects inherit', { properties: { 'cloud.provider': 'constructor' } }, undefined],
  ];
  for (const [by, known, expected] of cases) {
    test(`is told by ${by}`, () => assert.equal(detectProvider(cluster(known)), expected));
  }

  test('is that of the first hint', () => {
    const known = { properties: { 'cloud.provider': 'azure', 'cluster.type': 'eks' } };
    assert.equal(detectProvider(cluster(known)), 'azure');
  });
});

describe('what a command is told', () => {
  test('EKS: name and region, from properties, labels, the server or the command that logs in', () => {
    assert.deepEqual(
      readMetadata(cluster({ labels: { region: 'eu-west-1', 'cluster-name': 'n' } }), 'aws'),
      {
        template: 'aws',
        values: { name: 'n', region: 'eu-west-1' },
      },
    );
    assert.deepEqual(
      readMetadata(cluster({ server: 'https://ABC.gr7.us-west-2.eks.amazonaws.com' }), 'aws'),
      { template: 'aws', values: { name: 'prod-1', region: 'us-west-2' } },
    );
    const properties = {
      'auth.exec.command': 'aws',
      'auth.exec.args':
        '--profile,team,eks,get-token,--cluster-name=production,--region,us-east-1,--role-arn,arn:aws:iam::123456789012:role/ops',
    };
    assert.deepEqual(readMetadata(cluster({ properties }), 'aws'), {
      template: 'aws',
      values: {
        name: 'production',
        region: 'us-east-1',
        profile: 'team',
        roleArn: 'arn:aws:iam::123456789012:role/ops',
      },
    });
  });

  test('nothing is taken from a command that would not be run', () => {
    const properties = {
      'auth.exec.command': 'aws',
      'auth.exec.args':
        'eks,get-token,--cluster-name,x,--region,us-east-1,--endpoint-url,https://x',
    };
    assert.deepEqual(readMetadata(cluster({ properties }), 'aws'), { missing: ['region'] });
    const broken = { 'auth.exec.command': 'aws', 'auth.exec.args': '[1' };
    assert.deepEqual(readMetadata(cluster({ properties: broken }), 'aws'), { missing: ['region'] });
  });

  test('what the user wrote counts before what the profile says', () => {
    const known = {
      properties: { region: 'us-east-1' },
      mapping: { name: 'prod-1', region: 'eu-west-1' },
    };
    assert.deepEqual(readMetadata(cluster(known), 'aws'), {
      template: 'aws',
      values: { name: 'prod-1', region: 'eu-west-1' },
    });
  });

  test('GKE: name, location and project, or the membership of a gateway', () => {
    const properties = { location: 'us-central1-a', project: 'example.com:my-project' };
    assert.deepEqual(readMetadata(cluster({ properties }), 'gcp'), {
      template: 'gcp',
      values: { name: 'prod-1', location: 'us-central1-a', project: 'example.com:my-project' },
    });
    assert.deepEqual(readMetadata(cluster({ server: GATEWAY }), 'gcp'), {
      template: 'gcpFleet',
      values: { name: 'edge-1', location: 'us-central1', project: '123456789' },
    });
    assert.deepEqual(readMetadata(cluster({}), 'gcp'), { missing: ['location', 'project'] });
  });

  test('AKS: name and resource group; ACK: its id', () => {
    const subscription = '00000000-1111-2222-3333-444444444444';
    const properties = { resourceGroup: 'rg_(1).a', 'cloud.subscription': subscription };
    assert.deepEqual(readMetadata(cluster({ properties }), 'azure'), {
      template: 'azure',
      values: { name: 'prod-1', resourceGroup: 'rg_(1).a', subscription },
    });
    assert.deepEqual(readMetadata(cluster({}), 'azure'), { missing: ['resourceGroup'] });
    const id = 'c5b5e80b0b64a4bf6939d2d8fbbc5e6f7';
    assert.deepEqual(readMetadata(cluster({ properties: { 'cluster.id': id } }), 'ali'), {
      template: 'ali',
      values: { clusterId: id },
    });
  });
});

describe('a template', () => {
  test('is filled, without words of which nothing is known', () => {
    const values = { name: 'n', region: 'r', context: 'c', kubeconfig: '/f', profile: 'p' };
    assert.deepEqual(fillTemplate(defaultTemplates.aws, values, 'setup.aws'), [
      ...['aws', 'eks', 'update-kubeconfig', '--name', 'n', '--region', 'r'],
      ...['--alias', 'c', '--kubeconfig', '/f', '--profile=p'],
    ]);
  });

  test('with a placeholder that is none is refused by its key', () => {
    assert.throws(
      () => fillTemplate(['aws', '{nmae}'], {}, 'setup.aws'),
      /Cannot use setup\.aws: \{nmae\} is none of \{name\} /,
    );
    assert.throws(() => fillTemplate(['aws', '{constructor}'], {}, 'setup.aws'), /none of/);
  });
});
