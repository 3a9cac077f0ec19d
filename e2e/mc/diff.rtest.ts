// What `kubectl mc diff` prints of one cluster, compared with the real kubectl's server-side diff, on a real server and
// on ours; and our own comparing of texts, compared with diff(1).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { toYaml } from '@flotilla/machinery';
import { seeded } from '@flotilla/machinery/testing';
import { runMc } from '../../packages/mc/src/testing/run-mc.ts';
import { unifiedDiff } from '../../packages/mc/src/verbs/diff/unified-diff.ts';
import { binaryPath } from '../../tools/real-kubernetes/binaries.ts';
import { type Api, apiOf } from '../api.ts';
import { type Tool, tool } from '../gateway/kubectl.ts';
import { SIDES, type Side, startSide } from '../sides.ts';
import { WIDGETS } from './fixtures.ts';

const MANAGER = ['--field-manager=test'];

const object = (apiVersion: string, kind: string, name: string, fields: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'shop' },
  ...fields,
});

const deployment = (image: string, replicas: number) =>
  object('apps/v1', 'Deployment', 'web', {
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', image, ports: [{ containerPort: 80 }] }] },
      },
    },
  });

const LIVE = [
  object('v1', 'ConfigMap', 'settings', { data: { a: '1', b: 'two\nlines\n', c: 'x: y # "' } }),
  object('v1', 'Secret', 'keys', {
    data: { same: 'c2FtZQ==', changed: 'b2xk', gone: 'Z29uZQ==' },
  }),
  deployment('nginx:1', 3),
  object('example.com/v1', 'Widget', 'one', { spec: { size: 3, text: 'plain', list: [1, 2, 3] } }),
];

/** Files by what they try. */
const FILES: Readonly<Record<string, readonly object[]>> = {
  same: LIVE,
  changed: [
    object('v1', 'ConfigMap', 'settings', { data: { a: '2', b: 'two\nother lines\n', d: 'new' } }),
    object('v1', 'Secret', 'keys', { data: { same: 'c2FtZQ==', changed: 'bmV3', added: 'eA==' } }),
    deployment('nginx:2', 5),
    object('example.com/v1', 'Widget', 'one', {
      spec: { size: 4, list: [1, 3], text: '\u001b[1m' },
    }),
  ],
  new: [
    object('v1', 'ConfigMap', 'other', { data: { a: '1' } }),
    object('v1', 'ServiceAccount', 'robot'),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'brand-new', labels: { a: 'b' } } },
  ],
  list: [{ apiVersion: 'v1', kind: 'List', items: [deployment('nginx:3', 3), LIVE[0]] }],
  twice: [
    object('v1', 'ConfigMap', 'settings', { data: { a: 'first' } }),
    object('v1', 'ConfigMap', 'settings', { data: { a: 'second' } }),
  ],
  empty: [],
};

/** Folders have other names and times, and new objects what the server makes up. */
function comparable(text: string): string {
  return text
    .replace(/\/\S*?\/(LIVE|MERGED)-\d+/g, '$1')
    .replace(/^((?:---|\+\+\+) .*)\t\d{4}-.*$/gm, '$1')
    .replace(/^(\+ {2}(?:uid|creationTimestamp): ).*$/gm, '$1')
    .replace(/^([-+ ] +time: ).*$/gm, '$1');
}

for (const name of new Set(SIDES)) {
  describe(`on a server that is ${name}`, { timeout: 600_000 }, () => {
    let side: Side;
    let api: Api;
    let kubectl: Tool;
    let folder: string;

    before(async () => {
      side = await startSide(name);
      api = apiOf(side);
      await api.until('/api/v1/namespaces/default', ({ code }) => code === 200);
      await api.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', WIDGETS);
      await api.until('/apis/example.com/v1/widgets', ({ code }) => code === 200);
      const metadata = { name: 'shop' };
      await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
      kubectl = tool(binaryPath('kubectl'), side);
      folder = mkdtempSync(join(tmpdir(), 'flotilla-diff-'));
      for (const [file, objects] of Object.entries(FILES)) {
        writeFileSync(join(folder, `${file}.yaml`), objects.map(toYaml).join('---\n'));
      }
      mkdirSync(join(folder, 'kustom'));
      writeFileSync(join(folder, 'kustom', 'cm.yaml'), toYaml(FILES['changed']?.[0] ?? {}));
      writeFileSync(join(folder, 'kustom', 'kustomization.yaml'), 'resources: [cm.yaml]\n');
      const applied = await kubectl.run([
        'apply',
        '--server-side',
        ...MANAGER,
        '-f',
        join(folder, 'same.yaml'),
      ]);
      assert.equal(applied.code, 0, applied.stderr);
    });
    after(async () => {
      rmSync(folder, { recursive: true, force: true });
      await kubectl[Symbol.asyncDispose]();
      api[Symbol.dispose]();
      await side.stop();
    });

    /** Runs both, and fails unless they print and end alike. */
    async function assertSame(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
      await using theirs = tool(binaryPath('kubectl'), side, env);
      const wanted = await theirs.run(['diff', '--server-side', ...args]);
      const got = await runMc(['--context', 'hub', 'diff', ...args], {
        kubeconfig: kubectl.kubeconfig,
        env: { ...env, KUBECTL_PATH: binaryPath('kubectl') },
      });
      assert.deepEqual(
        { ...got, stdout: comparable(got.stdout) },
        { ...wanted, stdout: comparable(wanted.stdout) },
        args.join(' '),
      );
      return wanted;
    }

    const file = (each: string) => ['-f', join(folder, `${each}.yaml`)];

    test('nothing differs where nothing would change', async () => {
      assert.equal((await assertSame([...file('same'), ...MANAGER])).code, 0);
      assert.equal((await assertSame([...file('changed'), '-l', 'a=b', ...MANAGER])).code, 0);
    });

    test('changes, new objects and lists are shown alike, and so are Secrets that are not', async () => {
      for (const each of ['changed', 'new', 'list', 'twice']) {
        const { code, stdout } = await assertSame([...file(each), ...MANAGER]);
        assert.equal(code, 1);
        assert.doesNotMatch(stdout, /c2FtZQ==|b2xk|bmV3/);
      }
    });

    test('a kustomization is built by kubectl', async () => {
      const { code } = await assertSame(['-k', join(folder, 'kustom'), ...MANAGER]);
      assert.equal(code, 1);
    });

    test('managed fields and other managers are shown alike', async () => {
      const own = [...file('changed'), '--show-managed-fields'];
      assert.equal((await assertSame([...own, ...MANAGER])).code, 1);
      const other = ['--field-manager=other', '--force-conflicts'];
      assert.equal((await assertSame([...own, ...other])).code, 1);
    });

    test('another program may compare', async () => {
      const args = [...file('changed'), ...MANAGER];
      const env = { KUBECTL_EXTERNAL_DIFF: 'diff -u -N' };
      const got = await runMc(['--context', 'hub', 'diff', ...args], {
        kubeconfig: kubectl.kubeconfig,
        env,
      });
      assert.equal(got.code, 1);
      assert.match(got.stdout, /^\+ {2}a: "2"$/m);
    });

    test('trouble has the same words and codes', async () => {
      await assertSame([...file('nowhere')]);
      await assertSame([...file('changed'), '-n', 'other']);
      await assertSame(file('empty'));
    });
  });
}

describe('our own comparing', () => {
  test('says what diff -u says where lines are told apart, and never more', () => {
    const folder = mkdtempSync(join(tmpdir(), 'flotilla-diff-'));
    const [from, to] = [join(folder, 'a'), join(folder, 'b')];
    const { below } = seeded(7);
    try {
      for (let round = 0; round < 300; round += 1) {
        const isClear = round % 2 === 0;
        const line = () => `line ${below(isClear ? 1_000 : 6)}\n`;
        const before = Array.from({ length: below(80) }, line);
        const after = before.flatMap((each) => {
          const dice = below(10);
          if (dice === 0) return [];
          return dice === 1 ? [line(), each] : [dice === 2 ? line() : each];
        });
        writeFileSync(from, before.join(''));
        writeFileSync(to, after.join(''));
        const { stdout } = spawnSync('diff', ['-u', from, to], { encoding: 'utf8' });
        const wanted = stdout.replace(/^((?:---|\+\+\+) .*)\t.*$/gm, '$1');
        const got = unifiedDiff(before.join(''), after.join(''), { from, to });
        const changes = (text: string) => text.match(/^[-+]line/gm)?.length ?? 0;
        if (isClear) assert.equal(got, wanted);
        else assert.ok(changes(got) <= changes(wanted));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
