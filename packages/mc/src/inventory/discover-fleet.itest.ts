import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import { jsonAnswer, refusalAnswer } from '../testing/fleet-server.ts';
import { inventoryDeps } from '../testing/inventory-deps.ts';
import { profileOf, storeProfiles } from '../testing/profiles.ts';
import { startFleet, type TestFleet } from '../testing/start-fleet.ts';
import { discoverFleet } from './discover-fleet.ts';

const MINUTE = 60_000;

const cacheFiles = ({ homeFolder }: TestFleet) => {
  const folder = join(homeFolder, '.kube/cache/kubectl-mc/inventory');
  return readdirSync(folder).map((name) => join(folder, name));
};

const asked = ({ hub }: TestFleet) =>
  hub.requests.map(({ path, query }) => `${path}?${query}`.replace(/continue=.+/, 'continue=…'));

const LIST = '/apis/multicluster.x-k8s.io/v1alpha1/clusterprofiles';

describe('the inventory', () => {
  test('MC-1 costs one list on the hub, whatever is done with it, and no member is asked', async () => {
    await using fleet = await startFleet({ members: 3 });
    const deps = await inventoryDeps(fleet);
    const clusters = await discoverFleet(deps);

    assert.deepEqual(asked(fleet), [`${LIST}?limit=500`]);
    assert.deepEqual(
      clusters.map(({ name, health, version, mapping, offers, profile }) => [
        name,
        health,
        version,
        mapping?.context,
        offers[0]?.server,
        profile?.hub,
      ]),
      fleet.members.map(({ name, server }) => [
        name,
        'healthy',
        'v1.34.4',
        name,
        server.url,
        'hub',
      ]),
    );
    assert.equal(clusters[0]?.offers[0]?.ca, fleet.member('c1').server.access.tls.ca);
    for (const member of fleet.members) assert.equal(member.requests.length, 0);
    assert.deepEqual(deps.warnings, []);
  });

  test('MC-7 is not asked for again for five minutes, unless --refresh or --no-cache says so', async () => {
    await using fleet = await startFleet({ members: 1 });
    const clock = new ManualClock();
    const world = { ...fleet, clock };
    const requests = async (argv: string[] = [], options = {}) => {
      fleet.forgetRequests();
      const clusters = await discoverFleet(await inventoryDeps(world, argv), options);
      assert.deepEqual(clusters.length, 1);
      return fleet.hub.requests.length;
    };

    assert.equal(await requests(), 1);
    clock.jump(4 * MINUTE);
    assert.equal(await requests(), 0);
    assert.equal(await requests(['--refresh']), 1);
    clock.jump(4 * MINUTE);
    assert.equal(await requests(), 0, 'the refreshed one counts');
    assert.equal(await requests(['--no-cache']), 1);
    clock.jump(MINUTE);
    assert.equal(await requests(), 1, 'what --no-cache saw was not kept');
    assert.equal(await requests([], { forWrites: true }), 1);
    clock.jump(-MINUTE);
    assert.equal(await requests(), 1, 'a clock that was set back tells no age');

    const [file = ''] = cacheFiles(fleet);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.ok(!readFileSync(file, 'utf8').includes('"admin"'), 'no credential is kept');
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 40));
    assert.equal(await requests(), 1);
    assert.equal(await requests(), 0);
  });

  test('MC-8 comes from a file for a day when the hub is down, with a warning, and never for writes', async () => {
    await using fleet = await startFleet({ members: 2 });
    const clock = new ManualClock();
    const world = { ...fleet, clock };
    await discoverFleet(await inventoryDeps(world));
    await fleet.hub.server.stop();
    clock.jump(6 * MINUTE);

    const deps = await inventoryDeps(world);
    assert.equal((await discoverFleet(deps)).length, 2);
    assert.equal(deps.warnings.length, 1);
    assert.match(
      deps.warnings[0] ?? '',
      /^Cannot list clusters on the hub \(context "hub"\): Cannot reach "https:.*; using what it said 6m ago$/,
    );
    await assert.rejects(discoverFleet(await inventoryDeps(world), { forWrites: true }), {
      name: 'UsageError',
      message: /^Cannot list clusters on the hub \(context "hub"\): Cannot reach /,
    });
    await assert.rejects(discoverFleet(await inventoryDeps(world, ['--no-cache'])));
    clock.jump(24 * 60 * MINUTE);
    await assert.rejects(
      discoverFleet(await inventoryDeps(world)),
      /Cannot list clusters on the hub .*: Cannot reach/,
    );
  });

  test('MC-9 of many clusters is paged, complete, and survives a list that expires on the way', async () => {
    await using fleet = await startFleet({ members: 0 });
    const { hub } = fleet;
    const items = Array.from({ length: 1_200 }, (_, at) => profileOf({ name: `c${at}` }));
    let expires = false;
    // What a hub answers, without the minutes it takes to store that much.
    hub.answerWith(async ({ query }) => {
      const from = Number(query.get('continue') ?? 0);
      const limit = Number(query.get('limit') ?? items.length);
      if (from > 0 && expires) return refusalAnswer(410, 'Expired', 'too old');
      const rest = items.length - from - limit;
      return jsonAnswer(200, {
        kind: 'ClusterProfileList',
        metadata: rest > 0 ? { continue: String(from + limit) } : {},
        items: items.slice(from, from + limit),
      });
    });
    const names = new Set(items.map(({ metadata }) => metadata.name));

    const clusters = await discoverFleet(await inventoryDeps(fleet));
    assert.deepEqual(new Set(clusters.map(({ name }) => name)), names);
    assert.equal(clusters.length, 1_200);
    assert.deepEqual(asked(fleet), [
      `${LIST}?limit=500`,
      `${LIST}?limit=500&continue=…`,
      `${LIST}?limit=500&continue=…`,
    ]);

    expires = true;
    fleet.forgetRequests();
    const again = await discoverFleet(await inventoryDeps(fleet, ['--refresh']));
    assert.equal(again.length, 1_200);
    assert.deepEqual(asked(fleet), [
      `${LIST}?limit=500`,
      `${LIST}?limit=500&continue=…`,
      `${LIST}?`,
    ]);
  });

  test('of a hub whose list never ends is given up', async () => {
    await using fleet = await startFleet({ members: 0 });
    const page = {
      metadata: { continue: 'x' },
      items: Array.from({ length: 100_000 }, () => ({})),
    };
    fleet.hub.answerWith(async () => jsonAnswer(200, page));

    await assert.rejects(discoverFleet(await inventoryDeps(fleet)), /has no end/);
  });

  test('says who could not log in where, and how to; no file stands in for that', async () => {
    await using fleet = await startFleet({ members: 1 });
    await discoverFleet(await inventoryDeps(fleet));
    fleet.hub.answerWith(async () => refusalAnswer(401, 'Unauthorized', 'Unauthorized'));

    await assert.rejects(discoverFleet(await inventoryDeps(fleet, ['--refresh'])), {
      message:
        'Cannot log in to the hub (context "hub"): You must be logged in to the server (Unauthorized)\n' +
        'To log in, renew the credential of context "hub", or name another hub with --hub-context',
    });
  });

  test('MC-5 names the API that the hub lacks, and what to do without it', async () => {
    await using fleet = await startFleet({ members: 0, servesProfiles: false });

    await assert.rejects(discoverFleet(await inventoryDeps(fleet)), (error: Error) => {
      assert.match(
        error.message,
        /^the hub has no ClusterProfile API \(multicluster\.x-k8s\.io\/v1alpha1\)\n/,
      );
      assert.match(error.message, /--inventory kubeconfig/);
      return true;
    });
  });

  test('is found in a newer version of the API when the hub has left the older one', async () => {
    await using fleet = await startFleet({ members: 0 });
    fleet.hub.answerWith(async ({ path }) => {
      if (path === '/apis/multicluster.x-k8s.io') {
        return jsonAnswer(200, { versions: [{ version: '../v0' }, { version: 'v1alpha2' }] });
      }
      return path.includes('/v1alpha2/')
        ? jsonAnswer(200, { items: [profileOf({ name: 'west' })] })
        : refusalAnswer(404, 'NotFound', 'the server could not find the requested resource');
    });

    const clusters = await discoverFleet(await inventoryDeps(fleet));
    assert.deepEqual(
      clusters.map(({ name }) => name),
      ['west'],
    );
  });

  test('MC-6 that is empty is not kept, so that the first cluster is seen at once', async () => {
    await using fleet = await startFleet({ members: 1, profiles: () => [] });

    assert.deepEqual(await discoverFleet(await inventoryDeps(fleet)), []);
    await storeProfiles(fleet.hub.client, [profileOf({ name: 'first' })]);
    assert.equal((await discoverFleet(await inventoryDeps(fleet))).length, 1);
  });

  test('hears of clustersets of namespaces when somebody asks for them, and keeps them', async () => {
    await using fleet = await startFleet({ members: 1 });
    await fleet.hub.client.raw({
      method: 'PATCH',
      path: '/api/v1/namespaces/fleet',
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { 'multicluster.x-k8s.io/clusterset': 'blue' } } },
    });
    await discoverFleet(await inventoryDeps(fleet));
    fleet.forgetRequests();
    const setOf = async () => {
      const [cluster] = await discoverFleet(await inventoryDeps(fleet), { wantsClustersets: true });
      return cluster?.labels['multicluster.x-k8s.io/clusterset'];
    };

    assert.equal(await setOf(), 'blue');
    assert.equal(await setOf(), 'blue');
    assert.deepEqual(asked(fleet), [
      '/api/v1/namespaces?labelSelector=multicluster.x-k8s.io%2Fclusterset&limit=500',
    ]);
  });

  test('works without a place to keep it', async () => {
    await using fleet = await startFleet({ members: 1 });
    writeFileSync(join(fleet.homeFolder, '.kube/cache'), 'in the way');
    const deps = await inventoryDeps(fleet);

    assert.equal((await discoverFleet(deps)).length, 1);
    assert.match(deps.notes.join('\n'), /^1 Cannot keep what the hub said: /);
    rmSync(join(fleet.homeFolder, '.kube/cache'));
  });
});

describe('a user who may not list all profiles', () => {
  /** Namespaces that may be listed, with the names of their profiles. */
  const allow = ({ hub }: TestFleet, namespaces: Readonly<Record<string, readonly string[]>>) => {
    hub.answerWith(async ({ path }) => {
      const namespace = /\/namespaces\/([^/]+)\//.exec(path)?.[1];
      const names = namespace === undefined ? undefined : namespaces[namespace];
      if (names === undefined) {
        return refusalAnswer(403, 'Forbidden', 'clusterprofiles is forbidden: User "jane" cannot');
      }
      return jsonAnswer(200, {
        items: names.map((name) => profileOf({ name, namespace: namespace ?? '' })),
      });
    });
  };

  test('MC-4 gets those of the context’s namespace, which is said at -v', async () => {
    await using fleet = await startFleet({ members: 0 });
    allow(fleet, { default: ['mine'], 'fleet-system': ['other'] });
    const deps = await inventoryDeps(fleet);

    assert.deepEqual(
      (await discoverFleet(deps)).map(({ name }) => name),
      ['mine'],
    );
    assert.deepEqual(deps.notes, [
      '1 context "hub": clusterprofiles is forbidden: User "jane" cannot',
      '1 context "hub": taking the clusters of namespace "default" instead',
    ]);
  });

  test('gets those of the namespaces managers use when there are none', async () => {
    await using fleet = await startFleet({ members: 0 });
    allow(fleet, { default: [], 'fleet-system': ['a'], 'flotilla-inventory': ['b'] });

    assert.deepEqual(
      (await discoverFleet(await inventoryDeps(fleet))).map(({ name }) => name),
      ['a', 'b'],
    );
  });

  test('is told to name namespaces when none may be listed', async () => {
    await using fleet = await startFleet({ members: 0 });
    allow(fleet, { team: ['mine'] });

    await assert.rejects(
      discoverFleet(await inventoryDeps(fleet)),
      /^UsageError: Cannot list clusters on the hub \(context "hub"\): clusterprofiles is forbidden: .*\nName the namespaces that you may list with --hub-namespace/,
    );
    assert.equal(
      (await discoverFleet(await inventoryDeps(fleet, ['--hub-namespace', 'team']))).length,
      1,
    );
    await assert.rejects(
      discoverFleet(await inventoryDeps(fleet, ['--hub-namespace', 'team,other'])),
      /forbidden/,
    );
  });
});

describe('several hubs', () => {
  test('are merged; one that is down is fatal, unless partial answers are allowed', async () => {
    await using fleet = await startFleet({ members: 2, mapping: false });
    const hubs = ['--hub-context', 'hub,c1'];
    fleet
      .member('c1')
      .answerWith(async () =>
        jsonAnswer(200, { items: [profileOf({ name: 'c1' }), profileOf({ name: 'other' })] }),
      );
    const names = async (...argv: string[]) => {
      const deps = await inventoryDeps(fleet, [...hubs, '--no-cache', ...argv]);
      return [...(await discoverFleet(deps)).map(({ name }) => name), ...deps.warnings];
    };

    assert.deepEqual(await names(), ['c1', 'c2', 'other']);
    fleet.member('c1').answerWith(async () => refusalAnswer(500, 'InternalError', 'no'));
    await assert.rejects(names(), /Cannot list clusters on the hub \(context "c1"\): no/);
    assert.deepEqual(await names('--allow-partial'), [
      'c1',
      'c2',
      'Cannot list clusters on the hub (context "c1"): no',
    ]);
  });

  test('that the kubeconfig does not have are named, with what is near', async () => {
    await using fleet = await startFleet({ members: 0 });

    await assert.rejects(
      discoverFleet(await inventoryDeps(fleet, ['--hub-context', 'hbu'])),
      /Cannot find hub context "hbu" in ".*config"\s+Did you mean this\?\s+hub/,
    );
  });
});
