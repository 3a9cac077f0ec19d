import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseYaml } from '@flotilla/machinery';
import type { ExecProposal } from '../properties/exec-properties.ts';
import { testHome } from '../testing/routing.ts';
import { createTrustFile } from './trust-file.ts';

const LOGIN: ExecProposal = {
  command: 'my-auth',
  args: ['get-token', 'a b'],
  env: {},
  apiVersion: 'client.authentication.k8s.io/v1',
  interactiveMode: 'Never',
  provideClusterInfo: false,
};

function trustIn(path: string) {
  const warnings: string[] = [];
  return {
    warnings,
    file: createTrustFile({ path, now: () => 0, warn: (text) => void warnings.push(text) }),
  };
}

test('what was trusted once is trusted by later runs, and nothing that differs from it', async () => {
  using home = testHome();
  const path = join(home.folder, '.kube', 'kubectl-mc-trust.yaml');
  assert.equal(await trustIn(path).file.isTrusted(LOGIN), false);

  await trustIn(path).file.trust(LOGIN);
  await trustIn(path).file.trust({ ...LOGIN, command: '/opt/other' });

  const { file, warnings } = trustIn(path);
  assert.equal(await file.isTrusted(LOGIN), true);
  assert.equal(await file.isTrusted({ ...LOGIN, command: '/opt/other' }), true);
  assert.equal(await file.isTrusted({ ...LOGIN, args: ['get-token', 'a', 'b'] }), false);
  assert.equal(await file.isTrusted({ ...LOGIN, env: { A: '1' } }), false);
  assert.equal(await file.isTrusted({ ...LOGIN, command: '/tmp/my-auth' }), false);
  assert.deepEqual(warnings, []);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const { value } = parseYaml(readFileSync(path)) as { value: { commands: object[] } };
  assert.equal(value.commands.length, 2);
  assert.deepEqual(Object.keys(value.commands[0] ?? {}).sort(), [
    'args',
    'command',
    'sha256',
    'trustedAt',
  ]);
});

test('a trust file that others can write is not believed', async () => {
  using home = testHome();
  const path = join(home.folder, 'trust.yaml');
  await trustIn(path).file.trust(LOGIN);
  chmodSync(path, 0o666);

  const { file, warnings } = trustIn(path);

  assert.equal(await file.isTrusted(LOGIN), false);
  assert.match(
    warnings[0] ?? '',
    /^Cannot believe .*trust\.yaml: others can write it .*, so no command counts as trusted$/,
  );
});

test('a broken trust file trusts nothing and says so', async () => {
  using home = testHome();
  for (const text of ['{', 'commands: 3', '- a', 'commands: [{sha256: abc}, 7, null]', '']) {
    const path = home.file('broken.yaml', text);
    const { file, warnings } = trustIn(path);
    assert.equal(await file.isTrusted(LOGIN), false);
    assert.equal(warnings.length, text === '{' ? 1 : 0);
  }
});

test('what cannot be read is not written over', async () => {
  using home = testHome();
  const path = home.file('broken.yaml', '{ mine');
  const { file } = trustIn(path);

  await assert.rejects(file.trust(LOGIN), { message: /^Cannot read .*broken\.yaml: yaml: / });

  assert.equal(await file.isTrusted(LOGIN), true);
  assert.equal(readFileSync(path, 'utf8'), '{ mine');
});

test('a link to the file stays a link', async () => {
  using home = testHome();
  const target = home.file('dotfiles/trust.yaml', '');
  chmodSync(target, 0o600);
  const path = join(home.folder, 'trust.yaml');
  symlinkSync(target, path);

  await trustIn(path).file.trust(LOGIN);

  assert.match(readFileSync(target, 'utf8'), /my-auth/);
});
