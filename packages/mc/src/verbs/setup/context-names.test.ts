import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FleetCluster } from '../../fleet/cluster.ts';
import { contextByName } from './context-names.ts';
import { fuzzyFilter } from './fuzzy.ts';
import { identityOf } from './verify-clusters.ts';

const prod: FleetCluster = {
  name: 'fleet/prod',
  aliases: ['prod', 'Production'],
  profile: { namespace: 'fleet', name: 'prod', manager: 'm', displayName: 'Production' },
  labels: {},
  properties: {},
  version: '',
  health: 'unknown',
  offers: [],
};

describe('the context of a name', () => {
  for (const context of [
    'prod',
    'kind-prod',
    'k3d-prod',
    'gke_my-project_us-central1_prod',
    'arn:aws:eks:us-west-2:123456789012:cluster/prod',
    'me@prod.us-west-2.eksctl.io',
    'prod-admin',
  ]) {
    test(`may be ${context}`, () => {
      assert.equal(contextByName(prod, ['x', context, 'prod2', 'a-prod']), context);
    });
  }

  test('is the plainest of several', () => {
    assert.equal(contextByName(prod, ['prod-admin', 'kind-prod', 'prod']), 'prod');
    assert.equal(contextByName(prod, ['prod-admin', 'kind-prod']), 'kind-prod');
  });

  test('is nobody when two have an equal claim, unless the place tells them apart', () => {
    const contexts = ['gke_a_us-central1_prod', 'gke_b_europe-west1_prod'];
    assert.equal(contextByName(prod, contexts), undefined);
    assert.equal(contextByName(prod, contexts, { region: 'europe-west1' }), contexts[1]);
    assert.equal(contextByName(prod, contexts, { project: 'a' }), contexts[0]);
    assert.equal(contextByName(prod, contexts, { region: 'asia-east1' }), undefined);
  });

  test('is not what a hub shows to people, and names are no patterns', () => {
    assert.equal(contextByName(prod, ['Production']), undefined);
    const odd = { ...prod, profile: { ...prod.profile, name: 'a.c' } } as FleetCluster;
    assert.equal(contextByName(odd, ['abc']), undefined);
    const labels = { 'open-cluster-management.io/cluster-name': 'west' };
    assert.equal(contextByName({ ...prod, labels }, ['kind-west']), 'kind-west');
  });
});

test('what is typed may leave out letters; whole pieces and starts of words come first', () => {
  const names = ['eks-prod-west', 'prod-east', 'staging', 'west'];
  const filtered = (typed: string) => fuzzyFilter(names, typed, (name) => name);
  assert.deepEqual(filtered('prod'), ['prod-east', 'eks-prod-west']);
  assert.deepEqual(filtered('pw'), ['eks-prod-west']);
  assert.deepEqual(filtered('WEST'), ['west', 'eks-prod-west']);
  assert.deepEqual(filtered('zz'), []);
});

test('a cluster is the one of the profile when kube-system says so', () => {
  const a = '11111111-1111-4111-8111-111111111111';
  const b = '22222222-2222-4222-8222-222222222222';
  const by = (properties: Record<string, string>, clusterId = a, mapping = {}) =>
    identityOf({ ...prod, properties, mapping: { name: 'prod', ...mapping } }, clusterId);
  assert.equal(by({ 'cluster.clusterset.k8s.io': a }), 'same');
  assert.equal(by({ 'cluster.clusterset.k8s.io': b, 'id.k8s.io': a }), 'different');
  assert.equal(by({ 'id.k8s.io': b }), 'different');
  assert.equal(by({}), 'unknown');
  assert.equal(by({ 'id.k8s.io': a }, ''), 'unknown');
  assert.equal(by({ 'id.k8s.io': 'west' }), 'unknown');
  assert.equal(
    by({ 'id.k8s.io': b, 'product.open-cluster-management.io': 'OpenShift' }),
    'unknown',
  );
  assert.equal(by({ 'id.k8s.io': a }, a, { clusterId: b }), 'different');
});
