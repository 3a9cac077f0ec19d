import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@flotilla/testkit';
import { isRunning, type StandIn, standInKubectl } from '../../kubectl/testing/stand-in-kubectl.ts';
import { type RunMcOptions, runMc, startMc } from '../../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../../testing/start-fleet.ts';

const sorted = (text: string): string[] => text.trimEnd().split('\n').sort();

describe('a fleet of three, one with a longer name', () => {
  let fleet: TestFleet;
  const each = (words: readonly string[], kubectl: StandIn, options: RunMcOptions = {}) =>
    runMc(['each', ...words], { ...fleet, env: kubectl.env, ...options });

  before(async () => {
    fleet = await startFleet({ members: ['c1', 'c2', 'edge-1'] });
  });
  after(() => fleet[Symbol.asyncDispose]());

  test('lines stand behind the name of their cluster, each on the stream it was printed on', async () => {
    using kubectl = standInKubectl(`echo "$@"; echo; printf 'no end'; echo "beware" >&2`);
    const { code, stdout, stderr } = await each(['-n', 'shop', '--', 'get', 'pods'], kubectl);
    assert.equal(code, 0);
    assert.deepEqual(sorted(stdout), [
      '    c1 | ',
      '    c1 | --namespace=shop get pods',
      '    c1 | no end',
      '    c2 | ',
      '    c2 | --namespace=shop get pods',
      '    c2 | no end',
      'edge-1 | ',
      'edge-1 | --namespace=shop get pods',
      'edge-1 | no end',
    ]);
    assert.deepEqual(sorted(stderr), ['    c1 | beware', '    c2 | beware', 'edge-1 | beware']);
  });

  test('lines of many clusters do not mix, however they come', async () => {
    using kubectl = standInKubectl(`i=0
while [ $i -lt 300 ]; do
  printf "$cluster"; printf '%s' "-$i-"; printf "$cluster\\n"
  i=$((i + 1))
done`);
    const { stdout } = await each(['--', 'get', 'pods'], kubectl);
    const lines = stdout.trimEnd().split('\n');
    assert.equal(lines.length, 900);
    for (const line of lines) assert.match(line, /^ *(\S+) \| \1-\d+-\1$/);
    assert.deepEqual(
      lines.filter((line) => line.startsWith('edge-1')),
      Array.from({ length: 300 }, (_, at) => `edge-1 | edge-1-${at}-edge-1`),
    );
  });

  test('MC-79 terminals have colours and obey nothing else; pipes have neither', async () => {
    using kubectl = standInKubectl(`printf '\\033[31mred\\033[0m \\033[2J\\n'`);
    const words = ['--clusters', 'c1', '--', 'get', 'pods'];
    const piped = await each(words, kubectl);
    const shown = await each(words, kubectl, { terminal: { out: true } });
    assert.equal(piped.stdout, 'c1 | \u001b[31mred\u001b[0m \u001b[2J\n');
    assert.match(
      shown.stdout,
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what it looks for.
      /^\u001b\[\d+mc1\u001b\[0m \| \u001b\[31mred\u001b\[0m \^\[\[2J/,
    );
  });

  test('standard input is read once and given to all, but only where it is asked for', async () => {
    using kubectl = standInKubectl('cat');
    const stdin = 'a: 1\n';
    const wanted = ['    c1 | a: 1', '    c2 | a: 1', 'edge-1 | a: 1'];
    const apply = ['--all-clusters', '--', 'apply', '-f', '-'];
    assert.deepEqual(sorted((await each(apply, kubectl, { stdin })).stdout), wanted);
    const asked = ['--stdin', '--', 'get', 'pods'];
    assert.deepEqual(sorted((await each(asked, kubectl, { stdin })).stdout), wanted);
    assert.equal((await each(['--', 'get', 'pods'], kubectl, { stdin })).stdout, '');
  });

  test('a kubectl that does not read what it is given is no failure', async () => {
    using kubectl = standInKubectl('exec 0<&-; echo done');
    const stdin = 'x'.repeat(1 << 20);
    const { code } = await each(['--stdin', '--', 'get', 'pods'], kubectl, { stdin });
    assert.equal(code, 0);
  });

  test('some failures are exit code 3, all of them 1, and causes are told apart', async () => {
    using kubectl = standInKubectl(`case $cluster in
  c1) echo 'Error from server (Forbidden): pods is forbidden: no' >&2; exit 1 ;;
  c2) exit 7 ;;
esac`);
    const some = await each(['--', 'get', 'pods'], kubectl);
    assert.equal(some.code, 3);
    assert.match(some.stderr, /Failed to query 2\/3 clusters/);
    assert.match(some.stderr, / {2}c1: forbidden: pods is forbidden: no\n/);
    assert.match(some.stderr, / {2}c2: error: kubectl ended with exit code 7\n/);
    assert.equal((await each(['--clusters', 'c?', '--', 'get', 'pods'], kubectl)).code, 1);
    assert.equal((await each(['--allow-partial', '--', 'get', 'pods'], kubectl)).code, 0);
  });

  test('what is looked for in vain is absent, what is changed in vain has failed', async () => {
    using kubectl = standInKubectl(`[ $cluster = c1 ] && exit 0
echo 'Error from server (NotFound): pods "x" not found' >&2; exit 1`);
    const read = await each(['--', 'get', 'pod', 'x'], kubectl);
    const write = await each(['--all-clusters', '--', 'delete', 'pod', 'x'], kubectl);
    assert.equal(read.code, 0);
    assert.equal(write.code, 3);
  });

  test('exit code 1 is the answer of diff and can-i, unless they complain', async () => {
    using kubectl = standInKubectl('[ $cluster = c2 ] && { echo no; exit 1; }; echo yes');
    const no = await each(['--', 'auth', 'can-i', 'get', 'pods'], kubectl);
    assert.deepEqual([no.code, no.stderr], [1, '']);
    using broken = standInKubectl('[ $cluster = c2 ] && { echo "error: x" >&2; exit 1; }; exit 0');
    assert.equal((await each(['--', 'diff', '-f', 'x'], broken)).code, 3);
  });

  test('what may change something needs clusters that were chosen aloud', async () => {
    using kubectl = standInKubectl('echo done');
    fleet.forgetRequests();
    const refused = await each(['--', 'delete', 'pod', 'x'], kubectl);
    assert.deepEqual(refused, {
      code: 1,
      stdout: '',
      stderr:
        'error: Use --all-clusters to run "kubectl delete" on all clusters, or --clusters to specify targets\n',
    });
    const excluded = await each(['--exclude', 'c1', '--', 'some-plugin'], kubectl);
    assert.equal(excluded.code, 1);
    assert.deepEqual([kubectl.read('calls'), fleet.hub.requests], ['', []]);
    const chosen = await each(['--clusters', 'c?', '--', 'delete', 'pod', 'x'], kubectl);
    assert.deepEqual(sorted(chosen.stdout), ['c1 | done', 'c2 | done']);
  });

  test('MC-8 what may change something asks the hub, however fresh its last answer is', async () => {
    using kubectl = standInKubectl('echo done');
    await each(['--', 'get', 'pods'], kubectl);
    fleet.forgetRequests();
    await each(['--', 'get', 'pods'], kubectl);
    assert.equal(fleet.hub.requests.length, 0);
    await each(['--all-clusters', '--', 'delete', 'pod', 'x'], kubectl);
    assert.ok(fleet.hub.requests.length > 0);
  });

  test('two names of one server are refused before anything is changed', async () => {
    using kubectl = standInKubectl('echo done');
    const mapping = readFileSync(fleet.mappingFile, 'utf8');
    writeFileSync(fleet.mappingFile, mapping.replace('context: c2', 'context: c1'));
    try {
      const refused = await each(['--all-clusters', '--', 'delete', 'pod', 'x'], kubectl);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /Cannot run it on c1 and c2: they are one and the same server/);
      assert.equal(kubectl.read('calls'), '');
      assert.equal((await each(['--', 'get', 'pods'], kubectl)).code, 0);
    } finally {
      writeFileSync(fleet.mappingFile, mapping);
    }
  });

  test('a server that the profile does not know, and protected clusters, are not changed', async () => {
    using kubectl = standInKubectl('echo done');
    const mapping = readFileSync(fleet.mappingFile, 'utf8');
    const words = ['--clusters', 'c1', '--', 'delete', 'pod', 'x'];
    try {
      writeFileSync(fleet.mappingFile, mapping.replace('context: c1', 'context: c2'));
      const other = await each(words, kubectl);
      assert.match(other.stderr, /error: Cannot run it on c1: its profile says /);
      writeFileSync(
        fleet.mappingFile,
        mapping.replace('context: c1', 'context: c1\n  protected: true'),
      );
      const guarded = await each(words, kubectl);
      assert.match(guarded.stderr, /error: Cannot run it on protected clusters \(c1\)/);
      assert.deepEqual([other.code, guarded.code, kubectl.read('calls')], [1, 1, '']);
    } finally {
      writeFileSync(fleet.mappingFile, mapping);
    }
  });

  test('each cluster has a kubeconfig of its own, with its namespace, and without a secret', async () => {
    using kubectl = standInKubectl('cat "$KUBECONFIG"');
    const mapping = readFileSync(fleet.mappingFile, 'utf8');
    writeFileSync(
      fleet.mappingFile,
      mapping.replace('context: c1', 'context: c1\n  defaultNamespace: team-a'),
    );
    try {
      const { stdout } = await each(['--clusters', 'c1', '--as', 'bob', '--', 'get', 'x'], kubectl);
      assert.match(stdout, /^c1 \| current-context: c1$/m);
      assert.match(stdout, /^c1 \| +namespace: team-a$/m);
      assert.match(stdout, /^c1 \| +as: bob$/m);
      assert.doesNotMatch(stdout, /: c2$|token:/m);
    } finally {
      writeFileSync(fleet.mappingFile, mapping);
    }
  });

  test('mistakes are told before anybody is asked', async () => {
    using kubectl = standInKubectl('echo done');
    fleet.forgetRequests();
    for (const [words, text] of [
      [['get', 'pods'], /each takes the kubectl command behind --, as in: .* -- get pods\n/],
      [['--'], /each needs a kubectl command behind --/],
      [[], /each needs a kubectl command behind --/],
      [['--', 'get', 'pods', '--context=x'], /Cannot hand --context to kubectl/],
      [['-n', 'a,b', '--', 'get', 'pods'], /Cannot use -n a,b: /],
    ] as const) {
      const { code, stderr } = await each(words, kubectl);
      assert.equal(code, 1);
      assert.match(stderr, text);
    }
    assert.deepEqual([kubectl.read('calls'), fleet.hub.requests], ['', []]);
  });

  test('a watch runs on all clusters at once and without a limit; Ctrl-C ends it everywhere', async () => {
    using kubectl = standInKubectl(`echo $$ > "$folder/pid-$cluster"; echo begun; exec sleep 600`);
    const words = ['--concurrency', '1', '--', 'get', 'pods', '-w'];
    const mc = startMc(['each', ...words], { ...fleet, env: kubectl.env });
    await eventually(() => sorted(mc.stdout()).length === 3);
    const pids = ['c1', 'c2', 'edge-1'].map((name) => Number(kubectl.read(`pid-${name}`)));
    mc.interrupt();
    const { code, stderr } = await mc.done;
    assert.deepEqual([code, stderr], [130, '']);
    assert.deepEqual(pids.map(isRunning), [false, false, false]);
  });

  test('a command that hangs is ended when its time is up', async () => {
    using kubectl = standInKubectl(`[ $cluster = c1 ] || exit 0
echo $$ > "$folder/pid"; exec sleep 600`);
    const { code, stderr } = await each(['--cluster-timeout', '1s', '--', 'get', 'x'], kubectl);
    assert.equal(code, 3);
    assert.match(stderr, /c1: timeout after 1s/);
    assert.equal(isRunning(Number(kubectl.read('pid'))), false);
  });

  test('MC-52 a reader that has seen enough ends it in silence', async () => {
    using kubectl = standInKubectl('while :; do echo line; done');
    const mc = startMc(['each', '--', 'get', 'pods'], { ...fleet, env: kubectl.env });
    await eventually(() => mc.stdout() !== '');
    mc.closeReader();
    const { code, stderr } = await mc.done;
    assert.deepEqual([code, stderr], [0, '']);
  });
});
