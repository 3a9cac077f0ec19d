// What `kubectl mc get` prints of one cluster, compared with the real kubectl, on a real server and on ours.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Api, apiOf } from '../api.ts';
import { SIDES, type Side, startSide } from '../sides.ts';
import { FIXTURES, WIDGET_OBJECTS, WIDGETS } from './fixtures.ts';
import { assertSame, type McSide, mcSide, withoutClusters } from './mc-side.ts';

const NO_COLUMN = ['--cluster-column', 'none'];

/** Commands by what they try; each is run by both programs. */
const COMMANDS: readonly (readonly [title: string, commands: readonly (readonly string[])[]])[] = [
  [
    'MC-22 pods in every form of a table',
    [
      ['get', 'pods'],
      ['get', 'pods', '-n', 'shop'],
      ['get', 'po', '-n', 'shop', '-o', 'wide'],
      ['get', 'pods', '-n', 'shop', '--show-labels'],
      ['get', 'pods', '-n', 'shop', '-L', 'app,example.com/tier', '-L', 'none'],
      ['get', 'pods', '-n', 'shop', '--no-headers'],
      ['get', 'pods', '-A'],
      ['get', 'pods', '-A', '--no-headers', '-o', 'wide', '--show-labels', '-L', 'app'],
      ['get', 'pods', '-n', 'shop', '--show-kind'],
      ['get', 'pods', '-n', 'shop', '-l', 'app=web'],
      ['get', 'pods', '-n', 'shop', '-l', 'app in (web,api),example.com/tier!=front'],
      ['get', 'pods', '-A', '--field-selector', 'metadata.namespace=shop'],
      ['get', 'pods', '-n', 'shop', '--chunk-size', '1'],
      ['get', 'pods', '-n', 'shop', '--chunk-size', '0'],
      ['get', 'pods', '-n', 'shop', '--server-print=false'],
      ['get', 'pod', 'web', '-n', 'shop'],
      ['get', 'pod', 'web', 'api', '-n', 'shop'],
      ['get', 'pod/web', 'pod/api', '-n', 'shop'],
      ['get', 'pods.v1.', '-n', 'shop'],
      ['get', 'Pod', '-n', 'shop'],
    ],
  ],
  [
    'MC-23 several types are several tables',
    [
      ['get', 'pods,svc', '-n', 'shop'],
      ['get', 'pods,svc', '-n', 'shop', '--no-headers'],
      ['get', 'pods,nodes', '-A'],
      ['get', 'pods,po,pod', '-n', 'shop'],
      ['get', 'deploy,rs,sts', '-n', 'shop'],
      ['get', 'deploy/web', 'rs/web', 'deployment/web', '-n', 'shop'],
      ['get', 'deploy,rs', 'web', '-n', 'shop'],
      ['get', 'cm,pods', '-n', 'shop-a'],
      ['get', 'all', '-n', 'shop'],
      ['get', 'all', '-n', 'shop-a', '-o', 'wide'],
      ['get', 'deployments.apps,ingresses.networking.k8s.io', '-n', 'shop'],
      ['get', 'deployments.v1.apps', '-n', 'shop'],
    ],
  ],
  [
    'MC-24 MC-33 MC-34 what is not there is told in the same words',
    [
      ['get', 'pods', '-n', 'nowhere'],
      ['get', 'pods,svc', '-n', 'nowhere'],
      ['get', 'pvc', '-n', 'default'],
      ['get', 'leases', '-n', 'default'],
      ['get', 'priorityclasses', '-l', 'a=b'],
      ['get', 'widgets', '-A', '-l', 'a=b'],
      ['get', 'pod', 'none', '-n', 'shop'],
      ['get', 'pod', 'web', 'none', '-n', 'shop'],
      ['get', 'deploy/none', '-n', 'shop'],
      ['get', 'pod', 'none', '-n', 'shop', '--ignore-not-found'],
      ['get', 'gadgets'],
      ['get', 'gadgets.v1.example.com'],
      ['get', 'pods,gadgets'],
      ['get', 'pod', 'none', '-n', 'shop', '-o', 'name'],
      ['get', 'pod', 'none', '-o', 'jsonpath={.metadata.name}', '-n', 'shop'],
    ],
  ],
  [
    'MC-36 what has no namespace needs none',
    [
      ['get', 'namespaces'],
      ['get', 'ns', 'shop'],
      ['get', 'nodes', '-n', 'shop'],
      ['get', 'pv,sc', '-A'],
    ],
  ],
  [
    'MC-25 MC-27 columns and cells of kinds that users define',
    [
      ['get', 'widgets', '-n', 'shop'],
      ['get', 'wg', '-n', 'shop', '-o', 'wide'],
      ['get', 'widgets', '-A', '--show-labels'],
      ['get', 'widgets.example.com', '-n', 'shop', '--no-headers', '-o', 'wide'],
      ['get', 'events', '-n', 'shop'],
      ['get', 'events', '-n', 'shop', '-o', 'wide'],
    ],
  ],
  [
    'MC-28 sorted lists',
    [
      ['get', 'pods', '-n', 'shop', '--sort-by', '.metadata.name'],
      ['get', 'pods', '-n', 'shop', '--sort-by', '{.metadata.labels.app}'],
      ['get', 'pods', '-n', 'shop', '--sort-by', 'metadata.annotations.number'],
      ['get', 'pods', '-n', 'shop', '--sort-by', '.spec.terminationGracePeriodSeconds'],
      ['get', 'pods', '-n', 'shop', '--sort-by', '.spec.containers[0].resources.limits.cpu'],
      // Of a table, kubectl 1.34 shows nothing where it has words for it.
      ['get', 'pods', '-n', 'shop', '--sort-by', '.no.such.field', '-o', 'name'],
      ['get', 'pods', '-n', 'nowhere', '--sort-by', '.no.such.field'],
      ['get', 'pods', '-n', 'shop', '--sort-by', '.metadata.name', '-o', 'name'],
      [
        'get',
        'pods',
        '-n',
        'shop',
        '--sort-by',
        '.metadata.labels.app',
        '-o',
        'custom-columns=N:.metadata.name',
      ],
    ],
  ],
  [
    'MC-31 names',
    [
      ['get', 'pods', '-n', 'shop', '-o', 'name'],
      ['get', 'deploy,rs,cm', '-n', 'shop', '-o', 'name'],
      ['get', 'widgets', '-A', '-o', 'name'],
      ['get', 'pods', '-n', 'nowhere', '-o', 'name'],
      ['get', 'ns', '-o', 'name'],
    ],
  ],
  [
    'MC-32 custom columns',
    [
      'N:.metadata.name,I:.spec.containers[*].image',
      'NAME:metadata.name,PORTS:{.spec.containers[*].ports[*].containerPort},GRACE:{spec.terminationGracePeriodSeconds}',
      'N:.metadata.name,LABELS:.metadata.labels,FIRST:.spec.containers[0],MISSING:.a.b.c',
      'A:.spec.containers[?(@.name=="side")].image,A:.metadata.name',
      'N',
      'N:{.a}{.b}',
    ].flatMap((columns) => [
      ['get', 'pods', '-n', 'shop', '-o', `custom-columns=${columns}`],
      ['get', 'pods', '-n', 'nowhere', '-o', `custom-columns=${columns}`, '--no-headers'],
    ]),
  ],
  [
    'MC-30 templates over lists',
    [
      'jsonpath={range .items[*]}{.metadata.name}{"\\n"}{end}',
      'jsonpath={.items[*].metadata.name}',
      'jsonpath={.items[?(@.metadata.labels.app=="web")].spec.containers[0].image}',
      'jsonpath={.items[0].spec.containers[*]["name"]}',
      'jsonpath-as-json={.items[*].metadata.labels}',
      'jsonpath={.kind}/{.apiVersion} {.metadata}',
      'jsonpath={.items[*].spec.containers[*].args[1]}',
      'jsonpath={.missing}',
      'go-template={{range .items}}{{.metadata.name}} {{len .spec.containers}}{{"\\n"}}{{end}}',
      'go-template={{range $i, $p := .items}}{{if $i}}, {{end}}{{printf "%-5s" $p.metadata.name}}{{end}}',
      'template={{.kind}} {{.missing}}',
      'jsonpath={.items',
      'jsonpath=',
      'jsonpath',
      'go-template={{range .items}}',
      'custom-columns=',
    ].map((format) => ['get', 'pods', '-n', 'shop', '-o', format]),
  ],
  [
    'one object of one cluster is printed by templates as it is',
    [
      [
        'get',
        'pod',
        'web',
        '-n',
        'shop',
        '-o',
        'jsonpath={.metadata.name} {.spec.containers[*].image}',
      ],
      ['get', 'pod/web', '-n', 'shop', '-o', 'go-template={{.metadata.name}} {{.status.phase}}'],
      ['get', 'pod/web', '-n', 'shop', '--template', '{{.metadata.labels}}'],
      ['get', 'cm/settings', '-n', 'shop', '-o', 'jsonpath={.data}'],
      ['get', 'deploy', 'web', '-n', 'shop', '--subresource', 'scale', '-o', 'jsonpath={.kind}'],
      ['get', 'deploy', 'web', '-n', 'shop', '--subresource', 'status'],
      ['get', '--raw', '/api/v1/namespaces/shop/configmaps/settings'],
    ],
  ],
  [
    'arguments that do not go together are refused in the same words',
    [
      ['get', 'pod/web/x', '-n', 'shop'],
      ['get', 'pod/', '-n', 'shop'],
      ['get', 'pod', 'web', '-l', 'a=b'],
      ['get', 'pods', '-o', 'json', '--show-labels'],
      ['get', 'pods', '--output-watch-events'],
      ['get', 'pod', 'web', '-A'],
      ['get', 'pods', '--subresource', 'status'],
      ['get', '--raw', '/version', 'x'],
      ['get', '--raw', '/version', '-o', 'json'],
      ['get', '--raw', '/nothing/here'],
    ],
  ],
];

for (const name of new Set(SIDES)) {
  describe(`on a server that is ${name}`, { timeout: 600_000 }, () => {
    let side: Side;
    let api: Api;
    let both: McSide;

    before(async () => {
      side = await startSide(name);
      api = apiOf(side);
      await api.until('/api/v1/namespaces/default', ({ code }) => code === 200);
      for (const [path, object] of FIXTURES) await api.create(path, object);
      await api.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', WIDGETS);
      await api.until('/apis/example.com/v1/widgets', ({ code }) => code === 200);
      for (const [path, object] of WIDGET_OBJECTS) await api.create(path, object);
      both = mcSide(side);
    });
    after(async () => {
      await both[Symbol.asyncDispose]();
      api[Symbol.dispose]();
      await side.stop();
    });

    test('MC-22 MC-25 every type that can be listed is printed as kubectl prints it', async () => {
      const { stdout } = await both.kubectl(['api-resources', '--verbs=list', '-o', 'name']);
      const types = stdout.split('\n').filter((type) => type !== '');
      assert.ok(types.length > 40);
      for (const type of types) {
        for (const flags of [['-A'], ['-A', '-o', 'wide', '--show-labels']]) {
          await assertSame(both, { args: ['get', type, ...flags], ours: NO_COLUMN });
        }
      }
    });

    for (const [title, commands] of COMMANDS) {
      test(title, async () => {
        for (const args of commands) await assertSame(both, { args, ours: NO_COLUMN });
      });
    }

    test('MC-30 objects in JSON and YAML are written as kubectl writes them', async () => {
      // All of these have annotations that come behind ours.
      for (const format of ['json', 'yaml']) {
        for (const flags of [[], ['--show-managed-fields']]) {
          await assertSame(both, {
            args: ['get', 'pods,configmaps', '-n', 'shop', '-o', format, ...flags],
            ours: ['--flat'],
            adapt: (text) => text.replace(/\n *"?kubectl-mc\.k8s\.io\/cluster"?: .*/g, ''),
          });
        }
      }
    });

    test('MC-22 MC-23 the CLUSTER column is all that is added', async () => {
      for (const flags of [
        ['pods', '-n', 'shop'],
        ['pods', '-A'],
        ['pods', '-A', '-o', 'wide'],
        ['pods', '-n', 'shop', '--show-labels', '-L', 'app,example.com/tier'],
        ['pods,services', '-n', 'shop'],
        ['all', '-n', 'shop'],
        ['widgets', '-n', 'shop'],
        ['events', '-n', 'shop'],
      ]) {
        await assertSame(both, { args: ['get', ...flags], adapt: withoutClusters });
      }
    });
  });
}
