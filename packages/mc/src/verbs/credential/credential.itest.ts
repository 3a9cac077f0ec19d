import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { printsToken } from '../../access/testing/routing.ts';
import { runMc } from '../../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../../testing/start-fleet.ts';

const V1 = 'client.authentication.k8s.io/v1';
const info = (apiVersion: string) =>
  JSON.stringify({ kind: 'ExecCredential', apiVersion, spec: { interactive: false } });

const credential = (fleet: TestFleet, env: Record<string, string> = {}, name = 'c1') =>
  runMc(['credential', '--cluster', name], { homeFolder: fleet.homeFolder, env });

/** Has all contexts, the hub's too, log in by a command that counts its calls. */
function loginByCommand(fleet: TestFleet, body: string): { calls: () => string } {
  const folder = join(fleet.homeFolder, 'bin');
  const callsFile = join(fleet.homeFolder, 'calls');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'login'), `#!/bin/sh\necho call >> '${callsFile}'\n${body}\n`);
  chmodSync(join(folder, 'login'), 0o755);
  const text = readFileSync(fleet.kubeconfigFile, 'utf8');
  const exec = `exec: {apiVersion: ${V1}, command: ${join(folder, 'login')}, interactiveMode: Never}`;
  writeFileSync(fleet.kubeconfigFile, text.replace('token: admin', exec));
  return { calls: () => readFileSync(callsFile, 'utf8') };
}

test('both versions of the protocol are spoken, the newer one to those who ask for none', async () => {
  await using fleet = await startFleet({ members: 1 });

  for (const [env, apiVersion] of [
    [{}, V1],
    [{ KUBERNETES_EXEC_INFO: info(V1) }, V1],
    [{ KUBERNETES_EXEC_INFO: info(`${V1}beta1`) }, `${V1}beta1`],
  ] as const) {
    const { code, stdout, stderr } = await credential(fleet, env);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(JSON.parse(stdout), {
      kind: 'ExecCredential',
      apiVersion,
      status: { token: 'admin' },
    });
  }
  for (const text of [info(`${V1}alpha1`), '{', '[]']) {
    const { code, stdout, stderr } = await credential(fleet, { KUBERNETES_EXEC_INFO: text });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /KUBERNETES_EXEC_INFO asks for neither/);
  }
  assert.equal(fleet.member('c1').requests.length, 0);
});

test('a cluster that nobody knows, or that nothing leads to, gives no credential', async () => {
  await using fleet = await startFleet({ members: 1 });
  writeFileSync(
    fleet.mappingFile,
    readFileSync(fleet.mappingFile, 'utf8').replace('context: c1', 'context: gone'),
  );

  for (const [name, message] of [
    ['x', /"x"/],
    ['', /credential needs --cluster NAME/],
    ['c1', /^error: Cannot get a credential for "c1": .* maps "c1" to context "gone"/],
  ] as const) {
    const { code, stdout, stderr } = await credential(fleet, {}, name);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, message);
  }
});

test('how long the credential lasts is told, and what the helper says is not', async () => {
  await using fleet = await startFleet({ members: 1 });
  loginByCommand(
    fleet,
    `echo noise >&2; ${printsToken('admin', { expires: '2126-01-01T00:00:00Z', version: 'v1' })}`,
  );

  const { code, stdout, stderr } = await credential(fleet);

  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(JSON.parse(stdout).status, {
    token: 'admin',
    expirationTimestamp: '2126-01-01T00:00:00Z',
  });
});

test('with the cache on disk, one run of a helper serves many calls', async () => {
  await using fleet = await startFleet({ members: 1 });
  const { calls } = loginByCommand(
    fleet,
    printsToken('admin', { expires: '2126-01-01T00:00:00Z', version: 'v1' }),
  );
  const env = { KUBECTL_MC_ACCESS_DISKCACHE: 'true' };

  await credential(fleet, env);
  const after = calls();
  await credential(fleet, env);

  assert.equal(calls(), after);
});

test('a kubeconfig that leads round in a circle ends', async () => {
  await using fleet = await startFleet({ members: 1 });

  const { code, stderr } = await credential(fleet, { KUBECTL_MC_CREDENTIAL_DEPTH: '3' });

  assert.equal(code, 1);
  assert.match(stderr, /leads back to kubectl-mc credential/);
});
