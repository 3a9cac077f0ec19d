import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { kubernetesVersion } from './go.ts';
import { startReal } from './start-real.ts';

const run = promisify(execFile);

test('tests with real servers run where there is loopback and nothing else', () => {
  assert.deepEqual(Object.keys(networkInterfaces()), ['lo']);
});

test('real kubectl reads the namespaces of a real server, which stops without a trace', async () => {
  const real = await startReal();
  const memory = real.memory();
  try {
    const kubectl = async (...args: string[]) =>
      (await run(real.kubectl, ['--kubeconfig', real.kubeconfig, ...args])).stdout;
    const names = await kubectl('get', 'namespaces', '-o', 'name');
    assert.deepEqual(names.trim().split('\n'), [
      'namespace/default',
      'namespace/kube-node-lease',
      'namespace/kube-public',
      'namespace/kube-system',
    ]);
    const version = JSON.parse(await kubectl('version', '-o', 'json'));
    assert.equal(version.serverVersion.gitVersion, kubernetesVersion());
    assert.equal(version.clientVersion.gitVersion, kubernetesVersion());
  } finally {
    await real.stop();
  }
  assert.deepEqual(Object.keys(memory), ['etcd', 'kube-apiserver']);
  assert.ok(Object.values(memory).every((bytes) => bytes > 10_000_000));
  for (const pid of Object.values(real.pids)) assert.equal(existsSync(`/proc/${pid}`), false);
  assert.equal(existsSync(real.kubeconfig), false);
});

test('only the named controllers run, and a disabled admission plug-in does not', async () => {
  const real = await startReal({
    controllers: ['serviceaccount-controller'],
    disableAdmissionPlugins: ['ServiceAccount'],
  });
  try {
    const kubectl = async (...args: string[]) =>
      (await run(real.kubectl, ['--kubeconfig', real.kubeconfig, ...args])).stdout;
    await kubectl('create', 'namespace', 'one');
    await kubectl('run', 'pod', '--image=image', '--namespace=one');
    await kubectl('wait', '--for=create', 'serviceaccount/default', '--namespace=one');
    const kept = await kubectl('get', 'configmaps,serviceaccounts', '-n', 'one', '-o', 'name');
    assert.equal(kept.trim(), 'serviceaccount/default');
    const pod = await kubectl('get', 'pod', 'pod', '-n', 'one', '-o', 'jsonpath={.spec.volumes}');
    assert.equal(pod, '');
  } finally {
    await real.stop();
  }
});

test('a server that cannot start says why', async () => {
  await assert.rejects(
    startReal({ extraFlags: ['--no-such-flag'] }),
    /Cannot start real kube-apiserver: exit 1\n(?:.*\n)*.*unknown flag: --no-such-flag/,
  );
});
