import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Client, Pods } from '@flotilla/client';
import { ManualClock } from '@flotilla/machinery/testing';
import { eventually } from '@flotilla/testkit';
import { scriptWatches } from '../../follow/testing/scripted-watch.ts';
import { type FleetServer, jsonAnswer, refusalAnswer } from '../../testing/fleet-server.ts';
import { type McRun, runMc, startMc } from '../../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../../testing/start-fleet.ts';
import { createPod, createWidget } from './testing/objects.ts';

const PATIENCE = { withinMs: 30_000 };

/** Rows so far, as words; only the first `columns`, as ages change. */
function rows(run: McRun, columns = 2): string[] {
  const lines = run.stdout().split('\n').slice(0, -1);
  return lines.map((line) => line.trim().split(/ +/).slice(0, columns).join(' '));
}

async function rowsOf(run: McRun, count: number, columns = 2): Promise<string[]> {
  return await eventually(
    () => rows(run, columns),
    ({ length }) => length >= count,
    PATIENCE,
  );
}

/** Until so many watches have been asked for, from the beginning or since requests were forgotten. */
async function watches({ requests }: FleetServer, count = 1): Promise<URLSearchParams[]> {
  const asked = () =>
    requests.flatMap(({ query }) => (query.get('watch') === 'true' ? [query] : []));
  return await eventually(asked, ({ length }) => length >= count, PATIENCE);
}

async function told(run: McRun, text: RegExp): Promise<void> {
  await eventually(() => text.test(run.stderr()), undefined, PATIENCE).catch(() => {
    assert.match(run.stderr(), text);
  });
}

async function interrupted(run: McRun): Promise<void> {
  run.interrupt();
  const { code, stderr } = await run.done;
  assert.equal(code, 130);
  assert.doesNotMatch(stderr, /[Cc]ancelled|Failed/);
}

const key = (name: string) => ({ name, namespace: 'default' });

async function label(client: Client, name: string, value: string): Promise<void> {
  await client.patch(Pods, key(name), {
    type: 'merge',
    body: { metadata: { labels: { v: value } } },
  });
}

async function remove(client: Client, name: string): Promise<void> {
  await client.delete(Pods, key(name), { gracePeriodSeconds: 0 });
}

/** Lets time go by in small steps, and servers answer what is asked of them meanwhile, such as pings. */
async function pass(clock: ManualClock, ms: number, { client }: FleetServer): Promise<void> {
  for (let left = ms; left > 0; left -= 5_000) {
    await clock.advance(Math.min(left, 5_000));
    await client.raw({ method: 'GET', path: '/version' });
  }
}

/** A run whose time stands still: what it prints, it prints because something happened and not because time went by. */
function timeless(fleet: TestFleet, ...args: string[]): { run: McRun; clock: ManualClock } {
  const clock = new ManualClock();
  return { run: startMc(['get', ...args], { ...fleet, clock }), clock };
}

describe('get --watch on three clusters', () => {
  test('MC-60 an event on one cluster is a row at once, below one header', async () => {
    await using fleet = await startFleet({ members: 3 });
    for (const { client } of fleet.members) await createPod(client, 'web');
    const { run } = timeless(fleet, 'pods', '-w');
    await rowsOf(run, 4);
    for (const member of fleet.members) await watches(member);

    await createPod(fleet.member('c2').client, 'later');

    assert.deepEqual((await rowsOf(run, 5)).toSorted(), [
      'NAME CLUSTER',
      'later c2',
      'web c1',
      'web c2',
      'web c3',
    ]);
    assert.equal(rows(run).at(-1), 'later c2');
    await interrupted(run);
    assert.equal(run.stderr(), '');
  });

  test('MC-60 a history that is forgotten costs no row twice: only what changed meanwhile is told', async () => {
    await using fleet = await startFleet({ members: 3 });
    const [c1, c2] = [fleet.member('c1'), fleet.member('c2')];
    for (const name of ['changed', 'gone', 'same']) await createPod(c1.client, name);
    await createPod(c2.client, 'other');
    const { run, clock } = timeless(fleet, 'pods', '-w', '--output-watch-events');
    await rowsOf(run, 5);
    await watches(c1);
    await c1.server.stop();
    await told(run, /^c1: watch lost, retrying$/m);

    await c1.server.start();
    await label(c1.client, 'changed', '2');
    await remove(c1.client, 'gone');
    await createPod(c1.client, 'new');
    await c1.server.compact();
    fleet.forgetRequests();
    await clock.advance(1_000);

    const all = await rowsOf(run, 8, 3);
    assert.deepEqual(all.slice(5).toSorted(), [
      'ADDED new c1',
      'DELETED gone c1',
      'MODIFIED changed c1',
    ]);
    const [stale, fresh] = await watches(c1, 2);
    assert.notEqual(stale?.get('resourceVersion'), fresh?.get('resourceVersion'));
    await label(c1.client, 'same', '2');
    assert.equal((await rowsOf(run, 9, 3)).at(-1), 'MODIFIED same c1');
    await interrupted(run);
    assert.equal(run.stderr(), 'c1: watch lost, retrying\n');
  });

  test('MC-60 a cluster that is down at the start joins when it comes up', async () => {
    await using fleet = await startFleet({ members: 3 });
    for (const { client } of fleet.members) await createPod(client, 'web');
    const c3 = fleet.member('c3');
    await c3.server.stop();
    const { run, clock } = timeless(fleet, 'pods', '-w', '--retries', '0');
    await rowsOf(run, 3);
    await told(run, /^c3: unreachable, retrying: /m);

    await c3.server.start();
    await clock.advance(1_000);

    assert.equal((await rowsOf(run, 4)).at(-1), 'web c3');
    await watches(c3);
    await createPod(c3.client, 'later');
    assert.equal((await rowsOf(run, 5)).at(-1), 'later c3');
    await interrupted(run);
    assert.equal(run.stderr().match(/^c3: /gm)?.length, 1);
  });

  test('a connection that is cut goes on from the last event and repeats nothing', async () => {
    await using fleet = await startFleet({ members: 2 });
    const c1 = fleet.member('c1');
    await createPod(c1.client, 'web');
    const { run, clock } = timeless(fleet, 'pods', '-w');
    await watches(c1);
    await createPod(c1.client, 'second');
    await rowsOf(run, 3);
    const second = await c1.client.get(Pods, key('second'));

    await c1.server.stop();
    await told(run, /^c1: watch lost, retrying$/m);
    await c1.server.start();
    await createPod(c1.client, 'third');
    fleet.forgetRequests();
    await clock.advance(1_000);

    assert.deepEqual(await rowsOf(run, 4), ['NAME CLUSTER', 'web c1', 'second c1', 'third c1']);
    const [resumed] = await watches(c1);
    assert.equal(resumed?.get('resourceVersion'), second.metadata.resourceVersion);
    assert.equal(c1.requests.filter(({ query }) => query.get('watch') === null).length, 0);
    await interrupted(run);
  });
});

describe('a watch that does not go as it should', () => {
  test('failures are tried again after 1 to 30 seconds, however long each takes, and are told once', async () => {
    await using fleet = await startFleet({ members: 2 });
    const [c1, c2] = [fleet.member('c1'), fleet.member('c2')];
    await createPod(c2.client, 'web');
    const clock = new ManualClock();
    const times: number[] = [];
    c1.answerWith(async (request, next) => {
      if (request.query.get('watch') !== 'true') return await next(request);
      times.push(clock.elapsed());
      await clock.wait(2_000);
      return refusalAnswer(500, 'InternalError', 'no watches today');
    });
    const run = startMc(['get', 'pods', '-w', '-v=1'], { ...fleet, clock, random: () => 0.5 });
    await rowsOf(run, 2);
    for (let count = 1; count <= 8; count += 1) {
      await eventually(() => times.length === count, undefined, PATIENCE);
      await eventually(
        async () => {
          if (times.length === count) await clock.advance(500);
          return times.length > count;
        },
        undefined,
        { ...PATIENCE, everyMs: 1 },
      );
    }
    const waits = times.slice(1).map((time, index) => (time - (times[index] ?? 0) - 2_000) / 1_000);
    // Time moves in steps of half a second while answers are on their way.
    for (const [index, least] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      const wait = waits[index] ?? 0;
      assert.ok(wait >= least && wait < least * 1.5 + 2, `${waits}`);
    }
    await interrupted(run);
    assert.equal(
      run.stderr().match(/^c1: watch lost, retrying \(error: .*no watches today.*\)$/gm)?.length,
      1,
    );
  });

  test('a bookmark is where it goes on, and a server that ends watches in time is nothing to tell', async () => {
    await using fleet = await startFleet({ members: 1 });
    const c1 = fleet.member('c1');
    await createPod(c1.client, 'web');
    const { run, clock } = timeless(fleet, 'pods', '-w');
    const watch = scriptWatches(c1);
    await rowsOf(run, 2);
    await eventually(() => watch.open() === 1, undefined, PATIENCE);

    watch.send({
      type: 'BOOKMARK',
      object: {
        kind: 'Table',
        apiVersion: 'meta.k8s.io/v1',
        metadata: { resourceVersion: '4711' },
        rows: [],
      },
    });
    await clock.advance(5_000);
    watch.end();

    const [first, second] = await watches(c1, 2);
    assert.equal(first?.get('allowWatchBookmarks'), 'true');
    assert.ok(Number(first?.get('timeoutSeconds')) >= 300);
    assert.equal(second?.get('resourceVersion'), '4711');
    await interrupted(run);
    assert.equal(run.stderr(), '');
  });

  test('a connection on which nothing comes any more is given up', async () => {
    await using fleet = await startFleet({ members: 1 });
    const c1 = fleet.member('c1');
    await createPod(c1.client, 'web');
    const { run, clock } = timeless(fleet, 'pods', '-w');
    const watch = scriptWatches(c1);
    await rowsOf(run, 2);
    await eventually(() => watch.open() === 1, undefined, PATIENCE);
    await pass(clock, 145_000, c1);
    assert.equal(watch.open(), 1);

    c1.answerWith(undefined);
    await pass(clock, 10_000, c1);
    await told(run, /^c1: watch lost, retrying$/m);
    await eventually(() => watch.open() === 0, undefined, PATIENCE);
    await watches(c1, 2);
    await createPod(c1.client, 'later');

    assert.equal((await rowsOf(run, 3)).at(-1), 'later c1');
    await interrupted(run);
  });

  test('a watch that never begins is given up, too', async () => {
    await using fleet = await startFleet({ members: 1 });
    const c1 = fleet.member('c1');
    await createPod(c1.client, 'web');
    let asked = 0;
    c1.answerWith(async (request, next) => {
      if (request.query.get('watch') !== 'true') return await next(request);
      asked += 1;
      return await new Promise(() => {});
    });
    const { run, clock } = timeless(fleet, 'pods', '-w');
    await eventually(() => asked === 1, undefined, PATIENCE);
    await pass(clock, 145_000, c1);
    assert.equal(run.stderr(), '');
    c1.answerWith(undefined);
    await pass(clock, 10_000, c1);
    await told(run, /^c1: watch lost, retrying$/m);
    await watches(c1, 2);
    await interrupted(run);
  });

  test('a stream that makes no sense is left, and everything is listed anew', async () => {
    await using fleet = await startFleet({ members: 1 });
    const c1 = fleet.member('c1');
    await createPod(c1.client, 'web');
    const { run, clock } = timeless(fleet, 'pods', '-w');
    const watch = scriptWatches(c1);
    await rowsOf(run, 2);
    await eventually(() => watch.open() === 1, undefined, PATIENCE);
    await createPod(c1.client, 'unheard');

    watch.sendText('{"type":"ADDED","object":7}\n');
    await told(run, /^c1: watch lost, retrying$/m);
    c1.answerWith(undefined);
    await clock.advance(1_000);

    assert.deepEqual(await rowsOf(run, 3), ['NAME CLUSTER', 'web c1', 'unheard c1']);
    await interrupted(run);
  });

  test('a Table that is none is an error of its cluster alone, in a list and in a watch', async () => {
    await using fleet = await startFleet({ members: 3 });
    const [c1, c2, c3] = [fleet.member('c1'), fleet.member('c2'), fleet.member('c3')];
    for (const { client } of fleet.members) await createPod(client, 'web');
    const rows = [{ cells: 'x' }, null, 3];
    const table = { kind: 'Table', metadata: 'none', columnDefinitions: {}, rows };
    c2.answerWith(async () => jsonAnswer(200, table));
    const watch = scriptWatches(c3);
    const { run, clock } = timeless(fleet, 'pods', '-w');
    await told(run, /^c2: error: Cannot make sense of what the server sent/m);
    await eventually(() => watch.open() === 1, undefined, PATIENCE);
    watch.send({ type: 'ADDED', object: table });
    await told(run, /^c3: watch lost, retrying$/m);
    c3.answerWith(undefined);
    await clock.advance(1_000);
    await watches(c1);
    for (const { client } of [c1, c3]) await createPod(client, 'later');

    const seen = await rowsOf(run, 5);
    assert.deepEqual(seen.toSorted(), ['NAME CLUSTER', 'later c1', 'later c3', 'web c1', 'web c3']);
    await interrupted(run);
  });

  test('a server that hangs up after every word is not asked more than once a second', async () => {
    await using fleet = await startFleet({ members: 1 });
    const c1 = fleet.member('c1');
    await createPod(c1.client, 'web');
    const { run, clock } = timeless(fleet, 'pods', '-w');
    const watch = scriptWatches(c1);
    await rowsOf(run, 2);
    for (let version = 1; version <= 3; version += 1) {
      await eventually(() => watch.open() === 1, undefined, PATIENCE);
      const metadata = { resourceVersion: `${9_000 + version}` };
      watch.send({ type: 'BOOKMARK', object: { kind: 'Table', metadata, rows: [] } });
      watch.end();
      await told(run, /^c1: watch lost, retrying$/m);
      await eventually(() => clock.waiting > 0, undefined, PATIENCE);
      assert.equal((await watches(c1)).length, version);
      await clock.advance(1_000 * 2 ** (version - 1));
      await watches(c1, version + 1);
    }
    await interrupted(run);
    assert.equal(run.stderr().match(/watch lost/g)?.length, 1);
  });

  test('who refuses is told and left, and the others go on', async () => {
    await using fleet = await startFleet({ members: 2 });
    for (const { client } of fleet.members) await createPod(client, 'web');
    fleet
      .member('c2')
      .answerWith(async () => refusalAnswer(403, 'Forbidden', 'pods is forbidden: not for you'));
    const { run } = timeless(fleet, 'pods', '-w');
    await told(run, /^c2: forbidden: pods is forbidden: not for you$/m);
    await watches(fleet.member('c1'));
    await createPod(fleet.member('c1').client, 'later');

    assert.deepEqual(await rowsOf(run, 3), ['NAME CLUSTER', 'web c1', 'later c1']);
    await interrupted(run);
  });

  test('a fleet of which no cluster answers is no fleet to wait for', async () => {
    await using fleet = await startFleet({ members: 2 });
    for (const { server } of fleet.members) await server.stop();
    const { code, stdout, stderr } = await runMc(['get', 'pods', '-w', '--retries', '0'], fleet);
    for (const { server } of fleet.members) await server.start();

    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /c1: unreachable/);
    assert.match(stderr, /c2: unreachable/);
    assert.doesNotMatch(stderr, /retrying/);
  });
});

describe('what is watched', () => {
  test('one object comes and goes, also where it was not at first', async () => {
    await using fleet = await startFleet({ members: 2 });
    const [c1, c2] = [fleet.member('c1'), fleet.member('c2')];
    for (const name of ['web', 'other']) await createPod(c1.client, name);
    const { run } = timeless(fleet, 'pod', 'web', '-w', '--output-watch-events');
    await rowsOf(run, 2);
    await watches(c1);
    const [asked] = await watches(c2);
    assert.equal(asked?.get('fieldSelector'), 'metadata.name=web');

    await createPod(c2.client, 'other');
    await createPod(c2.client, 'web');
    await rowsOf(run, 3);
    await remove(c2.client, 'web');
    await eventually(() => /^DELETED/m.test(run.stdout()), undefined, PATIENCE);

    const seen = rows(run, 3);
    assert.deepEqual(seen.slice(0, 3), ['EVENT NAME CLUSTER', 'ADDED web c1', 'ADDED web c2']);
    assert.equal(seen.at(-1), 'DELETED web c2');
    assert.ok(seen.every((row) => !row.includes('other')));
    await interrupted(run);
  });

  test('an object that no cluster has is an error, unless that is no error', async () => {
    await using fleet = await startFleet({ members: 2 });
    assert.deepEqual(await runMc(['get', 'pod', 'none', '-w'], fleet), {
      code: 1,
      stdout: '',
      stderr: 'Error from server (NotFound): pods "none" not found (in 2 clusters)\n',
    });
    assert.deepEqual(await runMc(['get', 'pod', 'none', '-w', '--ignore-not-found'], fleet), {
      code: 0,
      stdout: '',
      stderr: '',
    });
    assert.deepEqual(await runMc(['get', 'gadgets', '-w', '--ignore-not-found'], fleet), {
      code: 1,
      stdout: '',
      stderr: 'error: the server doesn\'t have a resource type "gadgets"\n',
    });
  });

  test('a kind that one cluster does not know is watched on the others', async () => {
    await using fleet = await startFleet({ members: 2 });
    await createWidget(fleet.member('c2').client, 'one', { text: 'a' });
    const { run } = timeless(fleet, 'widgets', '-w');
    await rowsOf(run, 2);
    await watches(fleet.member('c2'));
    await createWidget(fleet.member('c2').client, 'two', { text: 'b' });
    assert.deepEqual(await rowsOf(run, 3, 3), ['NAME CLUSTER TEXT', 'one c2 a', 'two c2 b']);
    await interrupted(run);
    assert.equal(run.stderr(), '');
  });

  test('globs, selectors and namespaces choose as without --watch', async () => {
    await using fleet = await startFleet({ members: 1 });
    const { client } = fleet.member('c1');
    await createPod(client, 'web-1', { labels: { app: 'web' } });
    await createPod(client, 'api-1', { labels: { app: 'api' } });
    const glob = timeless(fleet, 'pods', 'web-*', '-w', '--no-headers').run;
    const selected = timeless(fleet, 'pods', '-l', 'app=api', '-w', '-L', 'app', '-A').run;
    await rowsOf(glob, 1);
    await rowsOf(selected, 2);
    await watches(fleet.member('c1'), 2);

    await createPod(client, 'api-2', { labels: { app: 'api' } });
    await createPod(client, 'web-2', { labels: { app: 'web' } });

    assert.deepEqual(await rowsOf(glob, 2), ['web-1 c1', 'web-2 c1']);
    assert.deepEqual(await rowsOf(selected, 3), [
      'NAMESPACE NAME',
      'default api-1',
      'default api-2',
    ]);
    await interrupted(glob);
    await interrupted(selected);
  });

  test('what cannot be watched together is refused in the words of kubectl', async () => {
    await using fleet = await startFleet({ members: 1 });
    const refused = async (...args: string[]) => {
      const { code, stderr } = await runMc(['get', ...args, '-w'], fleet);
      assert.equal(code, 1);
      return stderr;
    };
    assert.equal(
      await refused('pods,services'),
      'error: you may only specify a single resource type\n',
    );
    assert.equal(
      await refused('pod', 'a', 'b'),
      'error: you may only watch a single resource or type of resource at a time\n',
    );
    assert.equal(
      await refused('pods', '-o', 'csv'),
      'error: --watch cannot be used with csv printer\n',
    );
  });
});

describe('how a watch is shown', () => {
  test('--watch-only leaves out what was there', async () => {
    await using fleet = await startFleet({ members: 2 });
    for (const { client } of fleet.members) await createPod(client, 'web');
    const { run } = timeless(fleet, 'pods', '--watch-only');
    for (const member of fleet.members) await watches(member);
    await createPod(fleet.member('c2').client, 'later');
    assert.deepEqual(await rowsOf(run, 2), ['NAME CLUSTER', 'later c2']);
    await interrupted(run);
  });

  test('--sort-by is for what was there, and kubectl says so', async () => {
    await using fleet = await startFleet({ members: 1 });
    const { client } = fleet.member('c1');
    for (const [name, order] of [
      ['a', '3'],
      ['b', '1'],
      ['c', '2'],
    ] as const) {
      await createPod(client, name, { annotations: { order } });
    }
    const sort = ['--sort-by', '.metadata.annotations.order'];
    const { run } = timeless(fleet, 'pods', '-w', '--no-headers', ...sort);
    const only = timeless(fleet, 'pods', '--watch-only', ...sort).run;

    assert.deepEqual(await rowsOf(run, 3, 1), ['b', 'c', 'a']);
    await watches(fleet.member('c1'), 2);
    await interrupted(run);
    await interrupted(only);
    assert.equal(
      run.stderr(),
      'warning: --watch requested, --sort-by will be ignored for watch events received\n',
    );
    assert.equal(only.stderr(), 'warning: --watch-only requested, --sort-by will be ignored\n');
    assert.equal(only.stdout(), '');
  });

  for (const [format, first, second] of [
    ['name', 'c1:pod/web\n', 'c1:pod/later\n'],
    ['jsonpath={.metadata.name};', 'web;', 'later;'],
    ['go-template={{.metadata.name}} ', 'web ', 'later '],
    ['custom-columns=N:.metadata.name', 'CLUSTER   N\nc1        web\n', 'c1        later\n'],
  ] as const) {
    test(`-o ${format} shows each change as it shows an object`, async () => {
      await using fleet = await startFleet({ members: 1 });
      const { client } = fleet.member('c1');
      await createPod(client, 'web');
      const { run } = timeless(fleet, 'pods', '-w', '-o', format);
      await eventually(() => run.stdout() === first, undefined, PATIENCE);
      await watches(fleet.member('c1'));
      await createPod(client, 'later');
      await eventually(() => run.stdout() === first + second, undefined, PATIENCE);
      await interrupted(run);
    });
  }

  test('-o json and yaml show objects with their cluster, and events with what they are', async () => {
    await using fleet = await startFleet({ members: 1 });
    const { client } = fleet.member('c1');
    await createPod(client, 'web');
    const json = timeless(fleet, 'pods', '-w', '-o', 'json').run;
    const events = timeless(fleet, 'pods', '-w', '-o', 'json', '--output-watch-events').run;
    const yaml = timeless(fleet, 'pods', '-w', '-o', 'yaml').run;
    await watches(fleet.member('c1'), 3);
    await createPod(client, 'later');
    for (const run of [json, events, yaml]) {
      await eventually(() => run.stdout().includes('later'), undefined, PATIENCE);
      await interrupted(run);
    }

    const objects = json
      .stdout()
      .split(/\n(?=\{)/)
      .map((text) => JSON.parse(text));
    assert.deepEqual(
      objects.map(({ metadata }) => [metadata.name, metadata.annotations]),
      ['web', 'later'].map((name) => [name, { 'kubectl-mc.k8s.io/cluster': 'c1' }]),
    );
    assert.deepEqual(
      events
        .stdout()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .map(({ type, object }) => [type, object.kind, object.metadata.name]),
      [
        ['ADDED', 'Pod', 'web'],
        ['ADDED', 'Pod', 'later'],
      ],
    );
    assert.equal(yaml.stdout().split(/^---$/m).length, 2);
    assert.match(yaml.stdout(), /^apiVersion: v1\nkind: Pod\n/);
  });
});

describe('the end of a watch', () => {
  test('--watch-timeout ends it well, and with failure where a cluster never joined', async () => {
    await using fleet = await startFleet({ members: 2 });
    for (const { client } of fleet.members) await createPod(client, 'web');
    const whole = timeless(fleet, 'pods', '-w', '--watch-timeout', '1m');
    await rowsOf(whole.run, 3);
    for (const member of fleet.members) await watches(member);
    await pass(whole.clock, 60_000, fleet.member('c1'));
    const { code, stderr } = await whole.run.done;
    assert.deepEqual([code, stderr], [0, '']);

    await fleet.member('c2').server.stop();
    const part = timeless(fleet, 'pods', '-w', '--watch-timeout', '500ms', '--retries', '0');
    await rowsOf(part.run, 2);
    await told(part.run, /^c2: unreachable, retrying: /m);
    await part.clock.advance(500);
    const ended = await part.run.done;
    await fleet.member('c2').server.start();
    assert.equal(ended.code, 3);
    assert.match(ended.stderr, /^Warning: Failed to query 1\/2 clusters/m);
    assert.match(ended.stderr, /^ {2}c2: unreachable/m);
  });

  test('nobody to read the output ends it quietly, and every connection with it', async () => {
    await using fleet = await startFleet({ members: 2 });
    for (const { client } of fleet.members) await createPod(client, 'web');
    const watch = fleet.members.map(scriptWatches);
    const { run } = timeless(fleet, 'pods', '-w');
    await eventually(() => watch.every(({ open }) => open() === 1), undefined, PATIENCE);
    run.closeReader();
    const { code, stderr } = await run.done;
    assert.deepEqual([code, stderr], [0, '']);
    await eventually(() => watch.every(({ open }) => open() === 0), undefined, PATIENCE);
  });
});
