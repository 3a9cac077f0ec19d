import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Client, ConfigMaps, Namespaces, Pods, Secrets } from '@flotilla/client';
import { eventually } from '@flotilla/testkit';
import { type RunMcOptions, runMc, startMc } from '../../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../../testing/start-fleet.ts';
import { createPod } from '../get/testing/objects.ts';

const configMap = (data: Readonly<Record<string, string>>, name = 'settings') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});

/** As if `kubectl mc apply` had done it. */
async function apply(client: Client, object: ReturnType<typeof configMap>): Promise<void> {
  await client.apply(ConfigMaps, object as never, { fieldManager: 'kubectl-mc' });
}

async function diff(
  fleet: TestFleet,
  objects: unknown,
  { args = [], ...options }: { args?: readonly string[] } & RunMcOptions = {},
) {
  const stdin = [objects]
    .flat()
    .map((each) => JSON.stringify(each))
    .join('\n');
  return await runMc(['diff', '-f', '-', ...args], { ...fleet, stdin, ...options });
}

describe('diff of a fleet', () => {
  test('what is the same everywhere is no difference', async () => {
    await using fleet = await startFleet({ members: 3 });
    const object = configMap({ a: '1' });
    for (const { client } of fleet.members) await apply(client, object);

    assert.deepEqual(await diff(fleet, object), { code: 0, stdout: '', stderr: '' });
  });

  test('a change is printed once with the clusters that it is about, others beside it, and nothing is written', async () => {
    await using fleet = await startFleet({ members: 4 });
    for (const { client, name } of fleet.members) {
      if (name === 'c4') continue;
      await apply(client, configMap({ a: name === 'c2' ? '0' : '1', b: 'x' }));
    }
    const versions = () =>
      Promise.all(
        ['c1', 'c2', 'c3'].map(async (name) => {
          const key = { name: 'settings', namespace: 'default' };
          return (await fleet.member(name).client.get(ConfigMaps, key)).metadata.resourceVersion;
        }),
      );
    const before = await versions();

    const { code, stdout, stderr } = await diff(fleet, configMap({ a: '2', b: 'x' }));

    const file = 'v1.ConfigMap.default.settings';
    const names = `diff -u -N LIVE/${file} MERGED/${file}\n--- LIVE/${file}\n+++ MERGED/${file}\n`;
    const change = (old: string) => `@@ -1,6 +1,6 @@
 apiVersion: v1
 data:
-  a: "${old}"
+  a: "2"
   b: x
 kind: ConfigMap
 metadata:
`;
    assert.equal(
      stdout,
      `CLUSTERS: c1, c3 (2/4)
${names}${change('1')}
CLUSTERS: c2 (1/4)
${names}${change('0')}
CLUSTERS: c4 (1/4)
${names}@@ -0,0 +1,8 @@
+apiVersion: v1
+data:
+  a: "2"
+  b: x
+kind: ConfigMap
+metadata:
+  name: settings
+  namespace: default
`,
    );
    assert.deepEqual([code, stderr], [1, '']);
    assert.deepEqual(await versions(), before);
    for (const { requests } of fleet.members) {
      for (const { method, query } of requests) {
        if (method !== 'GET') assert.deepEqual([method, query.get('dryRun')], ['PATCH', 'All']);
      }
    }
  });

  test('of one cluster there is just the diff, with all that its server made up', async () => {
    await using fleet = await startFleet({ members: 2 });
    const { client } = fleet.member('c1');
    await apply(client, configMap({ a: '1' }));

    const { code, stdout } = await diff(fleet, configMap({ a: '2' }), { args: ['--clusters=c1'] });

    assert.equal(code, 1);
    assert.match(stdout, /^diff -u -N LIVE\/v1\.ConfigMap\.default\.settings MERGED\//);
    assert.match(stdout, /^ {3}creationTimestamp: "/m);
    assert.doesNotMatch(stdout, /CLUSTERS|managedFields/);
    const managed = await diff(fleet, configMap({ a: '2' }), {
      args: ['--clusters=c1', '--show-managed-fields', '--field-manager=b', '--force-conflicts'],
    });
    assert.match(managed.stdout, /^- +manager: kubectl-mc$/m);
  });

  test('of objects without a namespace each cluster has its own, and cluster-scoped ones have none', async () => {
    await using fleet = await startFleet({ members: 1 });
    const space = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'default', namespace: 'nonsense', labels: { a: 'b' } },
    };
    const bare = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'bare' } };

    const { code, stdout } = await diff(fleet, [space, bare]);

    assert.equal(code, 1);
    assert.match(stdout, /^\+\+\+ MERGED\/v1\.Namespace\.\.default$/m);
    assert.match(stdout, /^\+ {4}a: b$/m);
    assert.match(stdout, /^\+\+\+ MERGED\/v1\.ConfigMap\.default\.bare$/m);
    const { metadata } = await fleet.member('c1').client.get(Namespaces, { name: 'default' });
    assert.equal(metadata.labels?.['a'], undefined);
  });

  test('-l chooses among manifests, and -n is where they are', async () => {
    await using fleet = await startFleet({ members: 1 });
    const labelled = { ...configMap({}, 'b') };
    const objects = [
      configMap({}, 'a'),
      { ...labelled, metadata: { ...labelled.metadata, labels: { app: 'x' } } },
    ];

    const chosen = await diff(fleet, objects, { args: ['-l', 'app=x'] });
    const none = await diff(fleet, objects, { args: ['-l', 'app=y'] });
    const wrong = await diff(fleet, objects, { args: ['-n', 'other'] });

    assert.equal(chosen.stdout.match(/^diff /gm)?.length, 1);
    assert.deepEqual(none, { code: 0, stdout: '', stderr: '' });
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /^error: the namespace from the provided object "default" does not/);
  });

  test('an object that is going is warned of', async () => {
    await using fleet = await startFleet({ members: 2 });
    const { client } = fleet.member('c1');
    const object = configMap({ a: '1' });
    await apply(client, {
      ...object,
      metadata: { ...object.metadata, finalizers: ['example.com/stay'] },
    } as never);
    await client.delete(ConfigMaps, { name: 'settings', namespace: 'default' });

    const { stderr } = await diff(fleet, configMap({ a: '2' }));

    assert.equal(
      stderr,
      'Warning: Detected changes to resource settings which is currently being deleted. (in c1)\n',
    );
  });
});

describe('what a diff does not show', () => {
  test('values of Secrets, though one sees which of them change', async () => {
    await using fleet = await startFleet({ members: 2 });
    const secret = (data: Readonly<Record<string, string>>) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'keys', namespace: 'default' },
      stringData: data,
    });
    const encoded = (text: string) => Buffer.from(text).toString('base64');
    const words = ['hunter-one', 'hunter-two', 'hunter-three', 'hunter-four'] as const;
    const data = { same: encoded(words[0]), changed: encoded(words[1]) };
    const live = { ...secret({}), stringData: undefined, data };
    await fleet.member('c1').client.apply(Secrets, live as never, { fieldManager: 'kubectl-mc' });
    const wanted = secret({ same: words[0], changed: words[2], added: words[3] });
    const program = script(fleet, 'cat "$1"/* "$2"/*; exit 1');

    const { code, stdout, stderr } = await diff(fleet, wanted);
    const external = await diff(fleet, wanted, {
      env: { KUBECTL_EXTERNAL_DIFF: program },
    });

    assert.equal(code, 1);
    assert.match(stdout, /^- {2}changed: '\*\*\* \(before\)'$/m);
    assert.match(stdout, /^\+ {2}changed: '\*\*\* \(after\)'$/m);
    assert.match(stdout, /^\+ {2}added: '\*\*\*'$/m);
    assert.match(stdout, /^ {3}same: '\*\*\*'$/m);
    for (const word of words) {
      for (const text of [stdout, stderr, external.stdout, external.stderr]) {
        assert.ok(!text.includes(word) && !text.includes(encoded(word)), word);
      }
    }
    assert.match(external.stdout, /\(after\)/);
  });
});

describe('the exit code of a diff', () => {
  test('is 2 for a cluster that fails, also beside differences and with --allow-partial', async () => {
    await using fleet = await startFleet({ members: 2 });
    await fleet.member('c2').server.stop();
    for (const args of [[], ['--allow-partial']]) {
      const { code, stdout, stderr } = await diff(fleet, configMap({ a: '1' }), { args });
      assert.equal(code, 2);
      assert.match(stdout, /^CLUSTERS: c1 \(1\/1\)$/m);
      assert.match(stderr, /c2: unreachable/);
    }
    await fleet.member('c2').server.start();
  });

  test('is 2 for what is no diff at all', async () => {
    await using fleet = await startFleet({ members: 1 });
    for (const [argv, message] of [
      [['diff'], /^error: must specify one of -f and -k$/m],
      [['diff', '--nonsense'], /unknown flag: --nonsense/],
      [['diff', '-f', 'nowhere.yaml'], /^error: the path "nowhere.yaml" does not exist$/m],
      [['diff', '-f', '-', 'extra'], /Unexpected args: \[extra\]/],
      [['diff', '-f', '-', '--server-side=false'], /^error: Cannot diff without the server/m],
      [['diff', '-f', '-', '--clusters', 'none'], /none/],
      [['diff', '-f', '-', '-l', '!!'], /^error: /m],
    ] as const) {
      const { code, stdout, stderr } = await runMc(argv, fleet);
      assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
      assert.match(stderr, message);
    }
  });

  test('is 2 where a kind is not known, in the words of kubectl', async () => {
    await using fleet = await startFleet({ members: 2 });
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
    const { code, stderr } = await diff(fleet, widget);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /resource mapping not found for name: "w" namespace: "" from .STDIN.: no matches for kind "Widget" in version "example\.com\/v1", ensure CRDs are installed first/,
    );
  });

  test('is 2 where fields belong to others, until they are taken over', async () => {
    await using fleet = await startFleet({ members: 2 });
    for (const { client } of fleet.members) {
      await client.apply(ConfigMaps, configMap({ a: '1' }) as never, { fieldManager: 'somebody' });
    }
    const refused = await diff(fleet, configMap({ a: '2' }));
    const forced = await diff(fleet, configMap({ a: '2' }), { args: ['--force-conflicts'] });
    const same = await diff(fleet, configMap({ a: '2' }), { args: ['--field-manager=somebody'] });

    assert.deepEqual([refused.code, refused.stdout], [2, '']);
    assert.match(refused.stderr, /ConfigMap "settings": Apply failed with 1 conflict.*somebody/);
    assert.equal(forced.code, 1);
    assert.match(forced.stdout, /^CLUSTERS: c1, c2 \(2\/2\)$/m);
    assert.equal(same.stdout, forced.stdout);
  });

  test('is 2 for an object that no server would take', async () => {
    await using fleet = await startFleet({ members: 2 });
    const invalid = { ...configMap({}), data: { 'no key!': 'x' } };
    const { code, stderr } = await diff(fleet, invalid);
    assert.equal(code, 2);
    assert.match(stderr, /ConfigMap "settings" is invalid|data\[no key!\]/);
  });

  test('is 130 after Ctrl-C', async () => {
    await using fleet = await startFleet({ members: 1 });
    fleet.member('c1').answerWith(() => new Promise(() => {}));
    const stdin = JSON.stringify(configMap({}));
    const run = startMc(['diff', '-f', '-'], { ...fleet, stdin });
    await eventually(() => fleet.member('c1').requests.length > 0);
    run.interrupt();
    const { code, stdout } = await run.done;
    assert.deepEqual([code, stdout], [130, '']);
  });
});

describe('what compares', () => {
  test('KUBECTL_EXTERNAL_DIFF is run once for clusters of the same change, and leaves nothing behind', async () => {
    await using fleet = await startFleet({ members: 3 });
    for (const { client } of fleet.members) await apply(client, configMap({ a: '1' }));
    await apply(fleet.member('c3').client, configMap({ a: '2' }));
    const program = script(
      fleet,
      `echo "$(cat "$1"/*Config* | grep ' a:') ->$(cat "$2"/*Config* | grep ' a:') $3 $4"; exit 1`,
    );
    const env = { KUBECTL_EXTERNAL_DIFF: `${program} -x ;rm --color=no` };
    const before = temporaryFolders();

    const { code, stdout, stderr } = await diff(fleet, configMap({ a: '2' }), { env });

    assert.equal(stdout, 'CLUSTERS: c1, c2 (2/3)\n  a: "1" ->  a: "2" -x --color=no\n');
    assert.deepEqual([code, stderr], [1, '']);
    assert.deepEqual(temporaryFolders(), before);
  });

  test('a program that fails or is not there is trouble', async () => {
    await using fleet = await startFleet({ members: 1 });
    for (const [program, message] of [
      ['/nonexistent/diff', /^error: failed to run "\/nonexistent\/diff": /],
      ['false', undefined],
      [script(fleet, 'exit 3'), /^error: failed to run ".*": exit status 3$/m],
      [script(fleet, 'kill -9 $$'), /^error: failed to run ".*": signal: /m],
    ] as const) {
      const env = { KUBECTL_EXTERNAL_DIFF: program };
      const { code, stderr } = await diff(fleet, configMap({ a: '2' }), { env });
      assert.equal(code, message === undefined ? 1 : 2, program);
      if (message !== undefined) assert.match(stderr, message);
    }
  });

  test('--diff-concurrency bounds how many objects a cluster is asked for at once', async () => {
    await using fleet = await startFleet({ members: 1 });
    const objects = Array.from({ length: 9 }, (_, index) => configMap({}, `cm-${index}`));
    let asking = 0;
    let most = 0;
    let release = () => {};
    const isFull = new Promise<void>((resolve) => {
      release = resolve;
    });
    fleet.member('c1').answerWith(async (request, next) => {
      if (request.method !== 'PATCH') return await next(request);
      asking += 1;
      most = Math.max(most, asking);
      if (asking === 3) release();
      await isFull;
      const answer = await next(request);
      asking -= 1;
      return answer;
    });

    const { code, stdout } = await diff(fleet, objects, { args: ['--diff-concurrency', '3'] });

    assert.deepEqual([code, most], [1, 3]);
    const files = stdout.match(/^diff .*/gm) ?? [];
    assert.equal(files.length, 9);
    assert.deepEqual(files, files.toSorted());
  });

  test('pods that servers fill in are compared by what applying would change', async () => {
    await using fleet = await startFleet({ members: 2 });
    for (const { client } of fleet.members) await createPod(client, 'web', { image: 'nginx:1' });
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: { containers: [{ name: 'main', image: 'nginx:2' }] },
    };

    const { code, stdout } = await diff(fleet, pod, { args: ['--force-conflicts'] });

    assert.equal(code, 1);
    assert.equal(stdout.match(/^CLUSTERS: c1, c2 \(2\/2\)$/gm)?.length, 1);
    assert.deepEqual(stdout.match(/^[-+] .*/gm), ['-  - image: nginx:1', '+  - image: nginx:2']);
    const key = { name: 'web', namespace: 'default' };
    const live = await fleet.member('c1').client.get(Pods, key);
    assert.match(JSON.stringify(live), /nginx:1/);
  });
});

let scripts = 0;

/** A program of the user's own. */
function script({ homeFolder }: TestFleet, text: string): string {
  scripts += 1;
  const path = join(homeFolder, `compare-${scripts}`);
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o700 });
  return path;
}

function temporaryFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('kubectl-mc-diff-'));
}
