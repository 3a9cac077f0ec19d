// What `kubectl mc get --watch` prints of one cluster, compared with the real kubectl, on a real server and on ours: both
// watch the same objects while they change.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@flotilla/testkit';
import { startMc } from '../../packages/mc/src/testing/run-mc.ts';
import { type Api, apiOf } from '../api.ts';
import { kubeconfigOf } from '../gateway/kubectl.ts';
import { SIDES, type Side, startSide } from '../sides.ts';
import { WIDGETS } from './fixtures.ts';
import { assertSame, type McSide, mcSide } from './mc-side.ts';
import { startKubectl } from './start-kubectl.ts';

const NO_COLUMN = ['--cluster-column', 'none'];
const PATIENCE = { withinMs: 20_000 };
/** The last object that is created; whoever has printed it has printed everything. */
const LAST = 'the-very-last-one';

const COLUMNS = 'custom-columns=N:.metadata.name,S:.spec.size,T:.spec.text';
const EVENT_COLUMNS = 'custom-columns=T:.type,N:.object.metadata.name';

/** Of lists; what changes after a list was printed is in the watch. */
const LISTS: readonly (readonly string[])[] = [
  ['widgets'],
  ['widgets', '--no-headers'],
  ['widgets', '--show-labels'],
  ['widgets', '-L', 'v,run'],
  ['widgets', '-o', 'wide'],
  ['widgets', '--show-kind'],
  ['widgets', '--output-watch-events'],
  ['widgets', '--output-watch-events', '--no-headers', '-o', 'wide', '--show-labels'],
  ['widgets', '-A', '-l', 'run=NAMESPACE'],
  ['widgets', '-A', '-l', 'run=NAMESPACE', '--output-watch-events'],
  ['widgets', '--sort-by', '.spec.size'],
  ['widgets', '--chunk-size', '1'],
  ['widgets', '--server-print=false'],
  ['widgets', '-o', 'name'],
  ['widgets', '-o', 'json'],
  ['widgets', '-o', 'yaml'],
  ['widgets', '-o', 'json', '--show-managed-fields'],
  ['widgets', '-o', 'jsonpath={.metadata.name} {.spec.size}{"\\n"}'],
  ['widgets', '-o', 'go-template={{.metadata.name}};'],
  ['widgets', '-o', COLUMNS],
  ['widgets', '-o', COLUMNS, '--no-headers'],
  ['widgets', '-o', 'json', '--output-watch-events'],
  ['widgets', '-o', 'yaml', '--output-watch-events'],
  ['widgets', '-o', 'jsonpath={.type} {.object.metadata.name}{"\\n"}', '--output-watch-events'],
  ['widgets', '-o', EVENT_COLUMNS, '--output-watch-events'],
  ['configmaps', '-l', 'run=NAMESPACE'],
  ['deployments', '-o', 'wide'],
];

/** Of these nobody can tell when their watch begins, so they are kicked until they show it. */
const KICKED: readonly (readonly string[])[] = [
  ['widget', 'first'],
  ['widget/first', '--output-watch-events'],
  ['widget', 'first', '-o', 'name'],
  ['widget', 'first', '-o', COLUMNS],
  ['widgets', '--watch-only'],
  ['widgets', '--watch-only', '--output-watch-events', '--no-headers'],
  ['widgets', '--watch-only', '-o', COLUMNS],
];

interface Kind {
  readonly path: string;
  readonly object: (name: string, spec: object) => object;
}

/** The object of each kind that changes. */
function kindOf(type: string, namespace: string): Kind {
  const metadata = (name: string) => ({ name, labels: { run: namespace } });
  switch (type) {
    case 'configmaps':
      return {
        path: `/api/v1/namespaces/${namespace}/configmaps`,
        object: (name, data) => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: metadata(name),
          data: Object.fromEntries(
            Object.entries(data).map(([key, value]) => [key, String(value)]),
          ),
        }),
      };
    case 'deployments':
      return {
        path: `/apis/apps/v1/namespaces/${namespace}/deployments`,
        object: (name) => ({
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: metadata(name),
          spec: {
            selector: { matchLabels: { app: name } },
            template: {
              metadata: { labels: { app: name } },
              spec: { containers: [{ name: 'main', image: 'nginx:1' }] },
            },
          },
        }),
      };
    default:
      return {
        path: `/apis/example.com/v1/namespaces/${namespace}/widgets`,
        object: (name, spec) => ({
          apiVersion: 'example.com/v1',
          kind: 'Widget',
          metadata: metadata(name),
          spec,
        }),
      };
  }
}

/** Ages go on while others look, and a row may be seen twice before a watch is known to have begun. */
function comparable(text: string): string {
  return text.replace(/\b\d+s\b */g, 'AGE ').replace(/^(.*\n)\1+/gm, '$1');
}

for (const name of new Set(SIDES)) {
  describe(`on a server that is ${name}`, { timeout: 600_000 }, () => {
    let side: Side;
    let api: Api;
    let both: McSide;
    let kubeconfig: string;
    let count = 0;

    before(async () => {
      side = await startSide(name);
      api = apiOf(side);
      await api.until('/api/v1/namespaces/default', ({ code }) => code === 200);
      await api.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', WIDGETS);
      await api.until('/apis/example.com/v1/widgets', ({ code }) => code === 200);
      both = mcSide(side);
      const folder = mkdtempSync(join(tmpdir(), 'flotilla-watch-'));
      kubeconfig = join(folder, 'kubeconfig');
      writeFileSync(kubeconfig, kubeconfigOf(side), { mode: 0o600 });
    });
    after(async () => {
      rmSync(dirname(kubeconfig), { recursive: true, force: true });
      await both[Symbol.asyncDispose]();
      api[Symbol.dispose]();
      await side.stop();
    });

    async function freshNamespace(): Promise<string> {
      count += 1;
      const namespace = `watch-${String(count).padStart(3, '0')}`;
      const metadata = { name: namespace };
      await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
      return namespace;
    }

    /** Has both watch, changes things when both have begun, and gives what they printed. */
    async function watched(args: readonly string[], kick: boolean): Promise<[string, string]> {
      const namespace = await freshNamespace();
      const { path, object } = kindOf(args[0] ?? '', namespace);
      const create = (each: string, spec: object) => api.create(path, object(each, spec));
      const label = (v: string) => api.patch(`${path}/first`, { metadata: { labels: { v } } });
      const isOnlyChanges = args.includes('--watch-only');
      const isOne = kick && !isOnlyChanges;
      await create('first', { size: 7, text: 'some text' });
      await create('second', { size: 3 });

      const command = [
        'get',
        ...args.map((arg) => arg.replace('NAMESPACE', namespace)),
        ...(isOnlyChanges ? [] : ['--watch']),
        ...(args.includes('-A') ? [] : ['-n', namespace]),
      ];
      const theirs = startKubectl(command, kubeconfig);
      const ours = startMc(['--context', 'hub', ...command, ...NO_COLUMN], { kubeconfig });
      const runs = [ours, theirs];
      const until = (holds: () => boolean) => eventually(holds, undefined, PATIENCE);
      const lengths = () => runs.map(({ stdout }) => stdout().length);
      const haveGrown = (since: readonly number[]) =>
        lengths().every((length, index) => length > (since[index] ?? 0));
      try {
        if (!isOnlyChanges) await until(() => haveGrown([0, 0]));
        for (const since = lengths(); kick && !haveGrown(since); ) {
          await label(String(performance.now()));
          await new Promise(setImmediate);
        }
        await label('changed');
        await create('a-name-that-is-longer-than-others', { size: 12_345, text: 'long' });
        await api.delete(`${path}/second`);
        const since = lengths();
        if (isOne) await api.delete(`${path}/first`);
        else await create(LAST, { size: 1, text: 'end' });
        const isAll = () =>
          isOne ? haveGrown(since) : runs.every(({ stdout }) => stdout().includes(LAST));
        const isSame = () => comparable(ours.stdout()) === comparable(theirs.stdout());
        await until(() => isAll() && isSame()).catch(() => {});
        return [comparable(ours.stdout()), comparable(theirs.stdout())];
      } finally {
        ours.interrupt();
        await Promise.all([ours.done, theirs.stop()]);
      }
    }

    for (const [args, kick] of [
      ...LISTS.map((each) => [each, false] as const),
      ...KICKED.map((each) => [each, true] as const),
    ]) {
      test(`MC-60 get ${args.join(' ')} is the same while things change`, async () => {
        const [ours, theirs] = await watched(args, kick);
        assert.equal(ours, theirs);
      });
    }

    test('what cannot be watched is refused in the same words', async () => {
      for (const args of [
        ['pods,services', '-w'],
        ['pod', 'none', '-w'],
        ['pod', 'none', '-w', '--ignore-not-found'],
        ['gadgets', '-w'],
        ['pods', '--output-watch-events'],
        ['pods', '-o', 'jsonpath={', '-w'],
      ]) {
        await assertSame(both, { args: ['get', ...args], ours: NO_COLUMN });
      }
    });
  });
}
