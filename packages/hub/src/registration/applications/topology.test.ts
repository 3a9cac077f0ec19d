import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isSelected, topologiesOf } from './topology.ts';

const of = (policies: unknown) =>
  topologiesOf({
    apiVersion: 'core.oam.dev/v1beta1',
    kind: 'Application',
    metadata: { name: 'web' },
    spec: { policies },
  });

const topology = (properties: unknown) => [{ name: 'where', type: 'topology', properties }];

describe('topologiesOf', () => {
  test('reads clusters and selectors, and nothing of other policies', () => {
    const { topologies, problems } = of([
      ...topology({ clusters: ['a', 'b'], namespace: 'web' }),
      ...topology({ clusterLabelSelector: { env: 'prod' }, allowEmpty: true }),
      { name: 'other', type: 'override', properties: { clusters: 7 } },
    ]);

    assert.deepEqual(problems, []);
    assert.deepEqual(topologies, [
      { clusters: ['a', 'b'], selector: undefined },
      { clusters: undefined, selector: { env: 'prod' } },
    ]);
  });

  test('takes null for nothing, and an empty list for no cluster at all', () => {
    const { topologies } = of([
      ...topology({ clusters: null, clusterLabelSelector: null }),
      ...topology({ clusters: [], clusterLabelSelector: {} }),
    ]);

    assert.deepEqual(topologies, [
      { clusters: undefined, selector: undefined },
      { clusters: [], selector: {} },
    ]);
  });

  test('does not read the old clusterSelector, as KubeVela does not by default', () => {
    const { topologies } = of(topology({ clusterSelector: { env: 'prod' } }));

    assert.deepEqual(topologies, [{ clusters: undefined, selector: undefined }]);
  });

  test('says which policy cannot be read, and why', () => {
    for (const [properties, problem] of [
      ['text', 'its properties are not an object'],
      [[], 'its properties are not an object'],
      [{ clusters: 'a' }, 'clusters is not a list of names'],
      [{ clusters: [1] }, 'clusters is not a list of names'],
      [{ clusterLabelSelector: 'env=prod' }, 'clusterLabelSelector is not a map of texts'],
      [{ clusterLabelSelector: { env: 1 } }, 'clusterLabelSelector is not a map of texts'],
      [{ clusterLabelSelector: ['env'] }, 'clusterLabelSelector is not a map of texts'],
    ] as const) {
      assert.deepEqual(of(topology(properties)), {
        topologies: [],
        problems: [`policy "where": ${problem}`],
      });
    }
  });

  test('survives Applications that have no policies, or something else in their place', () => {
    for (const policies of [undefined, null, 'none', [null, 1, [], {}]]) {
      assert.deepEqual(of(policies), { topologies: [], problems: [] });
    }
    assert.deepEqual(of([{ type: 'topology' }, { type: 'topology', properties: null }]), {
      topologies: [],
      problems: [],
    });
  });
});

describe('isSelected', () => {
  test('compares every label, and an empty selector selects every member', () => {
    const labels = { env: 'prod', region: 'west' };

    assert.ok(isSelected({}, labels));
    assert.ok(isSelected({ env: 'prod' }, labels));
    assert.ok(!isSelected({ env: 'prod', region: 'east' }, labels));
    assert.ok(!isSelected({ tier: '' }, labels));
    assert.ok(!isSelected({ constructor: 'x' }, labels));
  });

  test('knows the labels that KubeVela adds and takes away', () => {
    const labels = { 'cluster.core.oam.dev/cluster-credential-type': 'X509Certificate' };

    assert.ok(isSelected({ 'cluster.core.oam.dev/control-plane': 'false' }, labels));
    assert.ok(!isSelected({ 'cluster.core.oam.dev/control-plane': 'true' }, labels));
    assert.ok(!isSelected(labels, labels));
  });
});
