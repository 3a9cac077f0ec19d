import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseYaml } from '@flotilla/machinery';
import { jsonAnswer, refusalAnswer } from '../../testing/fleet-server.ts';
import { profileOf, storeProfiles } from '../../testing/profiles.ts';
import { type McResult, runMc } from '../../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../../testing/start-fleet.ts';
import type { Check } from './check.ts';

/** PATH has all that belongs to a sound installation. */
function doctor(fleet: TestFleet, ...argv: string[]): Promise<McResult> {
  return runMc(['doctor', ...argv], {
    homeFolder: fleet.homeFolder,
    env: { PATH: binOf(fleet, ['kubectl', 'kubectl-mc', 'kubectl_complete-mc']) },
  });
}

function binOf(fleet: TestFleet, programs: readonly string[]): string {
  const folder = join(fleet.homeFolder, 'bin');
  mkdirSync(folder, { recursive: true });
  for (const each of programs) writeFileSync(join(folder, each), '#!/bin/sh\n', { mode: 0o755 });
  return folder;
}

/** What is not well, each with its status, and that each of them says what to do. */
async function findings(
  fleet: TestFleet,
  ...argv: string[]
): Promise<{ code: number; stderr: string; found: Check[] }> {
  const { code, stdout, stderr } = await doctor(fleet, '-o', 'json', ...argv);
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  const found = checks.filter(({ status }) => status !== 'OK');
  for (const each of found) assert.ok((each.advice ?? '') !== '', `no advice: ${each.detail}`);
  for (const each of checks) {
    if (each.status === 'OK') assert.equal(each.advice, undefined, each.detail);
  }
  return { code, stderr, found };
}

const subjects = (found: readonly Check[]) =>
  found.map(({ kind, subject, status }) => `${status} ${kind} ${subject}`);

const kubeFile = ({ homeFolder }: TestFleet, name: string) => join(homeFolder, '.kube', name);

function changeKubeconfig(fleet: TestFleet, change: (text: string) => string): void {
  writeFileSync(fleet.kubeconfigFile, change(readFileSync(fleet.kubeconfigFile, 'utf8')));
}

describe('kubectl mc doctor', () => {
  test('finds nothing wrong with a sound fleet, and says what it looked at', async () => {
    await using fleet = await startFleet({ members: 2 });
    const { code, stdout, stderr } = await doctor(fleet);

    const home = fleet.homeFolder;
    assert.deepEqual(
      stdout
        .replaceAll(home, 'HOME')
        .replaceAll(/\d+ms/g, 'Xms')
        .replaceAll(fleet.hub.server.url, 'https://hub')
        .replaceAll(/ {3,}/g, '   ')
        .split('\n'),
      [
        'STATUS   CHECK   SUBJECT   DETAIL',
        'OK   file   mapping   HOME/.kube/kubectl-mc-clusters.yaml',
        'OK   file   kubeconfig   HOME/.kube/config, 3 contexts in all',
        'OK   program   kubectl-mc   HOME/bin/kubectl-mc',
        'OK   program   kubectl_complete-mc   HOME/bin/kubectl_complete-mc',
        'OK   program   kubectl   HOME/bin/kubectl',
        'OK   hub   reachable (hub)   https://hub answers within Xms',
        'OK   hub   ClusterProfile API (hub)   clusterprofiles of multicluster.x-k8s.io/v1alpha1',
        'OK   hub   permission (hub)   you may list clusterprofiles in all namespaces',
        'OK   cluster   c1   context c1: v1.34.4+flotilla as admin within Xms',
        'OK   cluster   c2   context c2: v1.34.4+flotilla as admin within Xms',
        '',
      ],
    );
    assert.deepEqual([code, stderr], [0, '']);
  });

  test('can be read by programs, in either format, and leaves out the header on demand', async () => {
    await using fleet = await startFleet({ members: 1 });
    const plain = (text: string) => text.replaceAll(/\d+ms/g, 'Xms');
    const { stdout: json } = await doctor(fleet, '-o', 'json');
    const { stdout: yaml } = await doctor(fleet, '-o', 'yaml');

    assert.deepEqual(parseYaml(plain(yaml)).value, JSON.parse(plain(json)));
    const { stdout } = await doctor(fleet, '--no-headers');
    assert.match(stdout, /^OK {4,}file {3,}mapping /);
    const { code, stderr } = await doctor(fleet, 'all');
    assert.deepEqual(
      [code, stderr],
      [1, "error: unexpected arguments: [all]\nSee 'kubectl mc doctor -h' for help and examples\n"],
    );
  });

  test('a hub that is down is told once, with what to do, and ends with 1', async () => {
    await using fleet = await startFleet({ members: 1 });
    await fleet.hub.server.stop();
    const { code, found } = await findings(fleet);

    assert.deepEqual(subjects(found), ['FAIL hub reachable (hub)']);
    assert.match(found[0]?.detail ?? '', /^Cannot list clusters on the hub \(context "hub"\): .+/);
    assert.match(found[0]?.advice ?? '', /--hub-context/);
    assert.equal(code, 1);
  });

  test('clusters are looked at even while the hub is down, as the cache knows them', async () => {
    await using fleet = await startFleet({ members: 2 });
    await runMc(['clusters'], fleet);
    await fleet.hub.server.stop();
    const { code, stdout, stderr } = await doctor(fleet, '--refresh');

    assert.match(stdout, /^FAIL +hub +reachable /m);
    assert.match(stdout, /^OK +cluster +c1 /m);
    assert.match(stdout, /^OK +cluster +c2 /m);
    assert.match(stderr, /^Warning: .*; using what it said /);
    assert.equal(code, 1);
  });

  test('a hub without ClusterProfiles is told as other verbs tell it', async () => {
    await using fleet = await startFleet({ members: 1, servesProfiles: false });
    const { code, found } = await findings(fleet);

    assert.deepEqual(subjects(found), ['FAIL hub ClusterProfile API (hub)']);
    assert.equal(
      found[0]?.detail,
      'the hub has no ClusterProfile API (multicluster.x-k8s.io/v1alpha1)',
    );
    assert.match(found[0]?.advice ?? '', /--inventory kubeconfig/);
    assert.equal(code, 1);
  });

  test('a hub that forbids, and one that does not know the user', async () => {
    await using fleet = await startFleet({ members: 1 });
    changeKubeconfig(fleet, (text) =>
      text.replace('    token: admin', '    token: admin\n    as: jane'),
    );
    const forbidden = await findings(fleet);

    const [permission] = forbidden.found;
    assert.equal(permission?.subject, 'permission (hub)');
    assert.equal(permission?.detail, 'you may not list clusterprofiles');
    assert.match(permission?.advice ?? '', /--hub-namespace/);
    assert.equal(forbidden.code, 1);

    changeKubeconfig(fleet, (text) => text.replace(/token: admin\n\s+as: jane/, 'token: stolen'));
    const unknown = await findings(fleet);
    assert.deepEqual(subjects(unknown.found), ['FAIL hub ClusterProfile API (hub)']);
    assert.match(unknown.found[0]?.detail ?? '', /^Cannot log in to the hub \(context "hub"\)/);
    assert.match(unknown.found[0]?.advice ?? '', /renew the credential/);
    assert.equal(unknown.code, 1);
  });

  test('some clusters that are broken end with 3, all with 1, each with its cause and advice', async () => {
    await using fleet = await startFleet({ members: 5 });
    await fleet.member('c1').server.stop();
    fleet.member('c2').answerWith(async () => refusalAnswer(401, 'Unauthorized', 'Unauthorized'));
    fleet
      .member('c3')
      .answerWith(async () => refusalAnswer(403, 'Forbidden', 'version is forbidden'));
    fleet.member('c4').answerWith(async () => jsonAnswer(200, 'what?'));
    const some = await findings(fleet);

    assert.deepEqual(subjects(some.found), [
      'FAIL cluster c1',
      'FAIL cluster c2',
      'FAIL cluster c3',
      'FAIL cluster c4',
    ]);
    const [c1, c2, c3, c4] = some.found;
    assert.match(c1?.detail ?? '', /^context c1: .*connection refused/);
    assert.match(c1?.advice ?? '', /VPN/);
    assert.match(c2?.detail ?? '', /^context c2: You must be logged in/);
    assert.equal(c2?.advice, 'renew the credential of context c2');
    assert.match(c3?.detail ?? '', /version is forbidden$/);
    assert.match(c4?.detail ?? '', /not as the API server of a cluster does$/);
    assert.equal(some.code, 3);
    assert.equal((await findings(fleet, '--allow-partial')).code, 0);

    const all = await findings(fleet, '--clusters', 'c1,c2');
    assert.equal(all.code, 1);
  });

  test('a cluster that nobody mapped is a warning while others are reached', async () => {
    await using fleet = await startFleet({ members: 1 });
    await storeProfiles(fleet.hub.client, [
      profileOf({ name: 'lost', status: { conditions: [] } }),
    ]);
    const some = await findings(fleet);

    assert.deepEqual(subjects(some.found), ['WARN cluster lost']);
    assert.equal(some.found[0]?.advice, 'run kubectl mc setup');
    assert.equal(some.code, 0);

    const alone = await findings(fleet, '--clusters', 'lost');
    assert.deepEqual(subjects(alone.found), ['FAIL cluster lost']);
    assert.equal(alone.code, 1);
  });

  test('a name that no cluster has is a finding like any other', async () => {
    await using fleet = await startFleet({ members: 1 });
    const { code, found } = await findings(fleet, '--clusters', 'c11');

    assert.deepEqual(subjects(found), ['FAIL cluster inventory']);
    assert.match(found[0]?.detail ?? '', /c11/);
    assert.equal(code, 1);
  });

  test('a credential command that is not there is told with who needs it', async () => {
    await using fleet = await startFleet({ members: 2 });
    changeKubeconfig(fleet, (text) => {
      const exec =
        'exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ';
      const users = `users:\n- name: eks\n  user: {${exec}aws}}\n- name: own\n  user: {${exec}/opt/none/login}}\n`;
      return text
        .replace('users:\n', users)
        .replace(/(cluster: c1\n\s+user: )admin/, '$1eks')
        .replace(/(cluster: c2\n\s+user: )admin/, '$1own');
    });
    const { code, found } = await findings(fleet);

    assert.deepEqual(subjects(found), [
      'FAIL plugin aws',
      'FAIL plugin /opt/none/login',
      'FAIL cluster c1',
      'FAIL cluster c2',
    ]);
    const [aws, own] = found;
    assert.equal(aws?.detail, 'not on PATH, needed for c1');
    assert.match(aws?.advice ?? '', /^install the AWS CLI: https:/);
    assert.equal(own?.detail, 'not there, needed for c2');
    assert.equal(code, 1);
    binOf(fleet, ['aws']);
    const { stdout } = await doctor(fleet);
    assert.match(stdout, /^OK +plugin +aws +.*\/bin\/aws, for c1$/m);
  });

  test('broken files are told with their lines, each once, and do not hide the rest', async () => {
    await using fleet = await startFleet({ members: 1 });
    writeFileSync(kubeFile(fleet, 'kubectl-mc-config.yaml'), 'execution:\n  timeout: soon\n');
    writeFileSync(kubeFile(fleet, 'kubectl-mc-trust.yaml'), 'commands: [', { mode: 0o600 });
    writeFileSync(kubeFile(fleet, 'kuberc'), 'credentialPluginPolicy: Perhaps\n');
    const first = await findings(fleet);

    assert.deepEqual(subjects(first.found), [
      'FAIL file config',
      'FAIL file trust',
      'FAIL file kuberc',
    ]);
    assert.match(
      first.found[0]?.detail ?? '',
      /^Cannot read config file ".*kubectl-mc-config\.yaml": line 2: execution\.timeout/,
    );
    assert.match(first.found[1]?.detail ?? '', /^Cannot read .*kubectl-mc-trust\.yaml: /);
    assert.match(first.found[2]?.detail ?? '', /kuberc/);
    assert.equal(first.code, 1);

    writeFileSync(fleet.mappingFile, 'clusters:\n  - name: c1\n    context: [1]\n');
    writeFileSync(kubeFile(fleet, 'clusterprofile-providers.yaml'), 'providers: 3\n');
    const second = await findings(fleet);
    assert.deepEqual(subjects(second.found), [
      'FAIL file config',
      'FAIL file mapping',
      'FAIL file trust',
      'FAIL file providers',
      'FAIL file kuberc',
    ]);
    assert.match(second.found[1]?.detail ?? '', /line 3: clusters\[0\]\.context/);
    assert.match(second.found[1]?.advice ?? '', /kubectl mc setup/);
    assert.equal(second.code, 1);

    writeFileSync(fleet.kubeconfigFile, 'contexts: {');
    const third = await findings(fleet);
    assert.ok(subjects(third.found).includes('FAIL file kubeconfig'), 'kubeconfig');
    assert.equal(third.code, 1);
  });

  test('names that nobody knows, and values of the environment that cannot be meant', async () => {
    await using fleet = await startFleet({ members: 1 });
    writeFileSync(kubeFile(fleet, 'kubectl-mc-config.yaml'), 'executoin: {}\n', { mode: 0o600 });
    writeFileSync(
      fleet.mappingFile,
      'hubContext: hub\nowner: me\nclusters: [{name: c1, context: c1, contxt: c2}]\n',
    );
    const { code, stderr, found } = await findings(fleet);

    assert.deepEqual(subjects(found), ['WARN file config', 'WARN file mapping']);
    assert.match(found[0]?.detail ?? '', /line 1: .*executoin/);
    assert.match(found[1]?.detail ?? '', /nobody knows "owner", "contxt" of "?c1"?$/);
    assert.deepEqual([code, stderr], [0, '']);

    const wrong = await runMc(['doctor'], {
      homeFolder: fleet.homeFolder,
      env: { KUBECTL_MC_EXECUTION_TIMEOUT: 'soon' },
    });
    assert.match(
      wrong.stdout,
      /^FAIL +file +environment +Cannot use KUBECTL_MC_EXECUTION_TIMEOUT/m,
    );
    assert.equal(wrong.code, 1);
  });

  test('files that others may read or write are told with the command that helps', async () => {
    await using fleet = await startFleet({ members: 1 });
    const config = kubeFile(fleet, 'kubectl-mc-config.yaml');
    const trust = kubeFile(fleet, 'kubectl-mc-trust.yaml');
    writeFileSync(config, 'execution: {}\n');
    writeFileSync(trust, 'commands: []\n');
    for (const file of [config, trust]) chmodSync(file, 0o666);
    for (const file of [fleet.mappingFile, fleet.kubeconfigFile]) chmodSync(file, 0o644);
    const { code, found } = await findings(fleet);

    assert.deepEqual(subjects(found), [
      'WARN file config',
      'WARN file mapping',
      'FAIL file trust',
      'WARN file kubeconfig',
    ]);
    assert.equal(found[0]?.detail, `${config} has mode 0666: others can allow commands in it`);
    assert.equal(found[0]?.advice, `chmod 600 ${config}`);
    assert.match(found[2]?.detail ?? '', /^Cannot believe .*: others can write it/);
    assert.equal(code, 1);
    for (const { subject } of found) {
      const file = { config, trust, mapping: fleet.mappingFile }[subject] ?? fleet.kubeconfigFile;
      chmodSync(file, 0o600);
    }
    assert.deepEqual((await findings(fleet)).found, []);
  });

  test('clocks that differ are told with how much and in which direction', async () => {
    await using fleet = await startFleet({ members: 2 });
    const at = (ms: number) => new Date(Date.now() + ms).toUTCString();
    const answer = (date: string) => jsonAnswer(200, { gitVersion: 'v1.30.1' }, { date });
    fleet
      .member('c1')
      .answerWith(async (request, next) =>
        request.path === '/version' ? answer(at(-600_000)) : next(request),
      );
    fleet.hub.answerWith(async (request, next) =>
      request.path === '/version' ? answer(at(3_600_000)) : next(request),
    );
    const { code, found } = await findings(fleet);

    assert.deepEqual(subjects(found), ['WARN hub reachable (hub)', 'WARN cluster c1']);
    assert.match(found[0]?.detail ?? '', /its clock is (1h0m0s|59m5\ds) ahead of yours$/);
    assert.match(found[1]?.detail ?? '', /its clock is (10m[0-2]s|9m5\ds) behind yours$/);
    assert.match(found[1]?.advice ?? '', /NTP/);
    assert.equal(code, 0);
  });

  test('programs that kubectl would not find, or not the right one of, are warnings', async () => {
    await using fleet = await startFleet({ members: 1 });
    const other = join(fleet.homeFolder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'kubectl-mc'), '#!/bin/sh\n', { mode: 0o755 });
    const run = (path: string) =>
      runMc(['doctor'], { homeFolder: fleet.homeFolder, env: { PATH: path } });
    const hidden = await run(`${binOf(fleet, ['kubectl-mc'])}:${other}`);

    assert.match(
      hidden.stdout,
      /^WARN +program +kubectl-mc +\S+\/bin\/kubectl-mc hides \S+\/other\/kubectl-mc\n +What to do: remove all but one$/m,
    );
    assert.match(hidden.stdout, /^WARN +program +kubectl_complete-mc +not on PATH/m);
    assert.match(hidden.stdout, /^WARN +program +kubectl +not on PATH/m);
    assert.equal(hidden.code, 0);
  });

  test('a server that answers nonsense is one broken cluster', async () => {
    await using fleet = await startFleet({ members: 2 });
    fleet.member('c2').answerWith(async () => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: Buffer.from('<html>\u001b[31mlog in</html>'),
    }));
    const { code, stdout } = await doctor(fleet);

    assert.match(
      stdout,
      /^FAIL +cluster +c2 +context c2: Cannot read what the server sent as JSON$/m,
    );
    assert.equal(code, 3);
  });
});
