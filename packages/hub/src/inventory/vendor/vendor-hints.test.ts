import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { detectFromHost, detectFromProviderId } from './detect-vendor.ts';
import { vendorHints } from './vendor-hints.ts';

const P = 'multicluster.oam.dev/';
const EKS = 'https://ABC123.gr7.us-west-2.eks.amazonaws.com:443';

describe('detectFromHost', () => {
  for (const [host, vendor, region] of [
    ['ABC123.gr7.us-west-2.eks.amazonaws.com', 'eks', 'us-west-2'],
    ['abc.yl4.cn-north-1.eks.amazonaws.com.cn', 'eks', 'cn-north-1'],
    ['0123.eks-cluster.eu-west-1.api.aws', 'eks', 'eu-west-1'],
    ['gke-0a1b-123.europe-west1.gke.goog', 'gke', 'europe-west1'],
    ['us-west1-connectgateway.googleapis.com', 'gke', undefined],
    ['acme-dns-0a1b.hcp.westeurope.azmk8s.io', 'aks', 'westeurope'],
    ['10.0.0.1', undefined, undefined],
    ['eks.amazonaws.com.evil.example', undefined, undefined],
    ['xeks.amazonaws.com', undefined, undefined],
  ] as const) {
    test(`of ${host} tells ${vendor ?? 'nothing'}`, () => {
      const detected = detectFromHost(host);

      assert.deepEqual([detected.vendor, detected.region], [vendor, region]);
    });
  }
});

describe('detectFromProviderId', () => {
  for (const [id, expected] of [
    ['aws:///us-west-2a/i-0abc', { platform: 'aws', region: 'us-west-2' }],
    [
      'eks-hybrid:///eu-west-1/prod/mi-0abc',
      { vendor: 'eks', platform: 'aws', region: 'eu-west-1', 'cluster-name': 'prod' },
    ],
    [
      'gce://acme/europe-west1-b/gke-prod-pool-1-x',
      { vendor: 'gke', platform: 'gcp', project: 'acme', region: 'europe-west1' },
    ],
    [
      'gce://acme/europe-west1-b/vm-1',
      { platform: 'gcp', project: 'acme', region: 'europe-west1' },
    ],
    [
      'azure:///subscriptions/0-1/resourceGroups/mc_acme_prod_westeurope/providers/x',
      { vendor: 'aks', platform: 'azure' },
    ],
    ['azure:///subscriptions/0-1/resourceGroups/acme/providers/x', { platform: 'azure' }],
    ['kind://docker/kind/kind-control-plane', {}],
  ] as const) {
    test(`of ${id} tells what a machine can know`, () => {
      assert.deepEqual(detectFromProviderId(id), expected);
    });
  }
});

describe('vendorHints', () => {
  test('prefer what people marked over what is seen, and that over plain labels', () => {
    const hints = vendorHints({
      marked: [{ [`${P}cluster-name`]: 'prod' }, { [`${P}cluster-name`]: 'other' }],
      plain: { vendor: 'EKS', region: 'moon', 'cluster-name': 'plain' },
      server: EKS,
    });

    assert.equal(hints.vendor, 'eks');
    assert.equal(hints.location.region, 'us-west-2');
    assert.equal(hints.location['cluster-name'], 'prod');
    assert.deepEqual(hints.missing, []);
  });

  test('take plain labels beside a plain vendor, and no plain region by itself', () => {
    const plain = { region: 'us-east-1', 'cluster-name': 'prod' };
    const whole = vendorHints({
      marked: [],
      plain: { ...plain, vendor: 'EKS' },
      server: undefined,
    });
    const bare = vendorHints({ marked: [], plain, server: undefined });

    assert.deepEqual([whole.vendor, whole.location.region], ['eks', 'us-east-1']);
    assert.deepEqual([bare.vendor, bare.location.region], [undefined, undefined]);
  });

  test('name every label that is missing', () => {
    const hints = vendorHints({
      marked: [{ [`${P}vendor`]: 'aws' }],
      plain: {},
      server: 'https://10.0.0.1:443',
    });

    assert.deepEqual(hints.missing, [`${P}region`, `${P}cluster-name`]);
  });

  test('take nothing that could be an option or two arguments of a command', () => {
    for (const value of ['--profile=evil', 'a,b', 'a b', '$(id)', '']) {
      const hints = vendorHints({
        marked: [{ [`${P}cluster-name`]: value }],
        plain: {},
        server: EKS,
      });

      assert.deepEqual(hints.missing, [`${P}cluster-name`], value);
    }
  });

  test('keep a vendor that is none of ours as a word, and ask nothing for it', () => {
    const hints = vendorHints({ marked: [{ [`${P}vendor`]: 'K3s' }], plain: {}, server: EKS });

    assert.deepEqual(
      [hints.vendor, hints.otherVendor, hints.missing, hints.location.region],
      [undefined, 'k3s', [], undefined],
    );
  });
});
