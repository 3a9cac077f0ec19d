import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterMappingEntry, FleetCluster } from '../fleet/cluster.ts';
import { attachMapping } from './attach-mapping.ts';
import { clusterOfContext } from './from-kubeconfig.ts';

const cluster = (name: string, ...aliases: string[]): FleetCluster => {
  const { context: _, ...rest } = clusterOfContext(name);
  return { ...rest, aliases };
};

function attached(clusters: readonly FleetCluster[], entries: readonly ClusterMappingEntry[]) {
  const warnings: string[] = [];
  const mapped = attachMapping(clusters, entries, (text) => void warnings.push(text));
  return { warnings, mapped, contexts: mapped.map(({ mapping }) => mapping?.context) };
}

test('an entry finds its cluster by name, by namespace and name, or by its namespace field', () => {
  const clusters = [
    cluster('west', 'fleet/west'),
    cluster('a/edge', 'edge'),
    cluster('b/edge', 'edge'),
  ];
  const { contexts, warnings } = attached(clusters, [
    { name: 'west', context: '1' },
    { name: 'a/edge', context: '2' },
    { name: 'edge', namespace: 'b', context: '3' },
    { name: 'gone', context: '4' },
  ]);

  assert.deepEqual(contexts, ['1', '2', '3']);
  assert.deepEqual(warnings, []);
});

test('an entry with a namespace counts before one without, and of two the first', () => {
  const { contexts } = attached(
    [cluster('west', 'fleet/west')],
    [
      { name: 'west', context: 'bare' },
      { name: 'fleet/west', context: 'exact' },
      { name: 'fleet/west', context: 'late' },
    ],
  );

  assert.deepEqual(contexts, ['exact']);
});

test('a bare name that means two clusters is about neither, and is warned of', () => {
  const { contexts, warnings } = attached(
    [cluster('a/edge', 'edge'), cluster('b/edge', 'edge')],
    [{ name: 'edge', context: 'x' }],
  );

  assert.deepEqual(contexts, [undefined, undefined]);
  assert.deepEqual(warnings, [
    'The mapping of "edge" is not used, since that is a/edge, b/edge: write the namespace, too',
  ]);
});

test('an entry adds names and labels', () => {
  const { mapped } = attached(
    [{ ...cluster('west', 'fleet/west'), labels: { a: '1', b: '1' } }],
    [{ name: 'west', aliases: ['w', 'west'], labels: { b: '2' } }],
  );

  assert.deepEqual(mapped[0]?.aliases, ['w', 'fleet/west']);
  assert.deepEqual(mapped[0]?.labels, { a: '1', b: '2' });
});

test('what a hub calls a cluster for people takes no mapping', () => {
  const shown: FleetCluster = {
    ...cluster('evil', 'prod'),
    profile: { namespace: 'x', name: 'evil', manager: 'm', displayName: 'prod' },
  };
  const { contexts } = attached([shown], [{ name: 'prod', context: 'prod' }]);

  assert.deepEqual(contexts, [undefined]);
});
