import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FleetCluster } from '../fleet/cluster.ts';
import { everything } from '../settings/groups.ts';
import type { Selection } from '../settings/settings.ts';
import { selectClusters, wantsClustersets } from './select-clusters.ts';

interface Draft extends Partial<FleetCluster> {
  readonly manager?: string;
  readonly displayName?: string;
}

function cluster(
  name: string,
  { manager = 'm', displayName = '', ...draft }: Draft = {},
): FleetCluster {
  const cut = name.indexOf('/');
  const plain = name.slice(cut + 1);
  const namespace = cut < 0 ? 'fleet' : name.slice(0, cut);
  const aliases = [plain, `${namespace}/${plain}`, displayName].filter(
    (each) => each !== name && each !== '',
  );
  return {
    name,
    aliases,
    profile: { namespace, name: plain, manager, displayName },
    labels: {},
    properties: {},
    version: '',
    health: 'unknown',
    offers: [],
    ...draft,
  };
}

const fleet = [
  cluster('a/edge'),
  cluster('b/edge'),
  cluster('dev-1', { labels: { env: 'dev' }, displayName: 'prod-us-2' }),
  cluster('prod-eu-1', { labels: { env: 'prod', legacy: '' }, properties: { region: 'eu-1' } }),
  cluster('prod-us-1', {
    labels: { env: 'prod', 'multicluster.x-k8s.io/clusterset': 'blue' },
    properties: { 'platform.open-cluster-management.io': 'AWS', region: 'us-1' },
    displayName: 'Production US',
  }),
  cluster('prod-us-2', {
    labels: { env: 'prod' },
    manager: 'other',
    properties: { region: 'us-2' },
  }),
  cluster('prod-us-canary', { labels: { env: 'prod' } }),
];

async function select(
  selection: Partial<Selection>,
  {
    named = [],
    places = [],
    clusters = fleet,
  }: { named?: string[]; places?: string[]; clusters?: FleetCluster[] } = {},
) {
  const warnings: string[] = [];
  const chosen = await selectClusters(
    clusters,
    { ...everything, ...selection },
    {
      named,
      warn: (text) => void warnings.push(text),
      placement: async () => await Promise.resolve(places),
      pick: async (listed) => await Promise.resolve(listed.slice(0, 1)),
    },
  );
  return {
    names: chosen.map((each) => each.cluster.name),
    literal: chosen.filter(({ isNamed }) => isNamed).map((each) => each.cluster.name),
    warnings,
  };
}

const names = async (...given: Parameters<typeof select>) => (await select(...given)).names;

describe('the clusters that are meant', () => {
  test('are all when nothing is said', async () => {
    assert.equal((await names({})).length, fleet.length);
    assert.deepEqual((await select({})).literal, []);
  });

  test('MC-10 are those of --clusters without those of --exclude', async () => {
    assert.deepEqual(await names({ clusters: ['prod-*'], exclude: ['*-canary', 'dev-*'] }), [
      'prod-eu-1',
      'prod-us-1',
      'prod-us-2',
    ]);
    assert.ok((await names({ clusters: ['prod-*'] })).includes('dev-1'), 'for its display name');
    assert.deepEqual(
      await names({ clusters: ['{a,b}/edge', '/^prod-us-[12]$/'], exclude: ['dev-1'] }),
      ['a/edge', 'b/edge', 'prod-us-1', 'prod-us-2'],
    );
    assert.deepEqual(await names({ clusters: ['fleet/prod-e*'] }), ['prod-eu-1']);
  });

  test('are named by their name, their namespace and name, an alias or a display name', async () => {
    for (const name of ['prod-us-1', 'fleet/prod-us-1', 'Production US']) {
      const { names: found, literal } = await select({ clusters: [name] });
      assert.deepEqual(found, ['prod-us-1'], name);
      assert.deepEqual(literal, ['prod-us-1'], name);
    }
  });

  test('of a name are not those that only call themselves so for people', async () => {
    assert.deepEqual(await names({ clusters: ['prod-us-2'] }), ['prod-us-2']);
  });

  test('MC-3 are an error when a bare name means two', async () => {
    await assert.rejects(select({ clusters: ['edge'] }), {
      name: 'UsageError',
      message: 'cluster "edge" is ambiguous: it may be a/edge, b/edge',
    });
    assert.deepEqual(await names({ clusters: ['edg*'] }), ['a/edge', 'b/edge']);
  });

  test('MC-11 are an error with what is near when a name is misspelt', async () => {
    await assert.rejects(select({ clusters: ['prod-us-1', 'prdo-us-1'] }), {
      name: 'UsageError',
      message:
        'Cannot find cluster "prdo-us-1": nothing is called that\n\nDid you mean this?\n\tprod-us-1\n\tprod-us-2',
    });
    await assert.rejects(select({ clusters: ['something-else'] }), {
      message: /^Cannot find cluster "something-else": the clusters are a\/edge, b\/edge, /,
    });
  });

  test('are warned of when a pattern means none, and an error when all do', async () => {
    const { names: found, warnings } = await select({ clusters: ['dev-?', 'test-*'] });

    assert.deepEqual(found, ['dev-1']);
    assert.deepEqual(warnings, ['No cluster matches "test-*"']);
    await assert.rejects(select({ clusters: ['test-*', '/^q/'] }), {
      message: 'No cluster matches "test-*"\nNo cluster matches "/^q/"',
    });
  });

  test('that are to be left out and are unknown are warned of', async () => {
    const { warnings } = await select({ exclude: ['prdo-us-1', 'q*'] });

    assert.deepEqual(warnings, ['There is no cluster "prdo-us-1"', 'No cluster matches "q*"']);
  });

  test('MC-12 are chosen by labels as kubectl chooses objects', async () => {
    assert.deepEqual(await names({ clusterSelector: 'env in (prod),!legacy' }), [
      'prod-us-1',
      'prod-us-2',
      'prod-us-canary',
    ]);
    assert.deepEqual(await names({ clusterSelector: 'env notin (prod),env' }), ['dev-1']);
    assert.deepEqual(await names({ clusterSelector: 'env!=prod' }), ['a/edge', 'b/edge', 'dev-1']);
    await assert.rejects(select({ clusterSelector: 'env in (' }), {
      name: 'UsageError',
      message: /^Cannot read --cluster-selector "env in \(": /,
    });
  });

  test('are chosen by properties, set and manager', async () => {
    assert.deepEqual(await names({ properties: ['region=us-*'] }), ['prod-us-1', 'prod-us-2']);
    assert.deepEqual(await names({ properties: ['platform=AWS'] }), ['prod-us-1']);
    assert.deepEqual(await names({ properties: ['region', 'region!=us-1'] }), [
      'prod-eu-1',
      'prod-us-2',
    ]);
    assert.deepEqual(await names({ clusterset: 'blue' }), ['prod-us-1']);
    assert.deepEqual(await names({ manager: 'other' }), ['prod-us-2']);
    await assert.rejects(select({ properties: ['=x'] }), /Cannot read --property "=x"/);
  });

  test('are those that all flags allow, of several groups any', async () => {
    const group = (selection: Partial<Selection>): Selection => ({ ...everything, ...selection });
    const { names: found, warnings } = await select({
      clusters: ['prod-*'],
      groups: [
        group({ clusters: ['prod-us-1', 'gone'] }),
        group({ clusterSelector: 'env=prod', exclude: ['*-1'] }),
      ],
      exclude: ['prod-us-canary'],
    });

    assert.deepEqual(found, ['prod-us-1', 'prod-us-2']);
    assert.deepEqual(warnings, ['There is no cluster "gone"']);
  });

  test('are in the order of a placement, and what it knows and we do not is warned of', async () => {
    const { names: found, warnings } = await select(
      { placement: 'p', exclude: ['dev-1'] },
      { places: ['fleet/prod-us-2', 'b/edge', 'x/gone', 'fleet/dev-1', 'fleet/prod-us-1'] },
    );

    assert.deepEqual(found, ['prod-us-2', 'b/edge', 'prod-us-1']);
    assert.deepEqual(warnings, [
      'Placement "p" decided for 1 clusters that are not in the inventory: x/gone',
    ]);
  });

  test('are narrowed by arguments, which name them', async () => {
    const { names: found, literal } = await select(
      { clusters: ['prod-*'] },
      { named: ['prod-us-1', 'prod-us-1'] },
    );

    assert.deepEqual(found, ['prod-us-1']);
    assert.deepEqual(literal, ['prod-us-1']);
    await assert.rejects(
      select({ clusters: ['prod-*'] }, { named: ['a/edge'] }),
      /No cluster is left/,
    );
  });

  test('are picked from what is left', async () => {
    assert.deepEqual(await names({ pick: true, clusters: ['prod-us-*'], exclude: ['dev-1'] }), [
      'prod-us-1',
    ]);
  });

  test('that no flag leaves are an error', async () => {
    await assert.rejects(select({ clusterset: 'red' }), {
      name: 'UsageError',
      message: /^No cluster is left: none of 7 is chosen/,
    });
  });

  test('are found by expressions, which are given up when a name makes them endless', async () => {
    const hostile = cluster('x', { aliases: [`${'a'.repeat(60)}!`] });

    await assert.rejects(select({ clusters: ['/(a+)+$/'] }, { clusters: [hostile] }), {
      name: 'UsageError',
      message: /^Cannot use "\/\(a\+\)\+\$\/": it takes too long/,
    });
    await assert.rejects(select({ clusters: ['/(/'] }), /Cannot read "\/\(\/": /);
    await assert.rejects(select({ clusters: [`/${'a'.repeat(2_000)}/`] }), /2000 characters/);
  });

  test('may have slashes in names that are no profiles', async () => {
    const { profile: _, ...context } = cluster('arn:aws:eks:us-1:1:cluster/prod', { aliases: [] });

    assert.deepEqual(await names({ clusters: ['*prod'] }, { clusters: [context] }), [context.name]);
  });
});

test('clustersets are asked for only by those who choose by them', () => {
  const key = 'multicluster.x-k8s.io/clusterset';

  assert.equal(wantsClustersets(everything), false);
  assert.equal(wantsClustersets({ ...everything, clusterset: 'a' }), true);
  assert.equal(wantsClustersets({ ...everything, clusterSelector: `!${key}` }), true);
  assert.equal(
    wantsClustersets({ ...everything, groups: [{ ...everything, clusterset: 'a' }] }),
    true,
  );
});
