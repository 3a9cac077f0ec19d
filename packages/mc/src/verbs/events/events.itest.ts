import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client } from '@flotilla/client';
import { parseYaml } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { eventually } from '@flotilla/testkit';
import { type FleetServer, jsonAnswer, refusalAnswer } from '../../testing/fleet-server.ts';
import { type McRun, runMc, startMc } from '../../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../../testing/start-fleet.ts';
import { createNamespace } from '../get/testing/objects.ts';

const NOW = '2026-01-01T12:00:00Z';
const PATIENCE = { withinMs: 30_000 };

const minutesAgo = (minutes: number): string =>
  new Date(Date.parse(NOW) - minutes * 60_000).toISOString().replace('.000', '');

interface EventFields {
  readonly namespace?: string;
  readonly [field: string]: unknown;
}

async function createEvent(client: Client, name: string, fields: EventFields): Promise<void> {
  const { namespace = 'default', ...rest } = fields;
  const body = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace, name: 'web' },
    type: 'Normal',
    reason: 'Started',
    message: `this is ${name}`,
    ...rest,
  };
  await client.raw({ method: 'POST', path: `/api/v1/namespaces/${namespace}/events`, body });
}

/** Seen once, so many minutes ago. */
const seen = (minutes: number) => ({
  firstTimestamp: minutesAgo(minutes),
  lastTimestamp: minutesAgo(minutes),
  count: 1,
});

describe('events of three clusters', () => {
  let fleet: TestFleet;
  const events = (...args: string[]) =>
    runMc(['events', ...args], { ...fleet, clock: new ManualClock(NOW) });

  before(async () => {
    fleet = await startFleet({ members: 3 });
    const [c1, c2, c3] = ['c1', 'c2', 'c3'].map((name) => fleet.member(name).client);
    assert.ok(c1 && c2 && c3);
    for (const { client } of fleet.members) await createNamespace(client, 'team-a');
    await createEvent(c1, 'old', seen(60));
    await createEvent(c1, 'new', { ...seen(1), type: 'Warning', reason: 'BackOff' });
    await createEvent(c2, 'often', {
      firstTimestamp: minutesAgo(300),
      lastTimestamp: minutesAgo(30),
      count: 12,
    });
    await createEvent(c2, 'deployed', {
      ...seen(20),
      involvedObject: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    });
    await createEvent(c3, 'series', {
      type: 'Warning',
      reason: 'FailedScheduling',
      message: 'two\nlines \u001b[31mred\u001b[0m ',
      action: 'Scheduling',
      reportingComponent: 'scheduler',
      reportingInstance: 'one',
      eventTime: '2026-01-01T11:00:00.500000Z',
      series: { count: 7, lastObservedTime: '2026-01-01T11:50:00.250000Z' },
    });
    await createEvent(c3, 'elsewhere', { ...seen(5), namespace: 'team-a' });
  });
  after(() => fleet[Symbol.asyncDispose]());

  test('are one table in the order they were last seen, and no message can look like another', async () => {
    const { code, stdout, stderr } = await events();

    assert.equal(
      stdout,
      `CLUSTER   LAST SEEN             TYPE      REASON             OBJECT           MESSAGE
c1        60m                   Normal    Started            Pod/web          this is old
c2        30m (x12 over 5h)     Normal    Started            Pod/web          this is often
c2        20m                   Normal    Started            Deployment/web   this is deployed
c3        9m59s (x7 over 59m)   Warning   FailedScheduling   Pod/web          two\\nlines ^[[31mred^[[0m
c1        60s                   Warning   BackOff            Pod/web          this is new
`,
    );
    assert.deepEqual([code, stderr], [0, '']);
  });

  test('may be of several namespaces, which are a column then', async () => {
    const all = await events('-A', '--no-headers');
    const two = await events('-n', 'team-a,default', '--types', 'normal');
    const reason = (text: string) => text.split('\n').map((line) => line.trim().split(/ {3,}/));

    assert.equal(all.stdout.split('\n').length, 7);
    assert.match(all.stdout, /^c3 +team-a +5m +Normal/m);
    assert.deepEqual(reason(two.stdout)[0]?.slice(0, 3), ['CLUSTER', 'NAMESPACE', 'LAST SEEN']);
    assert.deepEqual(
      reason(two.stdout)
        .slice(1, -1)
        .map(([cluster, namespace]) => `${cluster} ${namespace}`),
      ['c1 default', 'c2 default', 'c2 default', 'c3 team-a'],
    );
  });

  test('are chosen by what they are about, which may be of one cluster', async () => {
    const deployed = await events('--for', 'deploy/web', '--no-headers');
    const own = await events('--for', 'c1:pod/web', '--no-headers', '--types=Warning');
    const names = (text: string) => text.match(/this is \w+/g);

    assert.deepEqual(names(deployed.stdout), ['this is deployed']);
    assert.deepEqual(names(own.stdout), ['this is new']);
    fleet.forgetRequests();
    await events('--for', 'c1:pod/web');
    assert.equal(fleet.member('c2').requests.length, 0);
    const [asked] = fleet.member('c1').requests;
    assert.equal(
      asked?.query.get('fieldSelector'),
      'involvedObject.kind=Pod,involvedObject.apiVersion=v1,involvedObject.name=web',
    );
  });

  test('that are not there are told once, in the words of kubectl', async () => {
    const nothing = (stderr: string) => ({ code: 0, stdout: '', stderr });
    assert.deepEqual(
      await events('-n', 'nowhere'),
      nothing('No events found in nowhere namespace.\n'),
    );
    assert.deepEqual(await events('--for', 'cm/none', '-A'), nothing('No events found.\n'));
  });

  for (const [args, text] of [
    [['--for', 'pod'], '--for must be in resource/name form'],
    [['--for', 'a/b/c'], 'arguments in resource/name form may not have more than one slash'],
    [['--types', 'Error'], 'valid --types are Normal or Warning'],
  ] as const) {
    test(`${args.join(' ')} is refused before anybody is asked`, async () => {
      fleet.forgetRequests();
      const { code, stdout, stderr } = await events(...args);
      assert.deepEqual([code, stdout, stderr], [1, '', `error: ${text}\n`]);
      assert.deepEqual(
        fleet.members.map(({ requests }) => requests.length),
        [0, 0, 0],
      );
    });
  }

  test('are objects in one order, too', async () => {
    const order = ['old', 'often', 'deployed', 'series', 'new'];
    const named = await events('-o', 'name');
    const flat = await events('-o', 'yaml', '--flat');
    const lines = await events('-o', 'ndjson');
    const path = await events('-o', 'jsonpath={.items[*].metadata.name}');

    assert.equal(
      named.stdout,
      'c1:event/old\nc2:event/often\nc2:event/deployed\nc3:event/series\nc1:event/new\n',
    );
    const list = parseYaml(flat.stdout).value as { items: { metadata: { name: string } }[] };
    assert.deepEqual(
      list.items.map(({ metadata }) => metadata.name),
      order,
    );
    const objects = lines.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      objects.map(({ metadata }) => [metadata.name, metadata.annotations]),
      order.map((name, index) => [
        name,
        { 'kubectl-mc.k8s.io/cluster': ['c1', 'c2', 'c2', 'c3', 'c1'][index] },
      ]),
    );
    assert.equal(path.stdout, order.join(' '));
  });

  test('of clusters that answer are shown beside those that do not', async () => {
    fleet
      .member('c2')
      .answerWith(async () => refusalAnswer(403, 'Forbidden', 'events is forbidden'));
    try {
      const table = await events();
      const json = await events('-o', 'json');

      assert.equal(table.stdout.split('\n').length, 5);
      assert.match(table.stderr, /^Warning: Failed to query 1\/3 clusters/m);
      assert.match(table.stderr, /^ {2}c2: forbidden: events is forbidden/m);
      const { clusters, summary } = JSON.parse(json.stdout);
      assert.deepEqual(
        clusters.map((each: { cluster: string; items: unknown[] }) => each.items.length),
        [2, 0, 1],
      );
      assert.deepEqual([summary.total, summary.successful, summary.failed], [3, 2, 1]);
      assert.deepEqual([table.code, json.code], [3, 3]);
    } finally {
      fleet.member('c2').answerWith(undefined);
    }
  });

  test('that make no sense are shown as far as they do', async () => {
    const items = [
      { metadata: { name: 'a', namespace: 'default' }, lastTimestamp: 'yesterday', series: null },
      { metadata: { name: 'b' }, involvedObject: null, eventTime: null, count: 3, message: 'b' },
    ];
    fleet
      .member('c2')
      .answerWith(async () => jsonAnswer(200, { kind: 'EventList', metadata: {}, items }));
    try {
      const { code, stdout } = await events('--clusters', 'c2', '--no-headers');
      assert.equal(code, 0);
      assert.deepEqual(
        stdout
          .trimEnd()
          .split('\n')
          .map((line) => line.trim().replace(/ +/g, ' ')),
        ['c2 <unknown> /', 'c2 <unknown> (x3 over <unknown>) / b'],
      );
    } finally {
      fleet.member('c2').answerWith(undefined);
    }
  });
});

describe('events that are watched', () => {
  async function rowsOf(run: McRun, count: number): Promise<string[]> {
    const look = () => run.stdout().split('\n').slice(0, -1);
    return await eventually(look, ({ length }) => length >= count, PATIENCE);
  }
  async function watches({ requests }: FleetServer): Promise<void> {
    const isWatch = () => requests.some(({ query }) => query.get('watch') === 'true');
    await eventually(isWatch, undefined, PATIENCE);
  }
  async function interrupted(run: McRun): Promise<void> {
    run.interrupt();
    assert.equal((await run.done).code, 130);
  }

  test('come as rows, and those that are forgotten are no news', async () => {
    await using fleet = await startFleet({ members: 2 });
    const [c1, c2] = [fleet.member('c1'), fleet.member('c2')];
    await createEvent(c1.client, 'second', seen(5));
    await createEvent(c1.client, 'first', seen(10));
    await createEvent(c1.client, 'normal', { ...seen(1), type: 'Warning' });
    const clock = new ManualClock(NOW);
    const run = startMc(['events', '-w', '--types=Normal'], { ...fleet, clock });
    await rowsOf(run, 3);
    for (const member of fleet.members) await watches(member);

    const path = '/api/v1/namespaces/default/events';
    await c1.client.raw({ method: 'DELETE', path: `${path}/first` });
    await createEvent(c2.client, 'unwanted', { ...seen(0), type: 'Warning' });
    await createEvent(c2.client, 'third', seen(0));
    await rowsOf(run, 4);
    const found = await c1.client.raw({ method: 'GET', path: `${path}/second` });
    const body = { ...(found as object), count: 2, lastTimestamp: NOW };
    await c1.client.raw({ method: 'PUT', path: `${path}/second`, body });

    const rows = await rowsOf(run, 5);
    assert.deepEqual(
      rows.map((row) => row.replace(/ +/g, ' ')),
      [
        'CLUSTER LAST SEEN TYPE REASON OBJECT MESSAGE',
        'c1 10m Normal Started Pod/web this is first',
        'c1 5m Normal Started Pod/web this is second',
        'c2 0s Normal Started Pod/web this is third',
        'c1 0s (x2 over 5m) Normal Started Pod/web this is second',
      ],
    );
    await interrupted(run);
    assert.equal(run.stderr(), '');
  });

  test('are objects where a format says so, and a cluster that is down joins later', async () => {
    await using fleet = await startFleet({ members: 2 });
    const c2 = fleet.member('c2');
    for (const { client, name } of fleet.members) await createEvent(client, `of-${name}`, seen(1));
    await c2.server.stop();
    const clock = new ManualClock(NOW);
    const argv = ['events', '-w', '-o', 'name', '--retries', '0'];
    const run = startMc(argv, { ...fleet, clock });
    await rowsOf(run, 1);
    await eventually(() => /^c2: unreachable, retrying: /m.test(run.stderr()), undefined, PATIENCE);
    await c2.server.start();
    await clock.advance(1_000);
    await rowsOf(run, 2);
    await watches(c2);
    await createEvent(c2.client, 'later', seen(0));

    assert.deepEqual(await rowsOf(run, 3), ['c1:event/of-c1', 'c2:event/of-c2', 'c2:event/later']);
    await interrupted(run);
  });
});
