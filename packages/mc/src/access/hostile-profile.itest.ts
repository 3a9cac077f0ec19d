import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '@flotilla/testkit';
import { healthyStatus, offerOf, profileOf } from '../testing/profiles.ts';
import { type RunMcOptions, startMc } from '../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../testing/start-fleet.ts';
import { verbs } from '../verbs/table.ts';

/*
 * Whoever may write profiles on a hub must not be able to run anything on the machines of those who read them. Every
 * program that such a profile could name is a tripwire here, on PATH and at the named paths, and every verb is run.
 */

const EKS = ['eks', 'get-token', '--cluster-name', 'prod'];
const AKS = ['get-token', '--server-id', '6dae42f8-4368-4678-94ff-3960e28e3630', '--login', 'spn'];

interface Hostile {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** `TRAP` stands for the folder with the tripwires. */
const HOSTILE: readonly Hostile[] = [
  { command: 'TRAP/evil' },
  { command: 'TRAP/aws', args: EKS },
  { command: 'evil' },
  { command: './evil' },
  { command: 'bin/evil' },
  { command: '../evil' },
  { command: 'TRAP/../TRAP/evil' },
  { command: '/bin/sh', args: ['-c', 'TRAP/evil'] },
  { command: 'sh', args: ['-c', 'TRAP/evil'] },
  { command: 'env', args: ['TRAP/evil'] },
  { command: 'TRAP/evil;TRAP/evil' },
  { command: '$(TRAP/evil)' },
  { command: '`TRAP/evil`' },
  { command: 'evil | sh' },
  { command: 'aws', args: [...EKS, '; TRAP/evil'] },
  { command: 'aws', args: ['--endpoint-url', 'https://127.0.0.1:1', ...EKS] },
  { command: 'aws', args: [...EKS, '--endpoint-url=https://127.0.0.1:1'] },
  { command: 'aws', args: [...EKS, '--no-verify-ssl'] },
  { command: 'aws', args: ['eks', 'get-token', '--cluster-name', 'file:///etc/passwd'] },
  { command: 'aws', args: ['s3', 'cp', '/etc/passwd', 's3://theirs'] },
  { command: 'kubelogin', args: [...AKS, '--authority-host', 'https://127.0.0.1:1/'] },
  { command: 'kubelogin', args: ['get-token', '--oidc-issuer-url=https://127.0.0.1:1'] },
  { command: 'gke-gcloud-auth-plugin', args: ['--impersonate_service_account=them'] },
  { command: 'aws', args: EKS, env: { PATH: 'TRAP' } },
  { command: 'aws', args: EKS, env: { LD_PRELOAD: 'TRAP/evil.so' } },
  { command: 'aws', args: EKS, env: { NODE_OPTIONS: '--require TRAP/evil.js' } },
  { command: 'aws', args: EKS, env: { PYTHONPATH: 'TRAP' } },
  { command: 'aws', args: EKS, env: { KUBECONFIG: 'TRAP/config' } },
  { command: 'aws', args: EKS, env: { AWS_CONFIG_FILE: 'TRAP/config' } },
  { command: 'aws', args: EKS, env: { AWS_ENDPOINT_URL_STS: 'https://127.0.0.1:1' } },
  { command: 'aws', args: EKS, env: { HTTPS_PROXY: 'http://127.0.0.1:1' } },
  { command: 'gke-gcloud-auth-plugin', env: { CLOUDSDK_PYTHON: 'TRAP/evil' } },
];

/** What is typed behind verbs that need more than their name. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  credential: ['--cluster', 'h0'],
  clusters: ['--check'],
  get: ['pods', '-A'],
  describe: ['pods'],
  logs: ['-l', 'app=x'],
  wait: ['--for=delete', 'pod/x', '--timeout=1s'],
  top: ['pods'],
  explain: ['pods'],
  each: ['--', 'version'],
  'auth can-i': ['get', 'pods'],
  'top pods': [],
  setup: ['--non-interactive', '--dry-run'],
};

let fleet: TestFleet;
let trap: string;
let tripped: string;

before(async () => {
  // The folder must be known before the profiles that name it.
  fleet = await startFleet({ members: 0, mapping: false });
  trap = join(fleet.homeFolder, 'trap');
  tripped = join(fleet.homeFolder, 'tripped');
  const { storeProfiles } = await import('../testing/profiles.ts');
  await storeProfiles(fleet.hub.client, HOSTILE.map(profileNamed));
  const programs = ['evil', 'aws', 'kubelogin', 'gke-gcloud-auth-plugin', 'sh', 'env', 'my-auth'];
  for (const name of programs) {
    tripwire(join(trap, name));
    tripwire(join(trap, 'work', name));
    tripwire(join(trap, 'work', 'bin', name));
  }
});

after(async () => {
  await fleet[Symbol.asyncDispose]();
});

function profileNamed({ command, args, env }: Hostile, index: number) {
  const named = (text: string) => text.replaceAll('TRAP', trap);
  const properties = [
    { name: 'auth.exec.command', value: named(command) },
    ...(args === undefined
      ? []
      : [{ name: 'auth.exec.args', value: JSON.stringify(args.map(named)) }]),
    ...(env === undefined ? [] : [{ name: 'auth.exec.env', value: named(JSON.stringify(env)) }]),
  ];
  // Nobody listens there: what wants to log in would run its command first.
  const server = { server: 'https://127.0.0.1:1', tls: {} };
  return profileOf({
    name: `h${index}`,
    status: healthyStatus({ properties, accessProviders: [offerOf('any', server)] }),
  });
}

/** A program that would be noticed. It uses nothing that is looked up, since PATH may be a trap, too. */
function tripwire(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho "$0 $*" >> '${tripped}'\nexit 1\n`);
  chmodSync(path, 0o755);
}

/** Runs a command line from a folder full of tripwires, with tripwires first on PATH. */
async function mc(argv: readonly string[], options: RunMcOptions = {}) {
  const run = startMc(argv, {
    homeFolder: fleet.homeFolder,
    cwd: join(trap, 'work'),
    ...options,
    env: { PATH: `${trap}:.:/usr/bin:/bin`, ...options.env },
  });
  let isOver = false;
  const done = run.done.finally(() => {
    isOver = true;
  });
  // Some verbs go on for ever by design.
  await eventually(
    () => isOver,
    (over) => over,
    { withinMs: 4_000 },
  ).catch(() => run.interrupt());
  return await done;
}

const wasTripped = () => (existsSync(tripped) ? readFileSync(tripped, 'utf8') : '');

test('the tripwires work: what the user allows does run', async () => {
  const config = join(fleet.homeFolder, '.kube', 'kubectl-mc-config.yaml');
  writeFileSync(config, 'access:\n  allowedCommands:\n  - command: evil\n');
  try {
    await mc(['version', '--clusters=h2']);
    assert.match(wasTripped(), /trap\/evil/);
  } finally {
    rmSync(config, { force: true });
    rmSync(tripped, { force: true });
  }
});

test('the tripwires work: a built-in template does run', async () => {
  const { storeProfiles } = await import('../testing/profiles.ts');
  const { ClusterProfiles } = await import('@flotilla/api');
  const plain = profileNamed({ command: 'aws', args: EKS }, 999);
  await storeProfiles(fleet.hub.client, [plain]);
  try {
    await mc(['version', '--clusters=h999', '--refresh']);
    assert.match(wasTripped(), /trap\/aws eks get-token --cluster-name prod/);
  } finally {
    await fleet.hub.client.delete(ClusterProfiles, { namespace: 'fleet', name: 'h999' });
    rmSync(tripped, { force: true });
  }
});

test('MC-18 every hostile profile is untrusted and says so', async () => {
  const { code, stderr } = await mc(['version', '--refresh', '-v']);

  assert.equal(code, 1);
  for (const index of HOSTILE.keys()) assert.match(stderr, new RegExp(`\\bh${index}\\b`));
  assert.match(stderr, /untrusted: its profile wants to run/);
  assert.equal(wasTripped(), '');
});

test('no verb runs anything that a profile names', async () => {
  for (const name of Object.keys(verbs)) {
    const argv = [...name.split(' '), ...(ARGUMENTS[name] ?? [])];
    await mc(argv);
    assert.equal(wasTripped(), '', `kubectl mc ${argv.join(' ')}`);
  }
});

test('a terminal at which nobody says yes runs nothing either', async () => {
  for (const answers of [[], HOSTILE.map(() => ''), HOSTILE.map(() => 'n')]) {
    await mc(['version'], { terminal: true, answers });
    assert.equal(wasTripped(), '');
  }
});

test('what is never run is not even asked about', async () => {
  const { stderr } = await mc(['version'], { terminal: true, answers: HOSTILE.map(() => 'no') });

  for (const index of [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 23, 24, 25, 26, 27]) {
    assert.doesNotMatch(stderr, new RegExp(`profile of cluster h${index} wants`));
  }
  assert.match(stderr, /profile of cluster h0 wants/);
  assert.equal(wasTripped(), '');
});

test('completion neither asks nor runs anything', async () => {
  for (const words of [
    ['get', ''],
    ['get', 'po'],
    ['get', 'pods', ''],
    ['get', 'pods', '-n', ''],
    ['get', 'pods', '--clusters=h'],
    ['get', 'pods', '--cluster-selector='],
    ['logs', ''],
    ['describe', 'pod', ''],
    [''],
  ]) {
    const { stderr } = await mc(['__complete', '--', ...words], {
      terminal: true,
      answers: HOSTILE.map(() => 'y'),
    });
    assert.doesNotMatch(stderr, /Trust exactly this command/);
    assert.equal(wasTripped(), '', words.join(' '));
  }
});
