import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refusalAnswer } from '../../testing/fleet-server.ts';
import { runMc } from '../../testing/run-mc.ts';
import { at, startLogFleet } from './testing/log-fleet.ts';

describe('logs that are there', () => {
  test('MC-58 a pod of one name is printed from each cluster that has it, and the rest is no error', async () => {
    await using fleet = await startLogFleet({ members: 3 });
    for (const member of ['c1', 'c3']) {
      await fleet.createPod(member, { name: 'web-1' });
      fleet
        .kubelet(member)
        .log('web-1')
        .write(at(1, `one of ${member}`), at(2, 'two'));
    }
    const { code, stdout, stderr } = await runMc(['logs', 'web-1'], fleet);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(blocksOf(stdout), [
      '[c1/pod/web-1/main] one of c1\n[c1/pod/web-1/main] two\n',
      '[c3/pod/web-1/main] one of c3\n[c3/pod/web-1/main] two\n',
    ]);

    await fleet.createPod('c2', { name: 'web-2' });
    fleet.kubelet('c2').log('web-2').write(at(1, 'only here'));
    assert.deepEqual(await runMc(['logs', 'web-2'], fleet), {
      code: 0,
      stdout: '[c2/pod/web-2/main] only here\n',
      stderr: '',
    });
    assert.deepEqual(await runMc(['logs', 'web-3'], fleet), {
      code: 1,
      stdout: '',
      stderr:
        'error: error from server (NotFound): pods "web-3" not found in namespace "default" (in 3 clusters)\n',
    });
    const all = await runMc(['logs', 'web-1', '--require-all'], fleet);
    assert.equal(all.code, 3);
    assert.match(all.stderr, /c2: absent/);
  });

  test('one container of one cluster is printed as it is, to the byte', async () => {
    await using fleet = await startLogFleet({ members: 2 });
    await fleet.createPod('c1', { name: 'web' });
    fleet
      .kubelet('c1')
      .log('web')
      .write(at(1, 'ä ⛵\tx\r'), at(2, '\u001b[31mred'), { ...at(3, 'no newline'), hasEnd: false });
    const text = 'ä ⛵\tx\r\n\u001b[31mred\nno newline';
    for (const args of [
      ['c1:pod/web'],
      ['web', '--clusters', 'c1'],
      ['pod/web', '--context', 'c1'],
    ]) {
      assert.deepEqual(await runMc(['logs', ...args], fleet), {
        code: 0,
        stdout: text,
        stderr: '',
      });
    }
    const prefixed = await runMc(['logs', 'web', '--clusters', 'c1', '--prefix'], fleet);
    assert.match(prefixed.stdout, /^\[c1\/pod\/web\/main\] ä ⛵/);
    const plain = await runMc(['logs', 'web', '--prefix=false'], fleet);
    assert.equal(plain.stdout, text);
    const kubectls = ['logs', 'web', '--prefix', '--cluster-column', 'none', '--tail', '1'];
    assert.equal((await runMc(kubectls, fleet)).stdout, '[pod/web/main] no newline');
  });

  test('a terminal gets colours and nothing else that could steer it', async () => {
    await using fleet = await startLogFleet({ members: 1 });
    await fleet.createPod('c1', { name: 'web' });
    const evil = '\u001b[31mred \u001b]0;title\u0007 \u001b[2J \u009b1A \u202egnp\tx\r';
    fleet.kubelet('c1').log('web').write(at(1, evil), at(2, 'next'));
    const { stdout } = await runMc(['logs', 'web'], { ...fleet, terminal: true });
    assert.equal(
      stdout,
      '\u001b[31mred ^[]0;title^G ^[[2J \\u009b1A \\u202egnp\tx\u001b[0m\nnext\n',
    );
  });

  test('selectors, globs and workloads find their pods; each has its block', async () => {
    await using fleet = await startLogFleet({ members: 2 });
    for (const member of ['c1', 'c2']) {
      for (const name of ['web-b', 'web-a', 'db-0']) {
        await fleet.createPod(member, { name, labels: { app: name.slice(0, -2) } });
        const lines = Array.from({ length: 12 }, (_, line) => at(line, `${name} ${line}`));
        fleet
          .kubelet(member)
          .log(name)
          .write(...lines);
      }
      await fleet.member(member).client.create(SERVICES, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web', namespace: 'default' },
        spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
      });
    }
    for (const args of [['-l', 'app=web'], ['web-*'], ['pod/web-?']]) {
      const { code, stdout, stderr } = await runMc(['logs', ...args], fleet);
      assert.deepEqual([code, stderr], [0, '']);
      const [c1 = '', c2 = ''] = blocksOf(stdout);
      const lines = c1.trimEnd().split('\n');
      // Ten of each, as kubectl shows of a selector's.
      assert.equal(lines.length, 20);
      assert.equal(lines[0], '[c1/pod/web-a/main] web-a 2');
      assert.equal(lines[10], '[c1/pod/web-b/main] web-b 2');
      assert.equal(c2, c1.replaceAll('[c1/', '[c2/'));
    }
    const service = await runMc(['logs', 'svc/web', '--tail', '1'], fleet);
    assert.match(service.stdout, /^\[c1\/pod\/web-[ab]\/main\] web-[ab] 11$/m);
    assert.match(service.stderr, /^c[12]: Found 2 pods, using pod\/web-[ab]$/m);
    const every = await runMc(['logs', 'svc/web', '--all-pods', '--tail=1'], fleet);
    assert.equal(every.stdout.split('\n').length, 5);
    const none = await runMc(['logs', '-l', 'app=none'], fleet);
    assert.deepEqual(none, {
      code: 0,
      stdout: '',
      stderr: 'No resources found in default namespace.\n',
    });
    const named = await runMc(['logs', 'c2:pod/web-a', 'c1:pod/db-0', '--tail=1'], fleet);
    assert.deepEqual(named.stdout.split('\n').sort(), [
      '',
      '[c1/pod/db-0/main] db-0 11',
      '[c2/pod/web-a/main] web-a 11',
    ]);
  });

  test('containers are chosen as kubectl chooses them, and the choice is told once', async () => {
    await using fleet = await startLogFleet({ members: 2 });
    for (const member of ['c1', 'c2']) {
      const containers = ['main', 'side'];
      await fleet.createPod(member, { name: 'two', containers, initContainers: ['first'] });
      const annotations = { 'kubectl.kubernetes.io/default-container': 'side' };
      await fleet.createPod(member, { name: 'preset', containers, annotations });
      for (const pod of ['two', 'preset']) {
        for (const container of ['main', 'side', 'first']) {
          fleet
            .kubelet(member)
            .log(pod, container)
            .write(at(1, `${container} says`));
        }
      }
    }
    const defaulted = await runMc(['logs', 'two'], fleet);
    assert.equal(defaulted.stderr, 'Defaulted container "main" out of: main, side, first (init)\n');
    assert.match(defaulted.stdout, /^\[c1\/pod\/two\/main\] main says$/m);
    const preset = await runMc(['logs', 'preset'], fleet);
    assert.match(preset.stdout, /^\[c2\/pod\/preset\/side\] side says$/m);
    assert.equal(preset.stderr, '');
    const chosen = await runMc(['logs', 'two', 'side', '--clusters=c1'], fleet);
    assert.equal(chosen.stdout, 'side says\n');
    const all = await runMc(['logs', 'two', '--all-containers', '--clusters=c1'], fleet);
    assert.equal(
      all.stdout,
      '[c1/pod/two/first] first says\n[c1/pod/two/main] main says\n[c1/pod/two/side] side says\n',
    );
    const wrong = await runMc(['logs', 'two', '-c', 'none'], fleet);
    assert.deepEqual(wrong, {
      code: 1,
      stdout: '',
      stderr: 'error: container none is not valid for pod two (in 2 clusters)\n',
    });
  });

  test('flags reach the servers, and namespaces are told apart', async () => {
    await using fleet = await startLogFleet({ members: 1 });
    for (const namespace of ['default', 'kube-system']) {
      await fleet.createPod('c1', { name: 'web', namespace, labels: { app: 'web' } });
    }
    const kubelet = fleet.kubelet('c1');
    kubelet.log('web').write(at(1, 'one'), at(2, 'two'), at(3, 'three'));
    kubelet.log('web', 'main', true).write(at(0, 'before'));
    const lines = async (...args: string[]) =>
      (await runMc(['logs', 'web', ...args], fleet)).stdout.replaceAll('\n', ' ').trim();
    assert.equal(await lines('--tail=2'), 'two three');
    assert.equal(await lines('--tail=0'), '');
    assert.equal(await lines('--since-time=2026-01-01T10:00:02Z'), 'two three');
    assert.equal(await lines('--limit-bytes=5'), 'one t');
    assert.equal(await lines('-p'), 'before');
    assert.equal(await lines('-p', '-f'), 'before');
    assert.equal(await lines('--timestamps', '--tail=1'), '2026-01-01T10:00:03.000000000Z three');
    await lines('--since=90s');
    assert.match(kubelet.asked.at(-1) ?? '', /sinceSeconds=90/);
    const all = await runMc(['logs', '-A', '-l', 'app=web', '--tail=1'], fleet);
    assert.equal(
      all.stdout,
      '[c1/default/pod/web/main] three\n[c1/kube-system/pod/web/main] three\n',
    );
    const both = await runMc(['logs', 'web', '-n', 'default,kube-system', '--tail=1'], fleet);
    assert.match(both.stdout, /^\[c1\/kube-system\/pod\/web\/main\] three$/m);
  });

  test('-o json is one object per line', async () => {
    await using fleet = await startLogFleet({ members: 2 });
    for (const member of ['c1', 'c2']) {
      await fleet.createPod(member, { name: 'web' });
      fleet
        .kubelet(member)
        .log('web')
        .write(at(1.5, `"quoted" ${member}`), at(2, ''));
    }
    const { stdout } = await runMc(['logs', 'web', '-o', 'json'], { ...fleet, terminal: true });
    const objects = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const names = { namespace: 'default', pod: 'web', container: 'main' };
    assert.equal(objects.length, 4);
    assert.deepEqual(
      objects.find((each) => 'cluster' in each && each.cluster === 'c2'),
      {
        cluster: 'c2',
        ...names,
        time: '2026-01-01T10:00:01.500000000Z',
        message: '"quoted" c2',
      },
    );
  });

  test('lines of all clusters are merged by their times', async () => {
    await using fleet = await startLogFleet({ members: 3 });
    const long = 'x'.repeat(400_000);
    const logs = {
      c1: [at(1, 'a'), at(4, 'd'), at(4, 'd again'), at(9, 'i')],
      c2: [at(2, 'b'), at(3, long), at(4, 'D'), at(8, 'h')],
      c3: [at(3.5, 'c'), at(5, 'e')],
    };
    for (const [member, lines] of Object.entries(logs)) {
      await fleet.createPod(member, { name: 'web', labels: { app: 'web' } });
      fleet
        .kubelet(member)
        .log('web')
        .write(...lines);
    }
    const args = ['logs', '-l', 'app=web', '--merge'];
    const { code, stdout, stderr } = await runMc(args, fleet);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/^\[(c\d)\/pod\/web\/main\] /, '$1 ')),
      ['c1 a', 'c2 b', `c2 ${long}`, 'c3 c', 'c1 d', 'c1 d again', 'c2 D', 'c3 e', 'c2 h', 'c1 i'],
    );
    const timed = await runMc([...args, '--timestamps', '--prefix=false', '--tail=1'], fleet);
    assert.deepEqual(
      timed.stdout,
      [
        '2026-01-01T10:00:05.000000000Z e',
        '2026-01-01T10:00:08.000000000Z h',
        '2026-01-01T10:00:09.000000000Z i\n',
      ].join('\n'),
    );
    await fleet.createPod('c2', { name: 'web-2', labels: { app: 'web' } });
    const most = await runMc([...args, '--max-total-log-requests', '3'], fleet);
    assert.equal(
      most.stderr,
      'error: you are attempting to merge 4 log streams, but maximum allowed concurrency is 3, use --max-total-log-requests to increase the limit\n',
    );
  });
});

describe('logs that cannot be read', () => {
  test('one cluster that fails costs its logs alone', async () => {
    await using fleet = await startLogFleet({ members: 2 });
    for (const member of ['c1', 'c2']) {
      await fleet.createPod(member, { name: 'web', labels: { app: 'web' } });
      fleet.kubelet(member).log('web').write(at(1, 'here'));
    }
    const text = 'container "main" in pod "web" is waiting to start: ContainerCreating';
    fleet.kubelet('c2').refuseWith({ code: 400, text });
    for (const args of [['web'], ['web', '--merge'], ['-l', 'app=web', '--merge']]) {
      const { code, stdout, stderr } = await runMc(['logs', ...args], fleet);
      assert.deepEqual([code, stdout], [3, '[c1/pod/web/main] here\n']);
      assert.match(stderr, /^Warning: Failed to query 1\/2 clusters/);
      assert.match(stderr, /c2: error: container "main" in pod "web" is waiting to start/);
    }
    const ignored = await runMc(['logs', 'web', '--ignore-errors'], fleet);
    assert.equal(ignored.code, 0);
    assert.match(ignored.stdout, /^\[c2\/pod\/web\/main\] error: container "main"/m);
    const json = await runMc(['logs', 'web', '--ignore-errors', '-o=json'], fleet);
    assert.ok(json.stdout.includes(`"container":"main","error":${JSON.stringify(text)}`));
    fleet.member('c2').answerWith(async () => refusalAnswer(500, 'InternalError', 'broken'));
    assert.equal((await runMc(['logs', 'web', '--ignore-errors'], fleet)).code, 3);
  });

  test('a log that is missing is a failure, although the pod is there', async () => {
    await using fleet = await startLogFleet({ members: 1 });
    await fleet.createPod('c1', { name: 'web' });
    fleet.kubelet('c1').refuseWith({ code: 404, text: 'gone' });
    const { code, stderr } = await runMc(['logs', 'web'], fleet);
    assert.equal(code, 1);
    assert.match(stderr, /c1: error: Cannot read the log of pod "web"/);
  });

  test('a cluster that says nothing is given up', async () => {
    await using fleet = await startLogFleet({ members: 2 });
    await fleet.createPod('c1', { name: 'web' });
    fleet.kubelet('c1').log('web').write(at(1, 'here'));
    fleet.member('c2').answerWith(() => new Promise(() => {}));
    const { code, stdout, stderr } = await runMc(
      ['logs', 'web', '--cluster-timeout', '300ms'],
      fleet,
    );
    assert.deepEqual([code, stdout], [3, '[c1/pod/web/main] here\n']);
    assert.match(stderr, /c2: timeout after 300ms/);
  });

  test('a workload without pods is waited for, and then absent', async () => {
    await using fleet = await startLogFleet({ members: 1 });
    await fleet.member('c1').client.create(SERVICES, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'default' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
    });
    const args = ['logs', 'svc/web', '--pod-running-timeout', '50ms'];
    assert.deepEqual(await runMc(args, fleet), {
      code: 1,
      stdout: '',
      stderr: 'error: timed out waiting for the condition\n',
    });
  });
});

test('what does not go together is refused in the words of kubectl, before anybody is asked', async () => {
  await using fleet = await startLogFleet({ members: 1 });
  fleet.forgetRequests();
  const usage = "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.";
  const refusals: readonly (readonly [args: string[], text: string])[] = [
    [[], usage],
    [['a', 'b', 'c'], usage],
    [['a', '-l', 'b=c'], 'only a selector (-l) or a POD name is allowed'],
    [
      ['a', '--all-containers', '-c', 'x'],
      '--all-containers=true should not be specified with container name x',
    ],
    [['a', 'x', '-c', 'x'], 'only one of -c or an inline [CONTAINER] arg is allowed'],
    [
      ['a', '--since=1s', '--since-time=2020-01-01T00:00:00Z'],
      'at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    [
      ['a', '--since-time=foo'],
      'parsing time "foo" as "2006-01-02T15:04:05Z07:00": cannot parse "foo" as "2006"',
    ],
    [['a', '--tail=-2'], '--tail must be greater than or equal to -1'],
    [['a', '--limit-bytes=-2'], '--limit-bytes must be greater than 0'],
    [['a', '--since=-2s'], '--since must be greater than 0'],
    [['a/b/c'], 'arguments in resource/name form may not have more than one slash'],
    [['a', '-f', '--merge'], '--merge and --follow are mutually exclusive'],
    [['a', '-A'], 'a resource cannot be retrieved by name across all namespaces'],
  ];
  for (const [args, text] of refusals) {
    const { code, stdout, stderr } = await runMc(['logs', ...args], fleet);
    assert.deepEqual([code, stdout], [1, '']);
    assert.ok(stderr.startsWith(`error: ${text}\n`), stderr);
  }
  assert.deepEqual(fleet.member('c1').requests, []);
  const configMap = await runMc(['logs', 'cm/kube-root-ca.crt', '-n', 'default'], fleet);
  assert.match(
    configMap.stderr,
    /^error: (cannot get the logs from \*v1.ConfigMap|error from server)/,
  );
});

const SERVICES = {
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
} as never;

/** The lines of each cluster, which stand together, in the order of clusters. */
function blocksOf(stdout: string): string[] {
  const blocks: { cluster: string; text: string }[] = [];
  for (const line of stdout.split('\n').slice(0, -1)) {
    const cluster = /^\[([^/]+)\//.exec(line)?.[1] ?? '';
    const last = blocks.at(-1);
    if (last?.cluster === cluster) last.text += `${line}\n`;
    else blocks.push({ cluster, text: `${line}\n` });
  }
  const sorted = blocks.toSorted((one, other) => (one.cluster < other.cluster ? -1 : 1));
  return sorted.map(({ text }) => text);
}
