// api-resources, api-versions, auth and explain of one cluster, compared with the real kubectl, on a real server and on
// ours.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type Json, parseYaml } from '@flotilla/machinery';
import { type Api, apiOf } from '../api.ts';
import { SIDES, type Side, startSide } from '../sides.ts';
import { WIDGETS } from './fixtures.ts';
import { type McSide, mcSide, type Printed } from './mc-side.ts';

const NO_COLUMN = ['--cluster-column', 'none'];

const API_RESOURCES: readonly (readonly string[])[] = [
  [],
  ['-o', 'wide'],
  ['-o', 'name'],
  ['--no-headers'],
  ['--no-headers', '-o', 'wide'],
  ['--namespaced'],
  ['--namespaced=true', '-o', 'name'],
  ['--namespaced=false'],
  ['--api-group=apps'],
  ['--api-group='],
  ['--api-group', 'none.example.com'],
  ['--verbs=list,watch'],
  ['--verbs', 'list', '--verbs', 'bind'],
  ['--categories=all'],
  ['--categories', 'api-extensions', '-o', 'wide'],
  ['--categories', 'none'],
  ['--sort-by=name'],
  ['--sort-by=kind', '-o', 'wide'],
  ['--cached'],
  ['--sort-by=size'],
  ['-o', 'tree'],
  ['pods'],
];

const CAN_I: readonly (readonly string[])[] = [
  ['get', 'pods'],
  ['list', 'po', '-n', 'shop'],
  ['create', 'deployments.apps', '-A'],
  ['get', 'deployments.v1.apps/web', '-n', 'shop'],
  ['get', 'pods', '--subresource=log'],
  ['get', 'nodes'],
  ['get', 'nodes', '-A'],
  ['get', 'clusterroles.rbac.authorization.k8s.io'],
  ['fly', 'pods'],
  ['fly', 'pods', '-A'],
  ['*', '*'],
  ['get', 'spaceships'],
  ['get', 'spaceships.example.com'],
  ['get', 'Widgets'],
  ['impersonate', 'users'],
  ['impersonate', 'groups'],
  ['get', '/healthz'],
  ['fly', '/healthz'],
  ['get', '/healthz', '--subresource=x'],
  ['get', 'pods', '--quiet'],
  ['get', 'pods', '-q', '-n', 'shop'],
  ['get'],
  ['get', 'pods', 'nodes'],
  ['get', 'pods', '--no-headers'],
];

/** Whom the server takes us for: the admin, people with few rights, and one with names and paths in their rules. */
const USERS: readonly (readonly string[])[] = [
  [],
  ['--as', 'jane'],
  ['--as', 'lucy', '--as-group', 'system:authenticated', '--as-group', 'readers'],
  ['--as', 'system:kube-scheduler'],
  ['--as', 'system:serviceaccount:shop:default'],
];

const EXPLAIN: readonly (readonly string[])[] = [
  ['pods'],
  ['po'],
  ['Pod'],
  ['pods.spec'],
  ['pod.spec.containers'],
  ['pods.spec.containers.image'],
  ['pods.spec.containers.imagePullPolicy'],
  ['pods.metadata.labels'],
  ['pods.spec.containers.resources.limits'],
  ['pods.spec.affinity', '--recursive'],
  ['pods', '--recursive'],
  ['deployments'],
  ['deployments.apps'],
  ['deployments.apps.spec.strategy'],
  ['deployments.v1.apps'],
  ['deploy.spec.replicas'],
  ['cronjobs', '--api-version=batch/v1'],
  ['cronjobs.spec', '--api-version=batch/v1', '--recursive'],
  ['hpa', '--api-version=autoscaling/v1'],
  ['hpa.spec.metrics', '--api-version=autoscaling/v2'],
  ['crd.spec.versions.schema.openAPIV3Schema'],
  ['crd.spec.versions.schema.openAPIV3Schema', '--recursive'],
  ['secrets.data'],
  ['events'],
  ['events.events.k8s.io'],
  ['widgets'],
  ['wg', '--recursive'],
  ['widgets.spec'],
  ['services.spec.ports', '--output', 'plaintext'],
  // The older form.
  ...[
    ['pods'],
    ['pods', '--recursive'],
    ['pods.spec.containers'],
    ['pods.spec.containers.image'],
    ['pods.spec.containers.image.tag'],
    ['pods.metadata.labels'],
    ['pods.metadata.managedFields.fieldsV1'],
    ['deployments.apps.spec.strategy.rollingUpdate.maxSurge'],
    ['crd.spec.versions.schema.openAPIV3Schema'],
    ['crd.spec.versions.schema.openAPIV3Schema', '--recursive'],
    ['crd.spec.versions.schema.openAPIV3Schema.default'],
    ['hpa', '--api-version=autoscaling/v1'],
    ['cronjobs.spec.jobTemplate.spec.podFailurePolicy'],
    ['services.spec.ports'],
    ['networkpolicies.spec.ingress'],
    ['widgets'],
    ['pods.spec.wings'],
    ['pods', '--api-version=apps/v1'],
    ['pods', '--api-version=a/b/c'],
  ].map((args) => [...args, '-o', 'plaintext-openapiv2']),
  // What is not there.
  ['spaceships'],
  ['pods.spec.wings'],
  ['pods.spec.containers.image.tag'],
  ['pods', '--api-version=apps/v1'],
  ['pods', '--api-version=v9'],
  ['pods', '--api-version=a/b/c'],
  ['pods', '-o', 'tree'],
  ['pods[0]'],
  ['pods.spec.containers[0]'],
  ['pods.'],
  ['.pods'],
  [''],
  [],
  ['pods', 'services'],
];

for (const name of SIDES) {
  describe(`small verbs on a ${name} server`, () => {
    let side: Side;
    let api: Api;
    let both: McSide;
    before(async () => {
      side = await startSide(name);
      api = apiOf(side);
      await api.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', WIDGETS);
      await api.create('/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'shop' },
      });
      for (const [path, object] of RULES) await api.create(path, object);
      both = mcSide(side);
      await both.kubectl(['wait', '--for=condition=Established', 'crd/widgets.example.com']);
    });
    after(async () => {
      await both[Symbol.asyncDispose]();
      api[Symbol.dispose]();
      await side.stop();
    });

    test('api-resources prints the same types in every form', async () => {
      for (const flags of API_RESOURCES) {
        await assertEqual(both, ['api-resources', ...flags], { ours: NO_COLUMN });
      }
    });

    test('api-resources has the fields of every type for programs', async () => {
      for (const format of ['json', 'yaml']) {
        const args = ['api-resources', '-o', format];
        const [wanted, got] = [await both.kubectl(args), await both.mc(args)];
        const { resources } = parseYaml(wanted.stdout).value as { resources: Json[] };
        assert.deepEqual(itemsOf(got).map(withoutHash), resources.map(withoutHash));
        assert.equal(got.code, 0);
      }
    });

    test('api-versions prints the same lines', async () => {
      await assertEqual(both, ['api-versions']);
      await assertEqual(both, ['api-versions', 'v1']);
    });

    test('auth can-i says the same of every action, with the same warnings and exit code', async () => {
      for (const user of USERS.slice(0, 3)) {
        for (const question of CAN_I) {
          await assertEqual(both, ['auth', 'can-i', ...question, ...user], { adapt: verdictOf });
        }
      }
    });

    test('auth can-i --list prints the same rules', async () => {
      for (const user of USERS) {
        for (const flags of [[], ['-n', 'shop'], ['--no-headers'], ['-q'], ['-A'], ['pods']]) {
          await assertEqual(both, ['auth', 'can-i', '--list', ...flags, ...user]);
        }
      }
    });

    test('auth whoami has the same review', async () => {
      for (const user of USERS) {
        for (const format of ['json', 'yaml']) {
          const args = ['auth', 'whoami', '-o', format, ...user];
          const [wanted, got] = [await both.kubectl(args), await both.mc(args)];
          assert.deepEqual(itemsOf(got).map(withoutTimes), [
            withoutTimes(parseYaml(wanted.stdout).value as Json),
          ]);
        }
        const { stdout } = await both.kubectl(['auth', 'whoami', ...user]);
        const { stdout: table } = await both.mc(['auth', 'whoami', '--no-headers', ...user]);
        const [, username = ''] = /^Username +(.*)$/m.exec(stdout) ?? [];
        const [, groups = ''] = /^Groups +\[(.*)\]$/m.exec(stdout) ?? [];
        const cells = table.trimEnd().split(/ {2,}/);
        assert.deepEqual(cells.slice(1, 3), [username, groups.replaceAll(' ', ',')]);
      }
    });

    test('explain prints the same of types, fields and mistakes', async () => {
      for (const args of EXPLAIN) await assertEqual(both, ['explain', ...args]);
    });

    test('explain prints the same of every type there is', async () => {
      const { stdout } = await both.kubectl(['api-resources', '-o', 'name']);
      const types = stdout.split('\n').filter((type) => type !== '');
      assert.ok(types.length > 40);
      for (const type of types) await assertEqual(both, ['explain', type, '--recursive']);
    });
  });
}

/** Rights with names, subresources and paths in them. */
const RULES: readonly (readonly [path: string, object: Json])[] = [
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'readers' },
      rules: [
        { apiGroups: ['', 'apps'], resources: ['pods', 'pods/log', '*'], verbs: ['get', 'list'] },
        {
          apiGroups: ['apps'],
          resources: ['deployments/scale'],
          verbs: ['update', 'get', 'patch'],
        },
        {
          apiGroups: ['example.com'],
          resources: ['widgets'],
          resourceNames: ['one', 'two'],
          verbs: ['delete'],
        },
        { nonResourceURLs: ['/metrics', '/logs/*'], verbs: ['get', 'head'] },
        { apiGroups: ['*'], resources: ['*/status'], verbs: ['*'] },
      ],
    },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'readers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'readers' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'readers' }],
    },
  ],
];

interface Ours {
  /** What only ours is told. */
  readonly ours?: readonly string[];
  /** Takes away what ours adds. */
  readonly adapt?: (stdout: string) => string;
}

/** The order of some lists is the server's and changes from one answer to the next; after so many it is not the reason. */
const TRIES = 25;

/** Fails unless both print the same and end with the same code; ours is called otherwise, and says so. */
async function assertEqual(
  { kubectl, mc }: McSide,
  args: readonly string[],
  { ours = [], adapt = (text) => text }: Ours = {},
): Promise<void> {
  let [wanted, got]: Printed[] = [];
  for (let tries = 0; tries < TRIES; tries++) {
    wanted = await kubectl(args);
    const { code, stdout, stderr } = await mc([...args, ...ours]);
    got = { code, stdout: adapt(stdout), stderr: stderr.replaceAll('kubectl mc ', 'kubectl ') };
    if (isDeepStrictEqual(got, wanted)) return;
  }
  assert.deepEqual(got, wanted, `kubectl ${args.join(' ')}`);
}

/** kubectl's words for the only row of our table. */
function verdictOf(table: string): string {
  if (table === '') return '';
  const [, row = ''] = table.split('\n');
  const [, verdict = '', reason = ''] = /^\S+ +(yes|no) +(.*)$/.exec(row) ?? [];
  return verdict === 'yes' || reason === '<none>' ? `${verdict}\n` : `${verdict} - ${reason}\n`;
}

/** The items of the only cluster. */
function itemsOf({ stdout }: Printed): Json[] {
  const { clusters } = parseYaml(stdout).value as { clusters: { items: Json[] }[] };
  assert.equal(clusters.length, 1);
  return clusters[0]?.items ?? [];
}

/** Of the old form of discovery, and nobody's business. */
function withoutHash(resource: Json): Json {
  const { storageVersionHash: _, ...others } = resource;
  return others;
}

/** A review is made anew each time. */
function withoutTimes(review: Json): Json {
  const { metadata, ...others } = review;
  assert.ok(isJsonObject(metadata));
  const { creationTimestamp: _, ...rest } = metadata;
  return { ...others, metadata: rest };
}
