// What `kubectl mc describe` and `each` print, compared with the real kubectl, on a real server and on ours at once.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { toYaml } from '@flotilla/machinery';
import { runAsProgram } from '../../packages/mc/src/access/testing/run-as-program.ts';
import { type RunMcOptions, runMc } from '../../packages/mc/src/testing/run-mc.ts';
import { printableText } from '../../packages/mc/src/text/printable.ts';
import { binaryPath } from '../../tools/real-kubernetes/binaries.ts';
import { type Api, apiOf } from '../api.ts';
import { type Tool, tool } from '../gateway/kubectl.ts';
import { SIDES, type Side, startSide } from '../sides.ts';
import { FIXTURES, WIDGET_OBJECTS, WIDGETS } from './fixtures.ts';
import type { Printed } from './mc-side.ts';

const RULE = '-'.repeat(80);
const BETWEEN = '='.repeat(80);
/** Ages go on between two commands; after so many tries they are not the reason. */
const TRIES = 5;

/** Each is run by both programs on each server, and over both servers. */
const COMMANDS: readonly (readonly [title: string, commands: readonly string[]])[] = [
  [
    'names in every form',
    [
      'pod web -n shop',
      'pod web api -n shop',
      'pod/web deploy/web -n shop',
      'deploy,rs web -n shop',
      'pods.v1. web -n shop',
      'ns shop',
      'node/node-1 -A',
      'sa runner',
      'cm settings -n shop',
      'svc web -n shop --show-events=false',
    ],
  ],
  [
    'lists',
    [
      'pods -n shop',
      'pods -A',
      'pods -n shop -l app=web',
      'pods -A -l example.com/tier!=front --chunk-size 2',
      'po,svc -n shop',
      'all -n shop',
      'nodes',
      'pods -n nowhere',
      'pvc',
      'pvc -A',
      'nodes -l a=b',
    ],
  ],
  ['the beginning of names', ['pod we -n shop', 'pods nginx', 'po a -n shop --show-events=false']],
  [
    'what is not there, and what does not go together',
    [
      'pod none -n shop',
      'pod/none -n shop',
      'pod web none -n shop',
      'gadgets',
      'pods,gadgets -n shop',
      'pod/web/x',
      'pod web -l a=b',
      'pod web -A',
      'pod/we -n shop',
    ],
  ],
];

// This file is also the program that the kubeconfigs of its runs name.
const self = [process.execPath, fileURLToPath(import.meta.url)];
if (process.argv[2] === 'credential') await runAsProgram(process.argv.slice(2));
else defineTests();

function defineTests(): void {
  describe('describe on both servers', { timeout: 900_000 }, () => {
    const names = [...new Set(SIDES)];
    const sides: Side[] = [];
    const apis: Api[] = [];
    const kubectls: Tool[] = [];
    const folder = mkdtempSync(join(tmpdir(), 'flotilla-describe-'));
    const options: RunMcOptions = {
      kubeconfig: join(folder, 'kubeconfig'),
      homeFolder: folder,
      env: { KUBECTL_PATH: binaryPath('kubectl'), TZ: 'UTC', LANG: 'C' },
      self,
    };
    const mc = (args: readonly string[]): Promise<Printed> => runMc(args, options);
    const onAll = (args: readonly string[]) => mc(['--inventory', 'kubeconfig', ...args]);

    before(async () => {
      for (const name of names) {
        const side = await startSide(name);
        sides.push(side);
        const api = apiOf(side);
        apis.push(api);
        await api.until('/api/v1/namespaces/default', ({ code }) => code === 200);
        for (const [path, object] of FIXTURES) await api.create(path, object);
        for (const pod of ['nginx-1', 'nginx-2']) {
          await api.create('/api/v1/namespaces/default/pods', {
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { name: pod },
            spec: {
              serviceAccountName: 'runner',
              automountServiceAccountToken: false,
              containers: [{ name: 'main', image: 'nginx:1' }],
            },
          });
        }
        await api.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', WIDGETS);
        await api.until('/apis/example.com/v1/widgets', ({ code }) => code === 200);
        for (const [path, object] of WIDGET_OBJECTS) await api.create(path, object);
        kubectls.push(tool(binaryPath('kubectl'), side));
      }
      writeFileSync(join(folder, 'kubeconfig'), kubeconfigOf(sides), { mode: 0o600 });
    });
    after(async () => {
      rmSync(folder, { recursive: true, force: true });
      for (const kubectl of kubectls) await kubectl[Symbol.asyncDispose]();
      for (const api of apis) api[Symbol.dispose]();
      for (const side of sides) await side.stop();
    });

    /** What kubectl prints on each server. */
    const wanted = (args: readonly string[]): Promise<Printed[]> =>
      Promise.all(kubectls.map((kubectl) => kubectl.run(['describe', ...args])));

    /** Fails unless `got` prints, to the byte, what is `made` of what kubectl prints. */
    async function assertPrints<T>(
      args: readonly string[],
      got: () => Promise<T>,
      made: (printed: readonly Printed[]) => T,
    ): Promise<void> {
      for (let tries = 1; ; tries += 1) {
        const expected = made(await wanted(args));
        const actual = await got();
        try {
          assert.deepEqual(actual, expected, `describe ${args.join(' ')}`);
          return;
        } catch (error) {
          if (tries === TRIES) throw error;
        }
      }
    }

    const alone = (args: readonly string[]): Promise<Printed[]> =>
      Promise.all(names.map((name) => mc(['--context', name, 'describe', ...args])));

    for (const [title, commands] of COMMANDS) {
      test(`${title}: a single cluster is described as by kubectl`, async () => {
        for (const line of commands) {
          const args = line.split(' ');
          await assertPrints(
            args,
            () => alone(args),
            (printed) => [...printed],
          );
        }
      });
    }

    test('every type that can be listed is described as by kubectl', async () => {
      const listed = await kubectls[0]?.run(['api-resources', '--verbs=list,get', '-o', 'name']);
      const types = listed?.stdout.split('\n').filter((type) => type !== '') ?? [];
      assert.ok(types.length > 40);
      for (const type of types) {
        // Leases of the servers themselves are renewed all the time.
        if (type === 'leases.coordination.k8s.io') continue;
        const args = [type, '-A'];
        await assertPrints(
          args,
          () => alone(args),
          // What a terminal would obey is shown.
          (printed) => printed.map((each) => ({ ...each, stdout: printableText(each.stdout) })),
        );
      }
    });

    test('clusters are blocks, with what kubectl says in each', async () => {
      for (const line of ['pod web -n shop', 'pods -n shop', 'all -n shop', 'pod ngin']) {
        const args = line.split(' ');
        await assertPrints(
          args,
          () => onAll(['describe', ...args]),
          (printed) => ({ code: 0, stdout: blocks(printed), stderr: '' }),
        );
      }
    });

    test('MC-35 a glob describes all that it matches, in all namespaces if asked to', async () => {
      await assertPrints(
        ['pod', 'nginx-1', 'nginx-2'],
        () => onAll(['describe', 'pod', 'nginx-*']),
        (printed) => ({ code: 0, stdout: blocks(printed), stderr: '' }),
      );
      await assertPrints(
        ['pods', '-A', '-l', 'app=web'],
        () => onAll(['describe', 'pod', 'w?b', '-A']),
        (printed) => ({ code: 0, stdout: blocks(printed), stderr: '' }),
      );
    });

    test('MC-38 several namespaces are described one after the other', async () => {
      const [shop, other] = await Promise.all([
        wanted(['pods', '-n', 'shop']),
        wanted(['pods', '-n', 'shop-a']),
      ]);
      const joined = shop.map((each, at) => ({
        ...each,
        stdout: `${each.stdout}\n\n${other[at]?.stdout}`,
      }));
      // Events of 2024 have ages in days, and there are no others.
      assert.deepEqual(await alone(['pods', '-n', 'shop,shop-a']), joined);
    });

    test('MC-31 names of get -o name lead back to what they name', async () => {
      const listed = await onAll(['get', 'pods', '-n', 'shop', '-o', 'name']);
      const words = listed.stdout.trimEnd().split('\n');
      assert.equal(words.length, 3 * names.length);
      await assertPrints(
        ['pods', '-n', 'shop'],
        () => onAll(['describe', ...words, '-n', 'shop']),
        (printed) => ({ code: 0, stdout: blocks(printed), stderr: '' }),
      );
      const [first = '', ...others] = names;
      assert.ok(words.includes(`${first}:pod/web`));
      await assertPrints(
        ['pod', 'web', '-n', 'shop'],
        () => onAll(['describe', `${first}:pod/web`, '-n', 'shop']),
        ([printed]) => printed as Printed,
      );
      assert.ok(others.length > 0);
    });

    test('files name what is described', async () => {
      const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\n';
      const deployment = pod.replace('v1', 'apps/v1').replace('Pod', 'Deployment');
      const [one, two] = [join(folder, 'one.yaml'), join(folder, 'two.yaml')];
      writeFileSync(one, pod);
      writeFileSync(two, `${deployment}---\n${pod}`);
      for (const args of [
        ['-f', two],
        ['-f', two, '-n', 'shop'],
        ['-f', one, '-f', two],
        ['-f', one, '-n', 'other'],
        ['-f', one, 'pods'],
        ['-f', join(folder, 'none.yaml')],
      ]) {
        await assertPrints(
          args,
          () => alone(args),
          (printed) => [...printed],
        );
      }
    });

    test('who flags say the user is, kubectl is, too', async () => {
      const [first = ''] = names;
      const as = (...flags: string[]) =>
        mc(['--context', first, ...flags, 'each', '--', 'auth', 'whoami', '-o', 'name']);
      const bob = await mc(['--context', first, '--as', 'bob', 'each', '--', 'auth', 'whoami']);
      assert.match(bob.stdout, /^\S+ \| Username +bob$/m);
      const stranger = await as('--token', 'nonsense');
      assert.equal(stranger.code, 1);
      assert.match(stranger.stderr, /unauthorized: You must be logged in to the server/);
      const described = await mc(['--context', first, '--as', 'bob', 'describe', 'pods']);
      assert.match(described.stderr, /forbidden: pods is forbidden: User "bob" cannot list/);
    });

    test('each marks the lines of kubectl, and hands on what it reads', async () => {
      const width = Math.max(...names.map(({ length }) => length));
      const marked = (name: string, text: string) =>
        text
          .trimEnd()
          .split('\n')
          .map((line) => `${name.padStart(width)} | ${line}`);
      const listing = ['get', 'pods,svc', '-n', 'shop', '-o', 'name'];
      const expected = await Promise.all(
        kubectls.map(async (kubectl, at) =>
          marked(names[at] ?? '', (await kubectl.run(listing)).stdout),
        ),
      );
      const got = await onAll(['each', '--', ...listing]);
      assert.deepEqual(got.stdout.trimEnd().split('\n').sort(), expected.flat().sort());
      assert.deepEqual([got.code, got.stderr], [0, '']);

      const stdin = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-stdin}\n';
      const applied = await runMc(
        ['--inventory', 'kubeconfig', '--all-clusters', 'each', '--', 'apply', '-f', '-'],
        { ...options, stdin },
      );
      assert.deepEqual(
        applied.stdout.trimEnd().split('\n').sort(),
        names.map((name) => `${name.padStart(width)} | configmap/from-stdin created`).sort(),
      );
    });

    /** In the order of the clusters' names. */
    function blocks(printed: readonly Printed[]): string {
      return names
        .map((name, at) => ({ name, text: printed[at]?.stdout ?? '' }))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, text }) => `CLUSTER: ${name}\n${RULE}\n${text}`)
        .join(`${BETWEEN}\n`);
    }
  });
}

/** A context for each server, called like it. */
function kubeconfigOf(sides: readonly Side[]): string {
  return toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: sides.map(({ name, url, ca }) => ({
      name,
      cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
    })),
    users: sides.map(({ name, token }) => ({ name, user: { token } })),
    contexts: sides.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
  });
}
