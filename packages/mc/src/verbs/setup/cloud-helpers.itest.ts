import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadKubeconfig } from '@flotilla/client';
import { parseYaml } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';
import { readMapping } from '../../settings/mapping-file.ts';
import type { FleetServer } from '../../testing/fleet-server.ts';
import { healthyStatus, offerOf, profileOf, storeProfiles } from '../../testing/profiles.ts';
import { runMc, startMc } from '../../testing/run-mc.ts';
import {
  startFleet,
  type TestFleet,
  kubeconfigOf as userKubeconfigOf,
} from '../../testing/start-fleet.ts';
import { fakeClouds, kubeconfigOf } from './testing/fake-clouds.ts';

type Properties = Readonly<Record<string, string>>;

/** A fleet whose kubeconfig knows only the hub, and whose profiles say what `properties` has for their cluster. */
async function startClouds(clusters: Readonly<Record<string, Properties>>): Promise<TestFleet> {
  const fleet = await startFleet({
    members: Object.keys(clusters),
    mapping: false,
    profiles: ({ name, server }: FleetServer) => [
      profileOf({
        name,
        status: healthyStatus({
          accessProviders: [offerOf('any', server.access)],
          properties: Object.entries(clusters[name] ?? {}).map(([key, value]) => ({
            name: key,
            value,
          })),
        }),
      }),
    ],
  });
  writeFileSync(fleet.kubeconfigFile, userKubeconfigOf([fleet.hub]), { mode: 0o600 });
  return fleet;
}

const EKS = { 'cloud.provider': 'aws', region: 'us-west-2' };
const GKE = { 'cluster.type': 'gke', location: 'us-central1', project: 'my-project' };
const AKS = { 'cloud.provider': 'azure', 'cluster.type': 'aks', resourceGroup: 'my-group' };
const ACK = { 'cloud.provider': 'alibaba', 'cluster.id': `c${'0a'.repeat(16)}` };

const setup = (fleet: TestFleet, path: string, ...argv: string[]) =>
  runMc(['setup', ...argv], { homeFolder: fleet.homeFolder, env: { PATH: path } });

test('every cloud is asked in its own way, and its context is added and mapped', async () => {
  await using fleet = await startClouds({ eks: EKS, gke: GKE, aks: AKS, ack: ACK });
  const clouds = fakeClouds(fleet);
  clouds.add('aws', `test "$1" = eks && ${clouds.writes(fleet.member('eks'), 'eks')}; true`);
  const gkeContext = 'gke_my-project_us-central1_gke';
  clouds.add(
    'gcloud',
    `echo s3cret; test "$1" = container && ${clouds.writes(fleet.member('gke'), gkeContext)}; true`,
  );
  clouds.add('az', `test "$1" = aks && ${clouds.writes(fleet.member('aks'), 'aks')}; true`);
  clouds.add('kubelogin', 'echo "# converted" >> "$target"');
  const answer = JSON.stringify({
    config: kubeconfigOf(fleet.member('ack'), 'ack-admin'),
    expiration: 'never',
  });
  writeFileSync(join(fleet.homeFolder, 'answer.json'), answer);
  clouds.add('aliyun', `cat '${join(fleet.homeFolder, 'answer.json')}'`);

  const { code, stdout, stderr } = await setup(fleet, clouds.path, '--verify');

  assert.deepEqual([code, stderr], [0, '']);
  assert.doesNotMatch(stdout, /s3cret/);
  const calls = clouds.calls().map((words) => words.filter((word) => !word.startsWith('/')));
  assert.deepEqual(
    calls.filter(([name]) => name === 'aws'),
    [
      ['aws', 'sts', 'get-caller-identity'],
      [
        'aws',
        'eks',
        'update-kubeconfig',
        '--name',
        'eks',
        '--region',
        'us-west-2',
        '--alias',
        'eks',
        '--kubeconfig',
      ],
    ],
  );
  assert.deepEqual(
    calls.filter(([name]) => name === 'gcloud'),
    [
      ['gcloud', 'auth', 'print-access-token'],
      [
        'gcloud',
        'container',
        'clusters',
        'get-credentials',
        'gke',
        '--location',
        'us-central1',
        '--project',
        'my-project',
      ],
    ],
  );
  assert.deepEqual(
    calls.filter(([name]) => name === 'az' || name === 'kubelogin'),
    [
      ['az', 'account', 'show'],
      [
        'az',
        'aks',
        'get-credentials',
        '--name',
        'aks',
        '--resource-group',
        'my-group',
        '--context',
        'aks',
        '--file',
      ],
      ['kubelogin', 'convert-kubeconfig', '-l', 'azurecli'],
    ],
  );
  assert.deepEqual(
    calls.filter(([name]) => name === 'aliyun'),
    [
      ['aliyun', 'sts', 'GetCallerIdentity'],
      ['aliyun', 'cs', 'DescribeClusterUserKubeconfig', '--ClusterId', ACK['cluster.id']],
    ],
  );

  const { clusters } = await readMapping(fleet.mappingFile);
  assert.deepEqual(
    clusters.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    [
      { name: 'ack', context: 'ack-admin', cloudProvider: 'ali' },
      { name: 'aks', context: 'aks', cloudProvider: 'azure' },
      { name: 'eks', context: 'eks', cloudProvider: 'aws', region: 'us-west-2' },
      { name: 'gke', context: gkeContext, cloudProvider: 'gcp', region: 'us-central1' },
    ],
  );
  const kubeconfig = await loadKubeconfig({ path: fleet.kubeconfigFile, env: {}, home: '' });
  assert.equal(kubeconfig.currentContext, 'hub');
  assert.deepEqual(
    [...kubeconfig.contexts.keys()].sort(),
    ['ack-admin', 'aks', 'eks', gkeContext, 'hub'].sort(),
  );
  assert.equal(statSync(fleet.kubeconfigFile).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(join(fleet.homeFolder, '.kube/cache/kubectl-mc/setup')), []);

  const version = await runMc(['version'], { homeFolder: fleet.homeFolder });
  assert.equal(version.code, 0);
});

test('no command line is told to write to the kubeconfig of the user', async () => {
  await using fleet = await startClouds({ eks: EKS });
  const clouds = fakeClouds(fleet);
  clouds.add('aws', `test "$1" = eks && ${clouds.writes(fleet.member('eks'), 'eks')}; true`);

  await setup(fleet, clouds.path);

  const [, fetching] = clouds.kubeconfigs();
  assert.match(fetching ?? '', /\/setup\/run-[^/]+\/0\.yaml$/);
  assert.equal(clouds.calls()[1]?.at(-1), fetching);
});

test('MC-75 a command line that is absent is told in a warning, and its clusters are asked about', async () => {
  await using fleet = await startClouds({ eks: EKS, eks2: EKS });
  const { path } = fakeClouds(fleet);
  const WARNING = 'WARN: AWS CLI not found. Install it or configure context manually.\n';

  const alone = await setup(fleet, path, '--provider', 'aws', '--non-interactive');
  assert.equal(alone.code, 3);
  assert.equal(alone.stderr, WARNING);
  assert.match(alone.stdout, /eks +<none> +unmapped/);
  assert.equal(existsSync(fleet.mappingFile), false);

  const asked = await runMc(['setup', '--provider', 'aws'], {
    homeFolder: fleet.homeFolder,
    env: { PATH: path },
    terminal: true,
    answers: ['hub', ''],
  });
  assert.equal(asked.code, 0);
  assert.ok(asked.stderr.startsWith(WARNING));
  assert.match(asked.stderr, /Context of eks \(number, /);
  assert.deepEqual(
    (await readMapping(fleet.mappingFile)).clusters.map(({ name, context }) => [name, context]),
    [['eks', 'hub']],
  );
});

test('a user who is not logged in is told how to', async () => {
  await using fleet = await startClouds({ eks: EKS, gke: GKE, aks: AKS, ack: ACK });
  const clouds = fakeClouds(fleet);
  for (const name of ['aws', 'gcloud', 'az', 'aliyun'])
    clouds.add(name, 'echo token=abc >&2; exit 255');

  const { code, stderr } = await setup(fleet, clouds.path);

  assert.equal(code, 3);
  assert.deepEqual(stderr.trimEnd().split('\n').sort(), [
    "WARN: Not authenticated to AWS. Run 'aws configure' or set up manually.",
    "WARN: Not authenticated to Alibaba Cloud. Run 'aliyun configure' or set up manually.",
    "WARN: Not authenticated to Azure. Run 'az login' or set up manually.",
    "WARN: Not authenticated to Google Cloud. Run 'gcloud auth login' or set up manually.",
  ]);
  assert.equal(clouds.calls().length, 4);
});

test('clusters without metadata are told about; others of the fleet are fetched', async () => {
  await using fleet = await startClouds({ eks: EKS, bare: {}, half: { 'cloud.provider': 'aws' } });
  const clouds = fakeClouds(fleet);
  clouds.add('aws', `test "$1" = eks && ${clouds.writes(fleet.member('eks'), 'eks')}; true`);

  const { code, stdout, stderr } = await setup(fleet, clouds.path);

  assert.equal(code, 3);
  assert.equal(
    stderr,
    'INFO: Cloud metadata not available for bare\nINFO: Cloud metadata not available for half\n',
  );
  assert.match(stdout, /eks +eks +mapped +fetched into /);
});

test('a command line that fails is told with its last words, without secrets, and costs only its cluster', async () => {
  await using fleet = await startClouds({ bad: EKS, good: EKS });
  const clouds = fakeClouds(fleet);
  clouds.add(
    'aws',
    `case "$*" in sts*) ;; *bad*) echo 'An error: no cluster, token: abcdef0123456' >&2; exit 254;; *) ${clouds.writes(fleet.member('good'), 'good')};; esac`,
  );

  const { code, stdout, stderr } = await setup(fleet, clouds.path);

  assert.equal(code, 3);
  assert.equal(
    stderr,
    'WARN: Cannot fetch a context for bad: aws failed with exit code 254: An error: no cluster, token: <redacted>\n',
  );
  assert.match(stdout, /bad +<none> +unmapped[\s\S]*good +good +mapped/);
});

test('what a profile says never becomes an option, a path or a URL', async () => {
  await using fleet = await startClouds({});
  const values = [
    ...['--kubeconfig=/tmp/x', '-x', 'file:///etc/passwd', '@/etc/passwd', '../../x', '/etc/x'],
    ...['a b', 'a;id', '$(id)', 'us-west-2\n--x', 'https://x', 'x'.repeat(300)],
  ];
  const profiles = values.flatMap((value, index) =>
    Object.entries({
      eks: { ...EKS, region: value, 'cluster.name': value },
      gke: { ...GKE, project: value },
      gke2: { ...GKE, location: value },
      aks: { ...AKS, resourceGroup: value, subscription: value },
      ack: { ...ACK, 'cluster.id': value },
    }).map(([kind, properties]) =>
      profileOf({
        name: `${kind}-${index}`,
        status: healthyStatus({
          properties: Object.entries(properties).map(([name, each]) => ({ name, value: each })),
        }),
      }),
    ),
  );
  await storeProfiles(fleet.hub.client, profiles);
  const clouds = fakeClouds(fleet);
  for (const name of ['aws', 'gcloud', 'az', 'aliyun']) clouds.add(name, 'exit 0');

  const { stderr } = await setup(fleet, clouds.path);

  assert.equal(stderr.match(/INFO: Cloud metadata not available/g)?.length, profiles.length);
  assert.deepEqual(clouds.calls(), []);
});

test('the commands are those of the config file where it has some', async () => {
  await using fleet = await startClouds({ eks: EKS, ack: ACK });
  const clouds = fakeClouds(fleet);
  clouds.add('my-aws', clouds.writes(fleet.member('eks'), 'mine'));
  clouds.add('aliyun', `test "$1" = cs && ${clouds.writes(fleet.member('ack'), 'old')}; true`);
  writeFileSync(
    join(fleet.homeFolder, '.kube/kubectl-mc-config.yaml'),
    "setup:\n  aws: [my-aws, '{name}', '--in={region}', '--not={project}', '{kubeconfig}']\n" +
      "  ali: [aliyun, cs, cluster, get-kubeconfig, --cluster, '{clusterId}']\n",
  );

  const { code, stderr } = await setup(fleet, clouds.path);

  assert.deepEqual([code, stderr], [0, '']);
  const calls = clouds.calls();
  assert.deepEqual(calls.find(([name]) => name === 'my-aws')?.slice(0, 3), [
    'my-aws',
    'eks',
    '--in=us-west-2',
  ]);
  assert.deepEqual(
    calls.filter(([name]) => name === 'my-aws').map(({ length }) => length),
    [4],
  );
  assert.deepEqual(calls.find((words) => words[1] === 'cs')?.slice(1, -1), [
    'cs',
    'cluster',
    'get-kubeconfig',
    '--cluster',
  ]);
  assert.match((await setup(fleet, clouds.path)).stdout, /eks +mine +kept/);
});

test('a dry run shows the commands and runs none', async () => {
  await using fleet = await startClouds({ eks: EKS });
  const clouds = fakeClouds(fleet);
  clouds.add('aws', 'exit 0');
  const before = readFileSync(fleet.kubeconfigFile, 'utf8');

  const { code, stdout } = await setup(fleet, clouds.path, '--dry-run');

  assert.equal(code, 0);
  assert.match(
    stdout,
    /eks +<none> +would map +run: aws eks update-kubeconfig --name eks --region us-west-2 --alias eks --kubeconfig KUBECONFIG/,
  );
  assert.deepEqual(clouds.calls(), []);
  assert.equal(readFileSync(fleet.kubeconfigFile, 'utf8'), before);
});

test('contexts of the user that only have the same name are not touched', async () => {
  await using fleet = await startClouds({ eks: EKS });
  const text = userKubeconfigOf([fleet.hub])
    .replaceAll('name: hub', 'name: eks')
    .replaceAll('cluster: hub', 'cluster: eks')
    .replace('current-context: hub', 'current-context: eks');
  writeFileSync(fleet.kubeconfigFile, text);
  const clouds = fakeClouds(fleet);
  clouds.add('aws', `test "$1" = eks && ${clouds.writes(fleet.member('eks'), 'eks')}; true`);

  // Its name alone would do otherwise.
  writeFileSync(fleet.mappingFile, 'clusters:\n- {name: the-hub, context: eks}\n');
  const { code } = await setup(fleet, clouds.path);

  assert.equal(code, 0);
  const { clusters } = await readMapping(fleet.mappingFile);
  assert.equal(clusters.find(({ name }) => name === 'eks')?.context, 'eks-2');
  const document = parseYaml(readFileSync(fleet.kubeconfigFile, 'utf8')).value as {
    contexts: { name: string; context: { cluster: string } }[];
  };
  assert.deepEqual(
    document.contexts.map(({ name, context }) => [name, context.cluster]),
    [
      ['eks', 'eks'],
      ['eks-2', 'cluster-of-eks'],
    ],
  );
});

test('Ctrl-C ends the command lines, and what they started', async () => {
  await using fleet = await startClouds({ eks: EKS });
  const clouds = fakeClouds(fleet);
  const started = join(fleet.homeFolder, 'started');
  clouds.add('aws', `case "$1" in sts) exit 0;; esac; sleep 300 & echo $! > '${started}'; wait`);
  const run = startMc(['setup'], { homeFolder: fleet.homeFolder, env: { PATH: clouds.path } });
  const pid = await eventually(
    () => (existsSync(started) ? Number(readFileSync(started, 'utf8')) : 0),
    (found) => found > 0,
  );

  run.interrupt();

  assert.equal((await run.done).code, 130);
  await eventually(
    () => isRunning(pid),
    (running) => !running,
  );
  assert.deepEqual(readdirSync(join(fleet.homeFolder, '.kube/cache/kubectl-mc/setup')), []);
});

function isRunning(pid: number): boolean {
  try {
    // A process that has ended and was not waited for still has a number.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('at most four run at once', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `e${index}`);
  await using fleet = await startClouds(Object.fromEntries(names.map((name) => [name, EKS])));
  const clouds = fakeClouds(fleet);
  const folder = join(fleet.homeFolder, 'running');
  // Each counts itself and the others, and waits until four are there or three others have ended.
  clouds.add(
    'aws',
    `case "$1" in sts) exit 0;; esac
mkdir -p '${folder}'; me='${folder}'/$$; : > "$me"
turns=0; while [ $turns -lt 20 ] && [ $(ls '${folder}' | wc -l) -lt 4 ]; do turns=$((turns+1)); sleep 0.05; done
ls '${folder}' | wc -l >> '${folder}.most'
rm "$me"; exit 1`,
  );

  const { code } = await setup(fleet, clouds.path);

  assert.equal(code, 3);
  const counts = readFileSync(`${folder}.most`, 'utf8').trim().split('\n').map(Number);
  assert.equal(counts.length, 9);
  assert.equal(Math.max(...counts), 4);
});
