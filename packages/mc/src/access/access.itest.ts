import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ClusterProfile } from '@flotilla/api';
import { type FleetServer, refusalAnswer } from '../testing/fleet-server.ts';
import { healthyStatus, offerOf, profileOf } from '../testing/profiles.ts';
import { type RunMcOptions, runMc } from '../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../testing/start-fleet.ts';
import { printsToken } from './testing/routing.ts';

type Properties = Readonly<Record<string, string>>;

const V1BETA1 = 'client.authentication.k8s.io/v1beta1';

const eks = (name: string): Properties => ({
  'auth.exec.command': 'aws',
  'auth.exec.args': `eks,get-token,--cluster-name,${name}`,
});

/** A fleet whose profiles say by properties how to log in, to users whose kubeconfig knows the hub alone. */
async function startLoginFleet(
  members: number,
  propertiesOf: (name: string) => Properties = eks,
  changes: (member: FleetServer) => object = () => ({}),
): Promise<TestFleet> {
  const fleet = await startFleet({
    members,
    mapping: false,
    profiles: (member): ClusterProfile[] => {
      const properties = Object.entries(propertiesOf(member.name));
      const offer = offerOf('eks', member.server.access);
      return [
        profileOf({
          name: member.name,
          status: healthyStatus({
            properties: properties.map(([name, value]) => ({ name, value })),
            accessProviders: [{ ...offer, cluster: { ...offer.cluster, ...changes(member) } }],
          }),
        }),
      ];
    },
  });
  const text = readFileSync(fleet.kubeconfigFile, 'utf8');
  // Its other contexts would be a way of their own.
  writeFileSync(
    fleet.kubeconfigFile,
    text.replaceAll(/^(\s*server: ).*$/gm, (line, indent) => {
      return line.includes(fleet.hub.server.url) ? line : `${indent}https://127.0.0.1:1`;
    }),
  );
  return fleet;
}

/** Puts a command on the PATH of runs; it notes its calls. */
function install(fleet: TestFleet, name: string, body: string): () => string[] {
  const folder = join(fleet.homeFolder, 'bin');
  const calls = join(fleet.homeFolder, `${name}.calls`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\necho "$*" >> '${calls}'\n${body}\n`);
  chmodSync(join(folder, name), 0o755);
  return () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []);
}

const mc = (fleet: TestFleet, argv: readonly string[], options: RunMcOptions = {}) =>
  runMc(argv, {
    homeFolder: fleet.homeFolder,
    ...options,
    env: { PATH: `${join(fleet.homeFolder, 'bin')}:/usr/bin:/bin`, ...options.env },
  });

test('MC-17 the EKS command of a profile is trusted, runs once, and its token is used', async () => {
  await using fleet = await startLoginFleet(1);
  const calls = install(fleet, 'aws', printsToken('admin'));

  const { code, stdout, stderr } = await mc(fleet, ['version']);

  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /c1/);
  assert.deepEqual(calls(), ['eks get-token --cluster-name c1']);
});

test('MC-17 with the built-in templates off, nothing of the kind runs', async () => {
  await using fleet = await startLoginFleet(1);
  const calls = install(fleet, 'aws', printsToken('admin'));

  const { code } = await mc(fleet, ['version'], {
    env: { KUBECTL_MC_ACCESS_BUILTINTEMPLATES: 'false' },
  });

  assert.equal(code, 1);
  assert.deepEqual(calls(), []);
});

test('MC-18 a shell is not run, the other clusters are not affected, and the exit code is 3', async () => {
  await using fleet = await startLoginFleet(3, (name) =>
    name === 'c2' ? { 'auth.exec.command': '/bin/sh', 'auth.exec.args': '-c,echo' } : eks(name),
  );
  install(fleet, 'aws', printsToken('admin'));

  const { code, stdout, stderr } = await mc(fleet, ['version']);

  assert.equal(code, 3);
  assert.match(stdout, /c1/);
  assert.match(stdout, /c3/);
  assert.match(stderr, /Failed to query 1\/3 clusters/);
  assert.match(stderr, /c2: untrusted: its profile wants to run \/bin\/sh -c echo/);
  assert.equal(fleet.member('c2').requests.length, 0);
});

test('MC-16 what profiles add to the command of a provider file stays with their cluster', async () => {
  const ARGS = 'clusterprofiles.multicluster.x-k8s.io/exec/additional-args';
  await using fleet = await startLoginFleet(
    2,
    () => ({}),
    ({ name }) => ({ extensions: [{ name: ARGS, extension: { args: ['--cluster', name] } }] }),
  );
  const calls = install(fleet, 'login', printsToken('admin'));
  const execConfig = { apiVersion: V1BETA1, command: 'login', args: ['token'] };
  writeFileSync(
    join(fleet.homeFolder, '.kube', 'clusterprofile-providers.json'),
    JSON.stringify({
      providers: [{ name: 'eks', execConfig, profileSourcedCLIArgsPolicy: 'Append' }],
    }),
  );

  const { code, stderr } = await mc(fleet, ['version']);

  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(calls().sort(), ['token --cluster c1', 'token --cluster c2']);
});

test('MC-42 a 401 refreshes the credential exactly once, and then says how to log in', async () => {
  await using fleet = await startLoginFleet(1);
  const calls = install(
    fleet,
    'aws',
    `n=$(grep -c . "$(dirname "$0")/../aws.calls"); ${printsToken('t%s').replace('echo', 'printf')} "$n"`,
  );

  const { code, stderr } = await mc(fleet, ['version']);

  assert.equal(code, 1);
  assert.equal(calls().length, 2);
  assert.deepEqual(
    fleet.member('c1').requests.map(({ headers }) => headers['authorization']),
    ['Bearer t1', 'Bearer t2'],
  );
  assert.match(stderr, /c1: unauthorized: .*; run: aws sso login/);
});

test('MC-43 a wrong authority is a failure of TLS that names where it came from', async () => {
  const other = await startFleet({ members: 0 });
  const { ca = '' } = other.hub.server.access.tls;
  await using fleet = await startLoginFleet(1, eks, () => ({
    'certificate-authority-data': Buffer.from(ca).toString('base64'),
  }));
  await other[Symbol.asyncDispose]();
  install(fleet, 'aws', printsToken('admin'));

  const { code, stderr } = await mc(fleet, ['version']);

  assert.equal(code, 1);
  assert.match(stderr, /c1: tls: with the certificate authority of the profile: Cannot trust/);
  assert.equal(fleet.member('c1').requests.length, 0);
});

test('MC-44 what a failing command says is shown at -v, secrets taken out', async () => {
  await using fleet = await startLoginFleet(2);
  install(fleet, 'aws', 'echo "Unable to locate credentials, token=abcd1234efgh" >&2; exit 255');

  const quiet = await mc(fleet, ['version']);
  const loud = await mc(fleet, ['version', '-v']);

  assert.doesNotMatch(quiet.stderr, /Unable to locate/);
  assert.match(quiet.stderr, /executable aws failed with exit code 255; run: aws sso login/);
  assert.match(loud.stderr, /^aws: Unable to locate credentials, token=<redacted>$/m);
  assert.doesNotMatch(loud.stderr, /abcd1234/);
});

test('MC-45 a command that is not installed is told once, with how to get it', async () => {
  await using fleet = await startLoginFleet(5);

  const { code, stderr } = await mc(fleet, ['version'], {
    env: { PATH: join(fleet.homeFolder, 'bin') },
  });

  assert.equal(code, 1);
  assert.equal(stderr.split('executable aws not found').length, 2);
  assert.equal(stderr.split('install the AWS CLI').length, 2);
  assert.match(stderr, /c1, c2, c3, c4, c5: noaccess/);
});

test('MC-81 --kubeconfig counts for the hub and for members', async () => {
  await using fleet = await startFleet({ members: 1 });
  renameSync(fleet.kubeconfigFile, join(fleet.homeFolder, 'other'));

  const { code, stdout } = await mc(fleet, ['version', '--kubeconfig', 'other'], {
    cwd: fleet.homeFolder,
  });

  assert.equal(code, 0);
  assert.match(stdout, /c1/);
  assert.ok(fleet.hub.requests.length > 0);
});

test("kubectl's credential flags reach members and not the hub", async () => {
  await using fleet = await startFleet({ members: 1 });
  const member = fleet.member('c1');
  member.answerWith(async () => refusalAnswer(403, 'Forbidden', 'no'));

  await mc(fleet, ['version', '--token=typed', '--as=somebody', '--as-group=g1', '--as-uid=7']);

  const [request] = member.requests;
  assert.equal(request?.headers['authorization'], 'Bearer typed');
  assert.equal(request?.headers['impersonate-user'], 'somebody');
  assert.equal(request?.headers['impersonate-uid'], '7');
  for (const { headers } of fleet.hub.requests) {
    assert.equal(headers['authorization'], 'Bearer admin');
    assert.equal(headers['impersonate-user'], undefined);
  }
});

test('a cluster behind the hub is reached through it, where the settings say so', async () => {
  await using fleet = await startFleet({
    members: 1,
    mapping: false,
    profiles: ({ name }) => [profileOf({ name })],
  });
  fleet.hub.answerWith(async (request, next) =>
    request.path.includes('/clustergateways/')
      ? refusalAnswer(418, 'Teapot', 'seen')
      : next(request),
  );

  const { stderr } = await mc(fleet, ['version'], {
    env: { KUBECTL_MC_ACCESS_HUBPROXY: 'cluster-gateway' },
  });

  assert.match(stderr, /c1: error: seen/);
  const { path, headers } = fleet.hub.requests.at(-1) ?? {};
  assert.equal(path, '/apis/cluster.core.oam.dev/v1alpha1/clustergateways/c1/proxy/version');
  assert.equal(headers?.['authorization'], 'Bearer admin');
});
