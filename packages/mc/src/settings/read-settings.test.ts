import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { flagTable } from '../flags/flag-table.ts';
import { globalFlags } from '../flags/global-flags.ts';
import { parseFlags } from '../flags/parse-flags.ts';
import { runMc } from '../testing/run-mc.ts';
import { UsageError } from '../usage-error.ts';
import { type ReadSettings, readSettings } from './read-settings.ts';

interface World {
  readonly argv?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: string;
}

/** Reads settings in a home of their own. */
async function read({ argv = '', env = {}, config }: World): Promise<ReadSettings> {
  const homeFolder = mkdtempSync(join(tmpdir(), 'kubectl-mc-'));
  try {
    if (config !== undefined) {
      mkdirSync(join(homeFolder, '.kube'));
      writeFileSync(join(homeFolder, '.kube', 'kubectl-mc-config.yaml'), config);
    }
    const words = argv === '' ? [] : argv.split(' ');
    const { flags } = parseFlags(words, flagTable(globalFlags));
    return await readSettings(flags, { homeFolder, cwd: '/project', env });
  } finally {
    rmSync(homeFolder, { recursive: true, force: true });
  }
}

const SEED = `apiVersion: kubectl-mc.k8s.io/v1alpha1
kind: Config
discovery:
  cacheTTL: 5m
  api: clusterprofile  # or 'about' or 'inventory'
execution:
  maxConcurrency: 10
  timeout: 30s
  continueOnError: true
output:
  colorize: true
  showClusterColumn: true
`;

test('without flags, environment and file the documented defaults hold', async () => {
  const { settings, warnings } = await read({});
  assert.deepEqual(settings.execution, {
    maxConcurrency: 10,
    timeoutMs: 30_000,
    connectTimeoutMs: 5000,
    deadlineMs: undefined,
    retries: 1,
    unhealthy: 'last',
    failFast: false,
    allowPartial: false,
    requireAll: false,
  });
  assert.deepEqual(settings.discovery, {
    cacheTtlMs: 300_000,
    api: 'clusterprofile',
    refresh: false,
    noCache: false,
  });
  assert.deepEqual(settings.output, {
    color: 'auto',
    clusterColumn: 'after-name',
    stream: false,
    progress: 'auto',
  });
  assert.deepEqual(settings.hub.namespaces, ['*']);
  assert.deepEqual(warnings, []);
});

test('the file of the first documents means what it meant', async () => {
  assert.deepEqual((await read({ config: SEED })).settings, (await read({})).settings);
  const off = SEED.replace('continueOnError: true', 'continueOnError: false')
    .replace('colorize: true', 'colorize: false')
    .replace('showClusterColumn: true', 'showClusterColumn: false')
    .replace('api: clusterprofile', 'api: inventory')
    .replace('timeout: 30s', 'timeout: 500ms')
    .replace('cacheTTL: 5m', 'cacheTTL: 1h5m30s');
  const { settings } = await read({ config: off });
  assert.equal(settings.execution.failFast, true);
  assert.equal(settings.execution.timeoutMs, 500);
  assert.deepEqual(settings.output.color, 'never');
  assert.deepEqual(settings.output.clusterColumn, 'none');
  assert.equal(settings.discovery.api, 'clusterprofile');
  assert.equal(settings.discovery.cacheTtlMs, 3_930_000);
});

test('a flag counts before a variable, a variable before the file', async () => {
  const config = 'execution: {maxConcurrency: 2, timeout: 2s, retries: 2}';
  const env = { KUBECTL_MC_EXECUTION_MAXCONCURRENCY: '3', KUBECTL_MC_EXECUTION_TIMEOUT: '3s' };
  const { settings } = await read({ config, env, argv: '--concurrency 4' });
  assert.deepEqual(
    [settings.execution.maxConcurrency, settings.execution.timeoutMs, settings.execution.retries],
    [4, 3000, 2],
  );
});

test('one hub and several hubs are one setting', async () => {
  const contexts = async (world: World) => (await read(world)).settings.hub.contexts;
  const config = 'hub: {contexts: [a, b]}';
  assert.deepEqual(await contexts({ config: 'hub: {context: a}' }), ['a']);
  assert.deepEqual(await contexts({ config }), ['a', 'b']);
  assert.deepEqual(await contexts({ config, env: { KUBECTL_MC_HUB_CONTEXT: 'c' } }), ['c']);
  assert.deepEqual(await contexts({ config, argv: '--hub-context d,e' }), ['d', 'e']);
});

test('every kind of value can be set by a variable', async () => {
  const { settings } = await read({
    env: {
      KUBECTL_MC_HUB_CONTEXTS: 'a,b',
      KUBECTL_MC_HUB_KUBECONFIG: '/x/hub',
      KUBECTL_MC_EXECUTION_CONTINUEONERROR: 'false',
      KUBECTL_MC_OUTPUT_COLORIZE: 'always',
      KUBECTL_MC_OUTPUT_SHOWCLUSTERCOLUMN: 'false',
      KUBECTL_MC_ACCESS_ORDER: 'properties,mapping',
      KUBECTL_MC_ACCESS_ALLOWEDCOMMANDS: 'aws,/opt/login',
      KUBECTL_MC_DISCOVERY_API: 'file:/x/fleet.yaml',
      KUBECTL_MC_EXECUTION_RETRIES: '',
    },
  });
  assert.deepEqual(settings.hub.contexts, ['a', 'b']);
  assert.equal(settings.hub.kubeconfig, '/x/hub');
  assert.equal(settings.execution.failFast, true);
  assert.equal(settings.output.color, 'always');
  assert.equal(settings.output.clusterColumn, 'none');
  assert.deepEqual(settings.access.order, ['properties', 'mapping']);
  assert.deepEqual(settings.access.allowedCommands, [
    { command: 'aws' },
    { command: '/opt/login' },
  ]);
  assert.deepEqual(settings.discovery.api, { file: '/x/fleet.yaml' });
  assert.equal(settings.execution.retries, 1);
});

test('a variable that cannot be meant is refused by its name', async () => {
  await assert.rejects(read({ env: { KUBECTL_MC_EXECUTION_MAXCONCURRENCY: 'ten' } }), {
    name: 'UsageError',
    message:
      'Cannot use KUBECTL_MC_EXECUTION_MAXCONCURRENCY="ten": execution.maxConcurrency must be a whole number from 1 on',
  });
});

test('selections come from flags, with groups of the file', async () => {
  const config = `
selection: {exclude: [canary]}
groups:
  prod:
    clusters: ['prod-*']
    clusterSelector: env=prod
  few: [a, b]
`;
  const { settings } = await read({ config, argv: '--clusters {a,b}-*,c --group prod,few' });
  const { selection } = settings;
  assert.deepEqual(selection.clusters, ['{a,b}-*', 'c']);
  assert.deepEqual(selection.exclude, ['canary']);
  assert.deepEqual(
    selection.groups.map(({ clusters, clusterSelector }) => [clusters, clusterSelector]),
    [
      [['prod-*'], 'env=prod'],
      [['a', 'b'], undefined],
    ],
  );
  assert.deepEqual((await read({ config, argv: '--exclude x' })).settings.selection.exclude, ['x']);
  await assert.rejects(
    read({ config, argv: '--group prdo' }),
    /Cannot find group "prdo" in ".*": did you mean "prod"\?/,
  );
});

test('paths of flags are relative to where one is, those of the file to the file', async () => {
  const config = 'access: {providerFile: p.yaml}\nhub: {kubeconfig: ~/hub}';
  const { settings, paths } = await read({ config, argv: '--inventory file:fleet.yaml' });
  assert.deepEqual(settings.discovery.api, { file: '/project/fleet.yaml' });
  assert.equal(settings.access.providerFile, paths.config.replace(/[^/]+$/, 'p.yaml'));
  assert.equal(settings.hub.kubeconfig, paths.config.replace(/\.kube\/[^/]+$/, 'hub'));
});

test("kubectl's own flags are read in kubectl's way", async () => {
  const { settings } = await read({
    argv: '-n a,b --as u --as-group g1 --as-group g2 --request-timeout 5 --context x --token t',
  });
  assert.deepEqual(settings.kubectl.namespaces, ['a', 'b']);
  assert.deepEqual(settings.kubectl.asGroups, ['g1', 'g2']);
  assert.equal(settings.kubectl.requestTimeoutMs, 5000);
  assert.equal(
    (await read({ argv: '--request-timeout 1m' })).settings.kubectl.requestTimeoutMs,
    60_000,
  );
  assert.equal(
    (await read({ argv: '--request-timeout 0' })).settings.kubectl.requestTimeoutMs,
    undefined,
  );
  await assert.rejects(
    read({ argv: '--request-timeout x' }),
    /^UsageError: Invalid timeout value\. /,
  );
});

test('values of flags that make no sense are refused', async () => {
  for (const argv of [
    '--concurrency 0',
    '--retries -1',
    '--cluster-timeout 0s',
    '--deadline -1s',
    '--inventory frob',
  ]) {
    await assert.rejects(read({ argv }), UsageError, argv);
  }
});

test('NO_COLOR and a dumb terminal decide where nobody else has', async () => {
  const color = async (world: World) => (await read(world)).settings.output.color;
  assert.equal(await color({ env: { NO_COLOR: '1' } }), 'never');
  assert.equal(await color({ env: { NO_COLOR: '' } }), 'auto');
  assert.equal(await color({ env: { TERM: 'dumb' } }), 'never');
  assert.equal(await color({ env: { NO_COLOR: '1' }, argv: '--color always' }), 'always');
});

test('files are where the environment says', async () => {
  const { paths } = await read({
    env: { KUBECTL_MC_MAPPING_FILE: 'm.yaml', KUBECACHEDIR: '/c' },
  });
  assert.equal(paths.mapping, '/project/m.yaml');
  assert.equal(paths.cache, '/c/kubectl-mc');
  assert.equal((await read({ argv: '--cache-dir d' })).paths.cache, '/project/d/kubectl-mc');
});

test('MC-77 an unknown key is a warning with its line', async () => {
  const config = `kind: Config
execution:
  maxConcurency: 5
  timeout: 2s
excution:
  a: 1
groups:
  prod:
    cluster: [x]
`;
  const { settings, warnings, paths } = await read({ config });
  assert.equal(settings.execution.timeoutMs, 2000);
  assert.deepEqual(warnings, [
    `Config file "${paths.config}": line 3: unknown key "execution.maxConcurency" is ignored, did you mean "execution.maxConcurrency"?`,
    `Config file "${paths.config}": line 5: unknown key "excution" is ignored, did you mean "execution"?`,
    `Config file "${paths.config}": line 9: unknown key "groups.prod.cluster" is ignored`,
  ]);
});

test('MC-77 a value of the wrong type ends the run with file, line, key and what is allowed', async () => {
  const homeFolder = mkdtempSync(join(tmpdir(), 'kubectl-mc-'));
  try {
    mkdirSync(join(homeFolder, '.kube'));
    const path = join(homeFolder, '.kube', 'kubectl-mc-config.yaml');
    const cases: readonly [string, string][] = [
      [
        'execution:\n  # as many as there are\n  maxConcurrency: all\n',
        'line 3: execution.maxConcurrency is "all": must be a whole number from 1 on',
      ],
      [
        'execution:\n  timeout: 30\n',
        'line 2: execution.timeout is 30: must be a duration such as 30s, 1m30s or 500ms, above 0',
      ],
      [
        'output: {colorize: red}\n',
        'line 1: output.colorize is "red": must be true, false or one of auto, always, never',
      ],
      ['execution: 5\n', 'line 1: execution is 5: must be a mapping of keys to values'],
      ['kind: Deployment\n', 'line 1: kind is "Deployment": must be Config'],
      [
        'output:\n  stream: 1\nexecution:\n  unhealthy: never\n',
        'line 2: output.stream is 1: must be true or false; line 4: execution.unhealthy is "never": must be one of try, last, skip',
      ],
    ];
    for (const [config, message] of cases) {
      writeFileSync(path, config);
      const { code, stdout, stderr } = await runMc(['version', '--client'], { homeFolder });
      assert.deepEqual(
        { code, stdout, stderr },
        { code: 1, stdout: '', stderr: `error: Cannot read config file "${path}": ${message}\n` },
      );
    }
    writeFileSync(path, 'a: [\n');
    const { code, stderr } = await runMc(['version', '--client'], { homeFolder });
    assert.equal(code, 1);
    assert.match(stderr, /^error: Cannot read config file ".*": yaml: line \d+: /);
  } finally {
    rmSync(homeFolder, { recursive: true, force: true });
  }
});
