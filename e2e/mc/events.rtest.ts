// What `kubectl mc events` prints of one cluster, compared with the real kubectl, on a real server and on ours.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseYaml } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';
import { startMc } from '../../packages/mc/src/testing/run-mc.ts';
import { type Api, apiOf, type Json } from '../api.ts';
import { kubeconfigOf } from '../gateway/kubectl.ts';
import { SIDES, type Side, startSide } from '../sides.ts';
import { type Fixture, WIDGETS } from './fixtures.ts';
import { assertSame, type McSide, mcSide } from './mc-side.ts';
import { startKubectl } from './start-kubectl.ts';

const NO_COLUMN = ['--cluster-column', 'none'];
const DAY_MS = 86_400_000;

/** So long ago that ages stay the same for a day. */
const daysAgo = (days: number): string =>
  `${new Date(Date.now() - days * DAY_MS - 60_000).toISOString().slice(0, 19)}Z`;
const microDaysAgo = (days: number): string => daysAgo(days).replace('Z', '.123456Z');

/** Events of all the forms that clients write. */
function eventFixtures(): Fixture[] {
  const event = (namespace: string, name: string, fields: object): Fixture => [
    `/api/v1/namespaces/${namespace}/events`,
    {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace, annotations: { z: 'last' } },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace, name: 'web' },
      source: { component: 'test' },
      ...fields,
    },
  ];
  return [
    event('shop', 'newest', {
      type: 'Normal',
      reason: 'Started',
      message: 'Started container main',
      firstTimestamp: daysAgo(9),
      lastTimestamp: daysAgo(9),
      count: 1,
    }),
    event('shop', 'repeated', {
      type: 'Warning',
      reason: 'BackOff',
      message: '  Back-off restarting failed container\n',
      firstTimestamp: daysAgo(30),
      lastTimestamp: daysAgo(10),
      count: 12,
    }),
    event('shop', 'series', {
      type: 'Warning',
      reason: 'FailedScheduling',
      message: '0/3 nodes are available',
      action: 'Scheduling',
      reportingComponent: 'default-scheduler',
      reportingInstance: 'scheduler-1',
      eventTime: microDaysAgo(20),
      series: { count: 5, lastObservedTime: microDaysAgo(11) },
    }),
    event('shop', 'modern', {
      type: 'Normal',
      reason: 'Scheduled',
      message: 'Successfully assigned shop/web to node-1',
      action: 'Binding',
      reportingComponent: 'default-scheduler',
      reportingInstance: 'scheduler-1',
      eventTime: microDaysAgo(15),
    }),
    event('shop', 'timeless', { type: 'Normal', reason: 'Odd', message: 'nobody knows when' }),
    event('shop', 'deployment', {
      type: 'Normal',
      reason: 'ScalingReplicaSet',
      message: 'Scaled up replica set web-1 to 3',
      involvedObject: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
      firstTimestamp: daysAgo(12),
      lastTimestamp: daysAgo(12),
      count: 1,
    }),
    event('shop', 'widget', {
      type: 'Warning',
      reason: 'Escaped',
      message: '\u001b[31mred\u001b[0m and Größe ⛵',
      involvedObject: {
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        namespace: 'shop',
        name: 'web',
      },
      firstTimestamp: daysAgo(13),
      lastTimestamp: daysAgo(13),
    }),
    event('shop-b', 'elsewhere', {
      type: 'Normal',
      reason: 'Pulled',
      message: 'Pulled image',
      involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: 'shop-b', name: 'web' },
      firstTimestamp: daysAgo(14),
      lastTimestamp: daysAgo(14),
      count: 2,
    }),
  ];
}

const COMMANDS: readonly (readonly [title: string, commands: readonly (readonly string[])[]])[] = [
  [
    'tables, the latest last',
    [
      ['-n', 'shop'],
      ['-n', 'shop', '--no-headers'],
      ['-n', 'shop-b'],
      ['-n', 'shop', '--chunk-size', '1'],
      ['-n', 'shop', '--types', 'Warning'],
      ['-n', 'shop', '--types=warning,NORMAL'],
      ['-n', 'shop-b', '--types=Warning'],
    ],
  ],
  [
    'what events are about',
    [
      ['-n', 'shop', '--for', 'pod/web'],
      ['-n', 'shop', '--for', 'pods/web', '--types=Warning'],
      ['-n', 'shop', '--for', 'po/web'],
      ['-n', 'shop', '--for', 'Pod/web'],
      ['-n', 'shop', '--for', 'deployment.apps/web'],
      ['-n', 'shop', '--for', 'deployments.v1.apps/web'],
      ['-n', 'shop', '--for', 'wg/web'],
      ['-n', 'shop', '--for', 'pod/none'],
    ],
  ],
  [
    'what is not there or makes no sense, in the same words',
    [
      ['-n', 'nowhere'],
      ['-n', 'nowhere', '-o', 'name'],
      ['-n', 'nowhere', '-o', 'jsonpath={.kind}'],
      ['-n', 'shop', '--for', 'pod'],
      ['-n', 'shop', '--for', 'pod/web/x'],
      ['-n', 'shop', '--types=Error'],
    ],
  ],
  [
    // Of names kubectl 1.34 prints nothing at all.
    'objects by templates',
    [
      ['-n', 'shop', '-o', 'jsonpath={range .items[*]}{.metadata.name}{"\\n"}{end}'],
      ['-n', 'shop', '-o', 'go-template={{range .items}}{{.reason}} {{end}}'],
      ['-n', 'shop', '-o', 'go-template', '--template', '{{len .items}}'],
    ],
  ],
];

/** What they say: kubectl writes fields that are empty, and ours says of which cluster they are. */
function events(list: Json): Json[] {
  return list.items.map((event: Json) => {
    const { 'kubectl-mc.k8s.io/cluster': _cluster, ...annotations } =
      event.metadata.annotations ?? {};
    event.metadata.annotations = annotations;
    return Object.fromEntries(
      Object.entries(event).filter(([, value]) => value !== null && value !== ''),
    );
  });
}

for (const name of new Set(SIDES)) {
  describe(`on a server that is ${name}`, { timeout: 600_000 }, () => {
    let side: Side;
    let api: Api;
    let both: McSide;

    before(async () => {
      side = await startSide(name);
      api = apiOf(side);
      await api.until('/api/v1/namespaces/default', ({ code }) => code === 200);
      for (const namespace of ['shop', 'shop-b']) {
        const metadata = { name: namespace };
        await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
      }
      await api.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', WIDGETS);
      await api.until('/apis/example.com/v1/widgets', ({ code }) => code === 200);
      for (const [path, object] of eventFixtures()) await api.create(path, object);
      both = mcSide(side);
    });
    after(async () => {
      await both[Symbol.asyncDispose]();
      api[Symbol.dispose]();
      await side.stop();
    });

    for (const [title, commands] of COMMANDS) {
      test(title, async () => {
        for (const args of commands) {
          await assertSame(both, { args: ['events', ...args], ours: NO_COLUMN });
        }
      });
    }

    test('all namespaces have a column', async () => {
      for (const flags of [['-A'], ['-A', '--no-headers'], ['-A', '--types=Warning']]) {
        await assertSame(both, { args: ['events', ...flags], ours: NO_COLUMN });
      }
    });

    test('formats that are none are refused in the same words, which name one that is only ours', async () => {
      for (const format of ['wide', 'csv']) {
        const wanted = await both.kubectl(['events', '-o', format]);
        const { code, stdout, stderr } = await both.mc(['events', '-o', format]);
        assert.deepEqual({ code, stdout, stderr: stderr.replace('ndjson,', '') }, wanted);
      }
    });

    test('JSON and YAML have the same events in the same order', async () => {
      for (const [format, parse] of [
        ['json', JSON.parse],
        ['yaml', (text: string) => parseYaml(text).value],
      ] as const) {
        for (const flags of [[], ['--show-managed-fields'], ['--for', 'pod/web'], ['-A']]) {
          const args = ['events', '-n', 'shop', '-o', format, ...flags];
          const wanted = await both.kubectl(args);
          const got = await both.mc([...args, '--flat']);
          assert.deepEqual([got.code, got.stderr], [wanted.code, wanted.stderr]);
          const [ours, theirs] = [got, wanted].map(({ stdout }) => events(parse(stdout)));
          assert.ok((ours?.length ?? 0) > 2);
          assert.deepEqual(ours, theirs);
        }
      }
    });

    // Last, as events of the same time have no order among each other.
    for (const flags of [[], ['--no-headers'], ['--types=Warning'], ['--for', 'pod/web']]) {
      test(`events -w ${flags.join(' ')} prints what comes`, async () => {
        const namespace = `watched${flags.join('').replace(/\W/g, '').toLowerCase()}`;
        const metadata = { name: namespace };
        await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
        const [first, ...others] = eventFixtures()
          .filter(([path]) => path.includes('/shop/'))
          .toSorted(([, one]) => (one.metadata.name === 'repeated' ? -1 : 1));
        const create = async ([, event]: Fixture) => {
          const about = { ...event.involvedObject, namespace };
          const body = { ...event, metadata: { name: event.metadata.name }, involvedObject: about };
          await api.create(`/api/v1/namespaces/${namespace}/events`, body);
        };
        assert.ok(first);
        await create(first);
        const folder = mkdtempSync(join(tmpdir(), 'flotilla-events-'));
        const kubeconfig = join(folder, 'kubeconfig');
        writeFileSync(kubeconfig, kubeconfigOf(side), { mode: 0o600 });
        const command = ['events', '-w', '-n', namespace, ...flags];
        const theirs = startKubectl(command, kubeconfig);
        const ours = startMc(['--context', 'hub', ...command, ...NO_COLUMN], { kubeconfig });
        const patience = { withinMs: 20_000 };
        try {
          const isThere = () => theirs.stdout() !== '' && ours.stdout() !== '';
          await eventually(isThere, undefined, patience);
          for (const each of others) await create(each);
          const isAll = () => /0\/3 nodes/.test(ours.stdout()) && ours.stdout() === theirs.stdout();
          await eventually(isAll, undefined, patience).catch(() => {});
          assert.equal(ours.stdout(), theirs.stdout());
        } finally {
          ours.interrupt();
          await Promise.all([ours.done, theirs.stop()]);
          rmSync(folder, { recursive: true, force: true });
        }
      });
    }
  });
}
