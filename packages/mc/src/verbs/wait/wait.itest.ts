import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Client, Deployments, Pods } from '@flotilla/client';
import { ManualClock } from '@flotilla/machinery/testing';
import { eventually } from '@flotilla/testkit';
import type { FleetServer } from '../../testing/fleet-server.ts';
import { type McRun, runMc, startMc } from '../../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../../testing/start-fleet.ts';
import { createNamespace, createPod, createWidget } from '../get/testing/objects.ts';

const PATIENCE = { withinMs: 30_000 };
const READY = '--for=condition=Ready';

/** A run whose time stands still: it ends because something happened, or because the test lets time go by. */
function timeless(fleet: TestFleet, ...args: string[]): { run: McRun; clock: ManualClock } {
  const clock = new ManualClock();
  return { run: startMc(['wait', ...args], { ...fleet, clock }), clock };
}

const wait = (fleet: TestFleet, ...args: string[]) => runMc(['wait', ...args], fleet);

async function watched({ requests }: FleetServer, count = 1): Promise<void> {
  await eventually(
    () => requests.filter(({ query }) => query.get('watch') === 'true').length,
    (seen) => seen >= count,
    PATIENCE,
  );
}

async function told(run: McRun, text: RegExp): Promise<void> {
  await eventually(() => text.test(run.stdout() + run.stderr()), undefined, PATIENCE).catch(() => {
    assert.match(run.stdout() + run.stderr(), text);
  });
}

/** Lets time go by in small steps, and servers answer what is asked of them meanwhile, such as pings. */
async function pass(clock: ManualClock, ms: number, { client }: FleetServer): Promise<void> {
  for (let left = ms; left > 0; left -= 5_000) {
    await clock.advance(Math.min(left, 5_000));
    await client.raw({ method: 'GET', path: '/version' });
  }
}

const key = (name: string) => ({ name, namespace: 'default' });

async function setReady(client: Client, name: string, status = 'True'): Promise<void> {
  const body = { status: { conditions: [{ type: 'Ready', status }] } };
  await client.patch(Pods, key(name), { type: 'merge', body, subresource: 'status' });
}

async function remove(client: Client, name: string): Promise<void> {
  await client.delete(Pods, key(name), { gracePeriodSeconds: 0 });
}

async function createDeployment(client: Client, name: string): Promise<void> {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'x' }] } };
  const spec = { selector: { matchLabels: labels }, template };
  const metadata = key(name);
  await client.create(Deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec,
  } as never);
}

async function setAvailable(client: Client, name: string): Promise<void> {
  const body = { status: { conditions: [{ type: 'Available', status: 'True' }] } };
  await client.patch(Deployments, key(name), { type: 'merge', body, subresource: 'status' });
}

describe('wait for a condition', () => {
  test('MC-61 a cluster that never meets it is named, and the exit code is 4', async () => {
    await using fleet = await startFleet({ members: 3 });
    for (const { client } of fleet.members) await createDeployment(client, 'x');
    for (const name of ['c1', 'c3']) await setAvailable(fleet.member(name).client, 'x');

    const { run, clock } = timeless(
      fleet,
      '--for=condition=Available',
      'deploy/x',
      '--timeout=60s',
    );
    await watched(fleet.member('c2'));
    await told(run, /c3:/);
    await pass(clock, 60_000, fleet.member('c2'));

    const { stdout, stderr, code } = await run.done;
    assert.deepEqual(stdout.split('\n').toSorted(), [
      '',
      'c1:deployment.apps/x condition met',
      'c3:deployment.apps/x condition met',
    ]);
    assert.equal(stderr, 'error: timed out waiting for the condition on deployments/x (in c2)\n');
    assert.equal(code, 4);
  });

  test('ends when the last cluster meets it', async () => {
    await using fleet = await startFleet();
    for (const { client } of fleet.members) await createPod(client, 'web');
    const { run } = timeless(fleet, READY, 'pod', 'web');
    for (const member of fleet.members) await watched(member);

    await setReady(fleet.member('c2').client, 'web', 'False');
    await setReady(fleet.member('c2').client, 'web');
    await told(run, /^c2:pod\/web condition met$/m);
    await setReady(fleet.member('c1').client, 'web');

    assert.deepEqual(await run.done, {
      stdout: 'c2:pod/web condition met\nc1:pod/web condition met\n',
      stderr: '',
      code: 0,
    });
  });

  test('one cluster says what kubectl says', async () => {
    await using fleet = await startFleet({ members: 1 });
    const { client } = fleet.member('c1');
    for (const name of ['a', 'b']) await createPod(client, name);
    await setReady(client, 'a');

    const once = await wait(fleet, READY, 'pod/b', '--timeout=0');
    const both = await wait(fleet, READY, 'pods', '--all', '--timeout=0', '--cluster-column=none');
    const none = await wait(fleet, READY, 'pod/a', 'pod/none');
    const noMatch = await wait(fleet, READY, 'pods', '-l', 'app=none');
    const noType = await wait(fleet, READY, 'gadget/x');

    assert.deepEqual(once, {
      stdout: '',
      stderr: 'error: condition not met for pods/b\n',
      code: 4,
    });
    assert.deepEqual(both, {
      stdout: 'pod/a condition met\n',
      stderr: 'error: condition not met for pods/b\n',
      code: 4,
    });
    assert.deepEqual(none, {
      stdout: 'c1:pod/a condition met\n',
      stderr: 'Error from server (NotFound): pods "none" not found\n',
      code: 1,
    });
    assert.deepEqual([noMatch.stderr, noMatch.code], ['error: no matching resources found\n', 1]);
    assert.equal(noType.stderr, 'error: the server doesn\'t have a resource type "gadget"\n');
    assert.equal(noType.code, 1);
  });

  test('several that are not met are listed without being called errors, as kubectl lists them', async () => {
    await using fleet = await startFleet();
    for (const { client } of fleet.members) {
      for (const name of ['a', 'b']) await createPod(client, name);
    }
    await setReady(fleet.member('c1').client, 'b');

    const { stderr, code } = await wait(fleet, READY, 'pod', 'a', 'b', '--timeout=0');

    assert.equal(
      stderr,
      'condition not met for pods/a (in c1, c2)\ncondition not met for pods/b (in c2)\n',
    );
    assert.equal(code, 4);
  });

  test('a cluster that lacks what others have fails, one that lacks its type does not', async () => {
    await using fleet = await startFleet();
    const { client } = fleet.member('c1');
    await createPod(client, 'web');
    await setReady(client, 'web');
    await createWidget(client, 'w', { text: 'x' });

    const pods = await wait(fleet, READY, 'pod/web');
    const widgets = await wait(fleet, '--for=jsonpath={.spec.text}=x', 'widget/w');
    const widgetsOfAll = await wait(
      fleet,
      '--for=jsonpath={.spec.text}',
      'widget/w',
      '--require-all',
    );
    const selected = await wait(fleet, READY, 'pods', '--all');
    const nowhere = await wait(fleet, READY, 'pod/none');

    assert.equal(pods.stdout, 'c1:pod/web condition met\n');
    assert.match(
      pods.stderr,
      /Failed to query 1\/2 clusters.*\n {2}c2: error: pods "web" not found/,
    );
    assert.equal(pods.code, 3);
    assert.deepEqual(widgets, {
      stdout: 'c1:widget.example.com/w condition met\n',
      stderr: '',
      code: 0,
    });
    assert.equal(widgetsOfAll.code, 3);
    assert.deepEqual(selected, { stdout: 'c1:pod/web condition met\n', stderr: '', code: 0 });
    assert.equal(
      nowhere.stderr,
      'Error from server (NotFound): pods "none" not found (in 2 clusters)\n',
    );
    assert.equal(nowhere.code, 1);
  });

  test('--any ends with the first cluster and says nothing of the others', async () => {
    await using fleet = await startFleet({ members: 3 });
    for (const name of ['c1', 'c2']) await createPod(fleet.member(name).client, 'web');
    const { run } = timeless(fleet, READY, 'pod/web', '--any');
    for (const name of ['c1', 'c2']) await watched(fleet.member(name));

    await setReady(fleet.member('c2').client, 'web');

    assert.deepEqual(await run.done, { stdout: 'c2:pod/web condition met\n', stderr: '', code: 0 });
    const none = await wait(fleet, '--for=condition=Other', 'pod/web', '--any', '--timeout=0');
    assert.equal(none.code, 4);
    assert.match(none.stderr, /^error: condition not met for pods\/web \(in c1, c2\)$/m);
  });

  test('a selection is what it was when the wait began, whatever labels its objects get', async () => {
    await using fleet = await startFleet({ members: 1 });
    const member = fleet.member('c1');
    const { client } = member;
    for (const name of ['a', 'b']) await createPod(client, name, { labels: { app: 'web' } });
    await setReady(client, 'a');
    const { run } = timeless(fleet, READY, 'pods', '-l', 'app=web');
    await watched(member);

    await createPod(client, 'later', { labels: { app: 'web' } });
    const labels = { app: 'other' };
    await client.patch(Pods, key('b'), { type: 'merge', body: { metadata: { labels } } });
    await watched(member, 2);
    await setReady(client, 'b');

    const { stdout, stderr, code } = await run.done;
    assert.deepEqual(
      [stdout, stderr, code],
      ['c1:pod/a condition met\nc1:pod/b condition met\n', '', 0],
    );
  });

  test('an object that goes meanwhile may come back', async () => {
    await using fleet = await startFleet({ members: 1 });
    const member = fleet.member('c1');
    await createPod(member.client, 'web');
    const { run } = timeless(fleet, READY, 'pod/web', '--timeout=1h');
    await watched(member);

    await remove(member.client, 'web');
    await createPod(member.client, 'web');
    await setReady(member.client, 'web');

    assert.deepEqual(await run.done, { stdout: 'c1:pod/web condition met\n', stderr: '', code: 0 });
  });

  test('paths that make no sense end it in the words of kubectl', async () => {
    await using fleet = await startFleet();
    for (const { client } of fleet.members) await createPod(client, 'web');

    const { stderr, code } = await wait(fleet, '--for=jsonpath={.metadata}=x', 'pod/web');

    assert.equal(
      stderr,
      'error: jsonpath leads to a nested object or list which is not supported\n',
    );
    assert.equal(code, 1);
  });
});

describe('wait for creation and deletion', () => {
  test('creation is waited for where there is nothing yet, and deletion is met where there never was', async () => {
    await using fleet = await startFleet();
    await createPod(fleet.member('c1').client, 'web');
    const { run } = timeless(fleet, '--for=create', 'pod/web', '--timeout=60s');
    await watched(fleet.member('c2'));
    await createPod(fleet.member('c2').client, 'web');
    const created = await run.done;

    const gone = timeless(fleet, '--for=delete', 'pod/web', 'pod/never');
    for (const member of fleet.members) await watched(member, member.name === 'c2' ? 2 : 1);
    for (const { client } of fleet.members) {
      await remove(client, 'web');
      await createPod(client, 'web');
    }
    const deleted = await gone.run.done;
    const never = await wait(fleet, '--for=delete', 'pod/never');

    assert.deepEqual(created, {
      stdout: 'c1:pod/web condition met\nc2:pod/web condition met\n',
      stderr: '',
      code: 0,
    });
    assert.deepEqual(deleted.stdout.split('\n').toSorted(), [
      '',
      'c1:pod/web condition met',
      'c2:pod/web condition met',
    ]);
    assert.deepEqual([deleted.stderr, deleted.code], ['', 0]);
    assert.deepEqual(never, { stdout: '', stderr: '', code: 0 });
  });

  test('what is not created or deleted in time is named with its cluster', async () => {
    await using fleet = await startFleet();
    await createPod(fleet.member('c1').client, 'web');

    const { run, clock } = timeless(fleet, '--for=create', 'pod/web');
    await told(run, /c1:/);
    await watched(fleet.member('c2'));
    await pass(clock, 30_000, fleet.member('c2'));
    const created = await run.done;
    const deleted = await wait(fleet, '--for=delete', 'pod/web', '--timeout=0s');

    assert.equal(created.stderr, 'error: timed out waiting for the condition (in c2)\n');
    assert.equal(created.code, 4);
    assert.equal(deleted.stderr, 'error: condition not met for pods/web (in c1)\n');
    assert.equal(deleted.code, 4);
  });

  test('several conditions are met one after the other, creation first', async () => {
    await using fleet = await startFleet({ members: 1 });
    const member = fleet.member('c1');
    const { run } = timeless(
      fleet,
      READY,
      '--for=create',
      '--for=condition=Ready=False',
      'pod/web',
    );
    await watched(member);
    await createPod(member.client, 'web');
    await told(run, /met\n/);
    await setReady(member.client, 'web');
    await told(run, /met\n.*met\n/);
    await setReady(member.client, 'web', 'False');

    const { stdout, code } = await run.done;
    assert.equal(stdout, 'c1:pod/web condition met\n'.repeat(3));
    assert.equal(code, 0);
  });

  test('a selection that nobody has created yet is what there is first', async () => {
    await using fleet = await startFleet({ members: 1 });
    const member = fleet.member('c1');
    const { run } = timeless(fleet, '--for=create', 'pods', '-l', 'app=web', '-o', 'name');
    await watched(member);
    await createPod(member.client, 'other');
    await createPod(member.client, 'web', { labels: { app: 'web' } });

    assert.deepEqual(await run.done, { stdout: 'c1:pod/web\n', stderr: '', code: 0 });
  });
});

describe('wait and clusters that come and go', () => {
  test('a cluster that is away for a while is asked again', async () => {
    await using fleet = await startFleet();
    for (const { client } of fleet.members) await createPod(client, 'web');
    const c2 = fleet.member('c2');
    const { run, clock } = timeless(fleet, READY, 'pod/web', '--timeout=10m');
    for (const member of fleet.members) await watched(member);
    await setReady(fleet.member('c1').client, 'web');
    await c2.server.stop();
    await told(run, /^c2: watch lost, retrying$/m);

    await c2.server.start();
    await setReady(c2.client, 'web');
    await c2.server.compact();
    await clock.advance(1_000);

    const { stdout, stderr, code } = await run.done;
    assert.equal(stdout, 'c1:pod/web condition met\nc2:pod/web condition met\n');
    assert.deepEqual([stderr, code], ['c2: watch lost, retrying\n', 0]);
  });

  test('one that is down at first may come up in time, and fails if it does not', async () => {
    await using fleet = await startFleet({ members: 3 });
    for (const { client } of fleet.members) await createPod(client, 'web');
    for (const { client } of fleet.members) await setReady(client, 'web');
    const [c2, c3] = [fleet.member('c2'), fleet.member('c3')];
    await Promise.all([c2.server.stop(), c3.server.stop()]);
    const { run, clock } = timeless(fleet, READY, 'pod/web', '--retries=0', '--timeout=20s');
    await told(run, /^c2: unreachable, retrying: /m);
    await told(run, /^c3: unreachable, retrying: /m);

    await c2.server.start();
    await clock.advance(1_000);
    await told(run, /^c2:pod\/web condition met$/m);
    await clock.advance(19_000);

    const { stderr, code } = await run.done;
    assert.match(stderr, /Failed to query 1\/3 clusters.*\n {2}c3: unreachable: /);
    assert.equal(code, 3);
    await c3.server.start();
  });

  test('when no cluster can be reached it ends at once, as kubectl does', async () => {
    await using fleet = await startFleet({ members: 1 });
    await fleet.member('c1').server.stop();

    const { stderr, code } = await wait(fleet, READY, 'pod/web', '--retries=0', '--timeout=1h');

    assert.match(stderr, /Failed to query 1\/1 clusters/);
    assert.equal(code, 1);
    await fleet.member('c1').server.start();
  });

  test('a cluster that never answers keeps --any from nothing, and costs the others no more than the time', async () => {
    await using fleet = await startFleet();
    for (const { client } of fleet.members) await createPod(client, 'web');
    await setReady(fleet.member('c1').client, 'web');
    const silence = new AbortController();
    const c2 = fleet.member('c2');
    c2.answerWith(
      (request, next) =>
        new Promise((resolve) => {
          silence.signal.addEventListener('abort', () => resolve(next(request)));
        }),
    );

    const any = await timeless(fleet, READY, 'pod/web', '--any').run.done;
    const { run, clock } = timeless(fleet, READY, 'pod/web', '--timeout=10s', '--retries=0');
    await told(run, /^c1:/m);
    await eventually(
      () => c2.requests.length,
      (count) => count >= 2,
      PATIENCE,
    );
    await clock.advance(10_000);
    const all = await run.done;
    silence.abort();

    assert.deepEqual(any, { stdout: 'c1:pod/web condition met\n', stderr: '', code: 0 });
    assert.match(all.stderr, /Failed to query 1\/2 clusters.*\n {2}c2: timeout/);
    assert.equal(all.code, 3);
  });

  test('Ctrl-C ends it, and calls nothing a timeout', async () => {
    await using fleet = await startFleet();
    for (const { client } of fleet.members) await createPod(client, 'web');
    const { run } = timeless(fleet, READY, 'pod/web');
    for (const member of fleet.members) await watched(member);

    run.interrupt();

    const { stderr, code } = await run.done;
    assert.equal(code, 130);
    assert.doesNotMatch(stderr, /timed out/);
  });
});

describe('what wait is told', () => {
  test('files name objects, in folders of folders, too', async () => {
    await using fleet = await startFleet();
    for (const { client } of fleet.members) await createPod(client, 'web');
    const folder = join(fleet.homeFolder, 'manifests', 'below');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'pod.yaml'), 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n');

    const { stdout, code } = await wait(
      fleet,
      '--for=jsonpath={.status.phase}=Pending',
      '-f',
      'manifests',
    );
    const flat = await wait(fleet, '--for=create', '-f', 'manifests', '-R=false');

    assert.deepEqual(stdout.split('\n').toSorted(), [
      '',
      'c1:pod/web condition met',
      'c2:pod/web condition met',
    ]);
    assert.equal(code, 0);
    assert.equal(flat.code, 1);
  });

  test('-o json is the envelope, and says of each cluster how it ended', async () => {
    await using fleet = await startFleet();
    for (const { client } of fleet.members) await createPod(client, 'web');
    await setReady(fleet.member('c1').client, 'web');

    const { stdout, code } = await wait(fleet, READY, 'pod/web', '--timeout=0', '-o', 'json');
    const path = await wait(fleet, READY, 'c1:pod/web', '-o', 'jsonpath={.metadata.name}{"\\n"}');

    const { clusters } = JSON.parse(stdout) as {
      clusters: {
        cluster: string;
        status: string;
        items: { kind: string; metadata: object }[];
        error?: object;
      }[];
    };
    assert.deepEqual(
      clusters.map(({ cluster, status, items }) => [
        cluster,
        status,
        items.map(({ kind }) => kind),
      ]),
      [
        ['c1', 'ok', ['Pod']],
        ['c2', 'timeout', []],
      ],
    );
    const [pod] = clusters[0]?.items ?? [];
    assert.deepEqual(
      Object.keys(pod?.metadata ?? {}).filter((field) => /annotations|managed/.test(field)),
      [],
    );
    assert.deepEqual(clusters[1]?.error, {
      message: 'condition not met for pods/web',
      reason: 'ConditionNotMet',
    });
    assert.equal(code, 4);
    assert.deepEqual(path, { stdout: 'web\n', stderr: '', code: 0 });
  });

  test('namespaces are those of the call', async () => {
    await using fleet = await startFleet({ members: 1 });
    const { client } = fleet.member('c1');
    for (const namespace of ['a', 'b']) {
      await createNamespace(client, namespace);
      await createPod(client, 'web', { namespace });
    }

    const two = await wait(fleet, '--for=create', 'pod/web', '-n', 'a,b');
    const all = await wait(fleet, '--for=create', 'pods', '--all', '-A');
    const named = await wait(fleet, '--for=create', 'pod/web', '-A');

    assert.equal(two.stdout, 'c1:pod/web condition met\n'.repeat(2));
    assert.equal(all.stdout, two.stdout);
    assert.equal(
      named.stderr,
      'error: a resource cannot be retrieved by name across all namespaces\n',
    );
  });

  test("arguments that do not go together are refused in kubectl's words, and nobody is asked", async () => {
    await using fleet = await startFleet({ members: 1 });
    for (const [args, text] of [
      [[READY], 'You must provide one or more resources by argument or filename.'],
      [[READY, '-l', 'a=b'], 'at least one resource must be specified to use a selector'],
      [[READY, 'pods'], 'resource(s) were provided, but no name was specified'],
      [[READY, 'pod', 'x', '-l', 'a=b'], 'name cannot be provided when a selector is specified'],
      [
        [READY, 'pod/x', '-l', 'a=b'],
        'selectors and the all flag cannot be used when passing resource/name arguments',
      ],
      [['pod/x'], 'unrecognized condition: ""'],
      [[READY, 'pod/x', '--timeout=soon'], 'invalid argument "soon" for "--timeout" flag'],
      [[READY, 'pods', '-l', 'a in'], 'unable to parse requirement: '],
    ] as const) {
      const { stderr, stdout, code } = await wait(fleet, ...args);
      assert.ok(stderr.startsWith(`error: ${text}`), stderr);
      assert.deepEqual([stdout, code], ['', 1]);
    }
    assert.deepEqual(fleet.member('c1').requests, []);
  });
});
