import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubeconfigError } from '@flotilla/client';
import { UsageError } from '../usage-error.ts';
import { createFanOut } from './create-fan-out.ts';
import type { Member } from './member.ts';
import {
  clusterOf,
  fleetNowhere,
  NOWHERE,
  routed,
  settingsOf,
  statuses,
  testDeps,
} from './testing/test-fleet.ts';

test('unhealthy clusters come last, are tried like others or are left out, as the user says', async () => {
  const clusters = [
    routed('sick', NOWHERE, { cluster: { health: 'unhealthy' } }),
    routed('fine', NOWHERE, { cluster: { health: 'healthy' } }),
    routed('who', NOWHERE),
  ];
  const orders: Record<string, string[]> = {};
  for (const unhealthy of ['last', 'try', 'skip'] as const) {
    const asked: string[] = [];
    const settings = settingsOf({ unhealthy });
    const outcomes = await createFanOut(testDeps({ settings }))(
      { clusters },
      async ({ cluster }) => void asked.push(cluster.name),
    );
    orders[unhealthy] = asked;
    assert.deepEqual(
      outcomes.map(({ cluster }) => cluster.name),
      ['sick', 'fine', 'who'],
    );
    if (unhealthy === 'skip') assert.equal(outcomes[0]?.status, 'skipped');
  }
  assert.deepEqual(orders, {
    last: ['fine', 'who', 'sick'],
    try: ['sick', 'fine', 'who'],
    skip: ['fine', 'who'],
  });
});

test('a few connections are begun at a time, however many clusters may be asked at once', async () => {
  let begun = 0;
  let most = 0;
  // Begun again once sockets had a turn; by then the next few may have been begun.
  const open = async () => {
    if (begun === 0) setImmediate(() => (begun = 0));
    begun += 1;
    most = Math.max(most, begun);
    return NOWHERE;
  };
  const clusters = Array.from({ length: 50 }, (_, at) =>
    routed(`c${at}`, NOWHERE, { route: { open } }),
  );
  const settings = settingsOf({ maxConcurrency: 50 });
  const outcomes = await createFanOut(testDeps({ settings }))({ clusters }, async () => undefined);

  assert.equal(outcomes.filter(({ status }) => status === 'ok').length, 50);
  assert.ok(most <= 8, `${most} were begun before any socket had its turn`);
});

test('a cluster without a route is skipped, and fails only when it was named', async () => {
  const none = { status: 'skipped', message: 'no way', hint: 'kubectl mc setup' } as const;
  const outcomes = await createFanOut(testDeps())(
    {
      clusters: [
        { cluster: clusterOf('a'), routing: { none }, isNamed: false },
        { cluster: clusterOf('b'), routing: { none }, isNamed: true },
        {
          cluster: clusterOf('c'),
          routing: { none: { status: 'untrusted', message: '/bin/sh\u001b[2J' } },
          isNamed: false,
        },
      ],
    },
    async () => assert.fail('asked'),
  );
  assert.deepEqual(statuses(outcomes), { a: 'skipped', b: 'noaccess', c: 'untrusted' });
  assert.deepEqual(outcomes[2]?.failure, { reason: 'UntrustedExec', message: '/bin/sh^[[2J' });
});

test('what cannot be opened has no NOWHERE, whatever kept it from it', async () => {
  const failing = (error: Error) => ({ route: { open: () => Promise.reject(error) } });
  const outcomes = await createFanOut(testDeps())(
    {
      clusters: [
        routed('file', NOWHERE, failing(new Error('ENOENT: no such file'))),
        routed('config', NOWHERE, failing(new KubeconfigError('context "x" does not exist'))),
      ],
    },
    async () => assert.fail('asked'),
  );
  assert.deepEqual(statuses(outcomes), { file: 'noaccess', config: 'noaccess' });
});

test('the namespace is that of -n, else the mapping, else the route', async () => {
  const clusters = [
    routed('plain', { ...NOWHERE, namespace: 'team-a' }),
    routed(
      'mapped',
      { ...NOWHERE, namespace: 'team-a' },
      { cluster: { mapping: { name: 'x', defaultNamespace: 'team-b' } } },
    ),
  ];
  const ask = async ({ namespace }: Member) => namespace;
  const values = async (namespaces: string[]) => {
    const kubectl = { namespaces, asGroups: [], insecureSkipTlsVerify: false };
    const deps = testDeps({ settings: settingsOf({}, { kubectl }) });
    return (await createFanOut(deps)({ clusters }, ask)).map(({ value }) => value);
  };
  assert.deepEqual(await values([]), ['team-a', 'team-b']);
  assert.deepEqual(await values(['mine', 'other']), ['mine', 'mine']);
});

test('what every cluster would refuse is thrown once everything has ended', async () => {
  const settings = settingsOf({ maxConcurrency: 1 });
  const asked: string[] = [];
  const usage = createFanOut(testDeps({ settings: settingsOf({ failFast: true }) }))(
    fleetNowhere('a', 'b'),
    async ({ cluster }) => {
      asked.push(cluster.name);
      throw new UsageError('no such column');
    },
  );
  await assert.rejects(usage, { name: 'UsageError', message: 'no such column' });
  assert.ok(asked.length <= 2);
  const broken = createFanOut(testDeps({ settings }))(fleetNowhere('a'), async () => 1, {
    onOutcome: () => {
      throw new Error('a mistake of the verb');
    },
  });
  await assert.rejects(broken, /a mistake of the verb/);
});

test('no clusters give no outcomes', async () => {
  assert.deepEqual(await createFanOut(testDeps())({ clusters: [] }, async () => 1), []);
});

test('progress hears of every cluster and is over with the run', async () => {
  const events: string[] = [];
  const progress = {
    start: (total: number) => {
      events.push(`start ${total}`);
      return {
        done: () => void events.push('done'),
        [Symbol.dispose]: () => void events.push('over'),
      };
    },
  };
  await createFanOut(testDeps({ progress }))(fleetNowhere('a', 'b'), async () => 1);
  assert.deepEqual(events, ['start 2', 'done', 'done', 'over']);
});
