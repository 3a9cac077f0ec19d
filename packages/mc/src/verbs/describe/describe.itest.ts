import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@flotilla/testkit';
import { isRunning, type StandIn, standInKubectl } from '../../kubectl/testing/stand-in-kubectl.ts';
import { type RunMcOptions, runMc, startMc } from '../../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../../testing/start-fleet.ts';
import { createNamespace, createPod, createWidget } from '../get/testing/objects.ts';

const RULE = '-'.repeat(80);
const BETWEEN = '='.repeat(80);

/** Says which objects it was asked for. */
const TELLS = `cat > "$folder/asked-$cluster"
echo "described by $cluster"`;

/** `default/web`, in the order in which kubectl was to describe them. */
function askedOf(kubectl: StandIn, cluster: string): string[] {
  const text = kubectl.read(`asked-${cluster}`);
  if (text === '') return [];
  const { items } = JSON.parse(text) as {
    items: { kind: string; metadata: { name: string; namespace?: string } }[];
  };
  return items.map(({ metadata: { name, namespace = '' } }) => `${namespace}/${name}`);
}

describe('a fleet of three', () => {
  let fleet: TestFleet;
  const run = (args: readonly string[], kubectl: StandIn, options: RunMcOptions = {}) =>
    runMc(['describe', ...args], { ...fleet, env: kubectl.env, ...options });

  before(async () => {
    fleet = await startFleet({ members: 3 });
    for (const { client } of fleet.members) {
      await createNamespace(client, 'team-a');
      await createNamespace(client, 'team-b');
      for (const name of ['nginx-1', 'nginx-2', 'web']) {
        await createPod(client, name, { labels: { app: name === 'web' ? 'web' : 'nginx' } });
      }
      await createPod(client, 'nginx-a', { namespace: 'team-a' });
      await createPod(client, 'nginx-b', { namespace: 'team-b' });
    }
    await createPod(fleet.member('c2').client, 'rare');
  });
  after(() => fleet[Symbol.asyncDispose]());

  test('clusters are blocks in their order, whoever is ready first', async () => {
    using kubectl = standInKubectl(`cat > /dev/null
case $cluster in
  c1) read -r line < "$folder/pipe" ;;
  c3) echo go > "$folder/pipe" ;;
esac
echo "Name: $cluster"`);
    execFileSync('mkfifo', [join(kubectl.folder, 'pipe')]);
    assert.deepEqual(await run(['pod', 'web'], kubectl), {
      code: 0,
      stdout: `CLUSTER: c1\n${RULE}\nName: c1\n${BETWEEN}\nCLUSTER: c2\n${RULE}\nName: c2\n${BETWEEN}\nCLUSTER: c3\n${RULE}\nName: c3\n`,
      stderr: '',
    });
  });

  test('a single cluster is described as kubectl would, without a block', async () => {
    using kubectl = standInKubectl(TELLS);
    const { stdout } = await run(['pod', 'web', '--clusters', 'c2'], kubectl);
    assert.equal(stdout, 'described by c2\n');
  });

  test('MC-35 a glob describes all pods that it matches', async () => {
    using kubectl = standInKubectl(TELLS);
    const { code, stderr } = await run(['pod', 'nginx-*'], kubectl);
    assert.deepEqual([code, stderr], [0, '']);
    for (const cluster of ['c1', 'c2', 'c3']) {
      assert.deepEqual(askedOf(kubectl, cluster), ['default/nginx-1', 'default/nginx-2']);
    }
    assert.deepEqual(JSON.parse(kubectl.read('asked-c1')).items[0], {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'nginx-1', namespace: 'default' },
    });
  });

  test('MC-35 globs and lists go over all namespaces, or over several', async () => {
    using kubectl = standInKubectl(TELLS);
    await run(['pod', 'nginx-[ab]', '-A', '--clusters', 'c1'], kubectl);
    await run(['pods', '-n', 'team-b,team-a', '--clusters', 'c2'], kubectl);
    await run(['pods', '-l', 'app in (web)', '-A', '--clusters', 'c3'], kubectl);
    assert.deepEqual(askedOf(kubectl, 'c1'), ['team-a/nginx-a', 'team-b/nginx-b']);
    assert.deepEqual(askedOf(kubectl, 'c2'), ['team-b/nginx-b', 'team-a/nginx-a']);
    assert.deepEqual(askedOf(kubectl, 'c3'), ['default/web']);
  });

  test('MC-35 a name that is in one of several namespaces is found', async () => {
    using kubectl = standInKubectl(TELLS);
    const found = await run(['pod/nginx-a', '-n', 'team-a,team-b', '--clusters', 'c1'], kubectl);
    const lost = await run(['pod/web', '-n', 'team-a,team-b', '--clusters', 'c1'], kubectl);
    assert.deepEqual([found.code, found.stderr], [0, '']);
    assert.deepEqual(askedOf(kubectl, 'c1'), ['team-a/nginx-a']);
    assert.deepEqual(lost, {
      code: 1,
      stdout: '',
      stderr: 'Error from server (NotFound): pods "web" not found\n',
    });
  });

  test('MC-31 names of get -o name lead to their clusters, and no other is asked', async () => {
    using kubectl = standInKubectl(TELLS);
    const names = await runMc(['get', 'pod', 'rare', '-o', 'name'], fleet);
    assert.equal(names.stdout, 'c2:pod/rare\n');
    fleet.forgetRequests();
    const { code, stdout } = await run(names.stdout.trim().split('\n'), kubectl);
    assert.deepEqual([code, stdout], [0, 'described by c2\n']);
    assert.deepEqual(
      ['c1', 'c3'].map((name) => fleet.member(name).requests),
      [[], []],
    );
    assert.equal(kubectl.read('calls'), 'c2 describe -f -\n');
  });

  test('MC-31 each cluster describes what was asked of it and what was asked of all', async () => {
    using kubectl = standInKubectl(TELLS);
    const { code } = await run(['c2:pod/rare', 'pod/web', 'svc/kubernetes'], kubectl);
    assert.equal(code, 0);
    assert.deepEqual(askedOf(kubectl, 'c1'), ['default/web', 'default/kubernetes']);
    assert.deepEqual(askedOf(kubectl, 'c2'), ['default/rare', 'default/web', 'default/kubernetes']);
  });

  test('what some clusters do not have is described on the others', async () => {
    using kubectl = standInKubectl(TELLS);
    assert.deepEqual(await run(['pod', 'rare'], kubectl), {
      code: 0,
      stdout: `CLUSTER: c2\n${RULE}\ndescribed by c2\n`,
      stderr: '',
    });
    const strict = await run(['pod', 'rare', '--require-all'], kubectl);
    assert.equal(strict.code, 3);
    assert.match(strict.stderr, /Failed to query 2\/3 clusters/);
  });

  test('what no cluster has is told once, and kubectl is not even started', async () => {
    using kubectl = standInKubectl(TELLS);
    assert.deepEqual(await run(['pod', 'none'], kubectl), {
      code: 1,
      stdout: '',
      stderr: 'Error from server (NotFound): pods "none" not found (in 3 clusters)\n',
    });
    assert.deepEqual(await run(['gadgets'], kubectl), {
      code: 1,
      stdout: '',
      stderr: 'error: the server doesn\'t have a resource type "gadgets"\n',
    });
    assert.deepEqual(await run(['pods,gadgets', '--clusters', 'c1'], kubectl), {
      code: 1,
      stdout: '',
      stderr: 'error: the server doesn\'t have a resource type "gadgets"\n',
    });
    assert.deepEqual(await run(['pvc'], kubectl), {
      code: 0,
      stdout: '',
      stderr: 'No resources found in default namespace.\n',
    });
    assert.deepEqual(await run(['pvc', '-A'], kubectl), {
      code: 0,
      stdout: '',
      stderr: 'No resources found\n',
    });
    assert.equal(kubectl.read('calls'), '');
  });

  test('a name that nothing has is the beginning of names, which kubectl finds itself', async () => {
    using kubectl = standInKubectl('echo "described by $cluster"');
    const { code } = await run(['po', 'ngin', '--clusters', 'c1', '--show-events=false'], kubectl);
    assert.equal(code, 0);
    assert.equal(kubectl.read('calls'), 'c1 describe --show-events=false -n default -- po ngin\n');
    assert.equal((await run(['pod/ngin', '--clusters', 'c1'], kubectl)).code, 1);
  });

  test('standard input is read once, for all clusters', async () => {
    using kubectl = standInKubectl(TELLS);
    const stdin = `apiVersion: v1
kind: Pod
metadata: {name: web}
---
{apiVersion: v1, kind: Pod, metadata: {name: nginx-a, namespace: team-a}}
`;
    const { code } = await run(['-f', '-', '--chunk-size', '7'], kubectl, { stdin });
    assert.equal(code, 0);
    for (const cluster of ['c1', 'c2', 'c3']) {
      assert.deepEqual(askedOf(kubectl, cluster), ['default/web', 'team-a/nginx-a']);
    }
    assert.match(kubectl.read('calls'), /^c\d describe --chunk-size=7 -f -$/m);
    const both = await run(['-f', '-', 'pods'], kubectl, { stdin });
    assert.match(both.stderr, /you may not specify resource arguments as well/);
  });

  test('MC-37 each cluster has a namespace of its own where none is asked for', async () => {
    using kubectl = standInKubectl(TELLS);
    const mapping = readFileSync(fleet.mappingFile, 'utf8');
    writeFileSync(
      fleet.mappingFile,
      mapping.replace('context: c1', 'context: c1\n  defaultNamespace: team-a'),
    );
    try {
      await run(['pods', '--clusters', 'c1,c3'], kubectl);
    } finally {
      writeFileSync(fleet.mappingFile, mapping);
    }
    assert.deepEqual(askedOf(kubectl, 'c1'), ['team-a/nginx-a']);
    assert.equal(askedOf(kubectl, 'c3').length, 3);
  });

  test('the user is who flags say, and no secret is in the kubeconfig', async () => {
    using kubectl = standInKubectl('cat > /dev/null; cat "$KUBECONFIG"');
    const flags = ['--as', 'admin', '--as-group', 'system:masters', '--token', 'admin'];
    const { stdout, code } = await run(['pod', 'web', '--clusters', 'c1', ...flags], kubectl);
    assert.equal(code, 0);
    assert.match(stdout, /as: admin\n {4}as-groups:\n {4}- system:masters\n/);
    assert.doesNotMatch(stdout, /token:/);
    assert.match(stdout, /- credential\n/);
  });

  test('without kubectl nobody is asked, and that is said', async () => {
    fleet.forgetRequests();
    assert.deepEqual(await runMc(['describe', 'pods'], { ...fleet, env: { PATH: '/nowhere' } }), {
      code: 1,
      stdout: '',
      stderr:
        'error: Cannot run kubectl: there is none on PATH. Install it, or say where it is with KUBECTL_PATH\n',
    });
    const wrong = await runMc(['describe', 'pods'], { ...fleet, env: { KUBECTL_PATH: 'bin/k' } });
    assert.match(wrong.stderr, /KUBECTL_PATH is "bin\/k", which is no absolute path of a program/);
    assert.deepEqual(fleet.member('c1').requests, []);
  });

  test('kubectl is found on PATH, too', async () => {
    using kubectl = standInKubectl(TELLS);
    const env = { PATH: `${kubectl.folder}:/usr/bin:/bin` };
    const { stdout } = await runMc(['describe', 'c1:pod/web'], { ...fleet, env });
    assert.equal(stdout, 'described by c1\n');
  });

  test('what kubectl complains of is classified, and what it printed before is shown', async () => {
    using kubectl = standInKubectl(`cat > /dev/null
echo "half of $cluster"
[ $cluster = c2 ] || exit 0
echo 'Warning: v1 is old' >&2
echo 'Error from server (Forbidden): events is forbidden: no' >&2
exit 1`);
    const { code, stdout, stderr } = await run(['pod', 'web'], kubectl);
    assert.equal(code, 3);
    assert.match(stdout, /CLUSTER: c2\n-+\nhalf of c2\n/);
    assert.equal(
      stderr,
      'Warning: v1 is old\nWarning: Failed to query 1/3 clusters. Run with -v for details.\n  c2: forbidden: events is forbidden: no\n',
    );
  });

  test('a cluster that is dead is told apart before kubectl is started there', async () => {
    using kubectl = standInKubectl(TELLS);
    const kubeconfig = readFileSync(fleet.kubeconfigFile, 'utf8');
    const dead = kubeconfig.replace(fleet.member('c2').server.url, 'https://127.0.0.1:1');
    writeFileSync(fleet.kubeconfigFile, dead);
    try {
      const { code, stderr } = await run(['pod', 'web'], kubectl);
      assert.equal(code, 3);
      assert.match(stderr, / {2}c2: unreachable: /);
      assert.doesNotMatch(kubectl.read('calls'), /c2/);
    } finally {
      writeFileSync(fleet.kubeconfigFile, kubeconfig);
    }
  });

  test('terminals obey nothing that servers say', async () => {
    using kubectl = standInKubectl(`cat > /dev/null; printf 'a\\tb\\033[2J\\r\\342\\200\\256c\\n'`);
    const { stdout } = await run(['pod', 'web', '--clusters', 'c1'], kubectl);
    assert.equal(stdout, 'a\tb^[[2J\\r\\u202ec\n');
  });

  test('kinds of custom resources are described in their group', async () => {
    using kubectl = standInKubectl(TELLS);
    await createWidget(fleet.member('c3').client, 'w1', { text: 'x' });
    const { code, stdout } = await run(['widgets,pods', '-l', 'app!=nginx'], kubectl);
    assert.equal(code, 0);
    assert.match(stdout, /c1[\s\S]*c2[\s\S]*c3/);
    assert.deepEqual(askedOf(kubectl, 'c3'), ['default/w1', 'default/web']);
    assert.equal(JSON.parse(kubectl.read('asked-c3')).items[0].apiVersion, 'example.com/v1');
  });

  describe('a kubectl that hangs, with a child that does not listen', () => {
    const HANGS = `trap '' TERM
[ $cluster = c2 ] || { echo "fine"; exit 0; }
sh -c 'trap "" TERM; echo $$ > "$0"; exec sleep 600' "$folder/grandchild" &
echo $$ > "$folder/child"
wait`;
    const pidsOf = (kubectl: StandIn): number[] =>
      ['child', 'grandchild'].map((name) => Number(kubectl.read(name)));
    const isHanging = (kubectl: StandIn) =>
      kubectl.read('grandchild').endsWith('\n') && kubectl.read('child').endsWith('\n');

    test('is ended when the time of its cluster is up, with all it started', async () => {
      using kubectl = standInKubectl(HANGS);
      const { code, stderr } = await run(['pod', 'web', '--cluster-timeout', '1500ms'], kubectl);
      assert.equal(code, 3);
      assert.match(stderr, / {2}c2: timeout after 1\.5s/);
      const pids = pidsOf(kubectl);
      assert.ok(pids.every((pid) => pid > 0));
      await eventually(() => !pids.some(isRunning));
    });

    test('MC-51 is ended by Ctrl-C, and what is complete is printed', async () => {
      using kubectl = standInKubectl(HANGS);
      const mc = startMc(['describe', 'pod', 'web'], { ...fleet, env: kubectl.env });
      await eventually(() => isHanging(kubectl) && mc.stdout().includes('c1'));
      mc.interrupt();
      const { code, stderr } = await mc.done;
      assert.equal(code, 130);
      assert.match(stderr, /Cancelled: .*c2/);
      assert.equal(isRunning(pidsOf(kubectl)[0] ?? 0), false);
      await eventually(() => !pidsOf(kubectl).some(isRunning));
    });

    test('MC-52 is ended in silence when nobody reads any more', async () => {
      using kubectl = standInKubectl(HANGS);
      const mc = startMc(['describe', 'pod', 'web'], { ...fleet, env: kubectl.env });
      await eventually(() => isHanging(kubectl));
      mc.closeReader();
      const { code, stderr } = await mc.done;
      assert.deepEqual([code, stderr], [0, '']);
      await eventually(() => !pidsOf(kubectl).some(isRunning));
    });
  });
});
