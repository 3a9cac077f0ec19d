// The programs as users have them: the real kubectl, and beside it on the PATH the built kubectl-mc and
// kubectl_complete-mc.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { startFleet, type TestFleet } from '../../packages/mc/src/testing/start-fleet.ts';
import { createPod } from '../../packages/mc/src/verbs/get/testing/objects.ts';
import { buildMc } from '../../tools/build-mc.mjs';
import { binaryPath } from '../../tools/real-kubernetes/binaries.ts';
import type { Printed } from './mc-side.ts';

const folder = mkdtempSync(join(tmpdir(), 'flotilla-plugin-'));
const bin = join(folder, 'bin');
let fleet: TestFleet;

before(async () => {
  const built = await buildMc(join(folder, 'built'));
  mkdirSync(bin);
  symlinkSync(built, join(bin, 'kubectl-mc'));
  symlinkSync(join(dirname(built), 'kubectl_complete-mc.mjs'), join(bin, 'kubectl_complete-mc'));
  symlinkSync(binaryPath('kubectl'), join(bin, 'kubectl'));
  fleet = await startFleet({ members: ['prod-1', 'prod-2', 'test-1'] });
  for (const { client, name } of fleet.members) await createPod(client, `web-${name}`);
});
after(async () => {
  await fleet[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs one of the programs as the user of the fleet. */
function run(program: string, ...args: string[]): Promise<Printed> {
  const env = {
    HOME: fleet.homeFolder,
    PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    LANG: 'C',
    TERM: 'dumb',
  };
  return new Promise((resolve) => {
    execFile(join(bin, program), args, { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

const requests = () =>
  [fleet.hub, ...fleet.members].flatMap(({ name, requests: seen }) =>
    seen.map(({ method, path }) => `${name}: ${method} ${path}`),
  );

test('kubectl finds the plugin, and hands on its output and its exit code', async () => {
  const { code, stdout, stderr } = await run('kubectl', 'mc', 'get', 'pods', '-o', 'name');

  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(stdout, 'prod-1:pod/web-prod-1\nprod-2:pod/web-prod-2\ntest-1:pod/web-test-1\n');
  const none = await run('kubectl', 'mc', 'get', 'pod', 'none');
  assert.equal(none.code, 1);
  assert.equal(
    none.stderr,
    'Error from server (NotFound): pods "none" not found (in 3 clusters)\n',
  );
  const list = await run('kubectl', 'plugin', 'list');
  assert.deepEqual([list.code, list.stderr], [0, '']);
  assert.match(list.stdout, /\/kubectl-mc$/m);
});

test('MC-80 a flag before mc is refused by kubectl itself, and works behind it', async () => {
  const refused = await run('kubectl', '--context', 'prod-1', 'mc', 'get', 'pods');

  assert.equal(refused.code, 1);
  assert.equal(refused.stdout, '');
  assert.match(refused.stderr, /flags cannot be placed before plugin name: --context\n/);

  const own = await run('kubectl', '--context', 'prod-1', 'get', 'pods', '-o', 'name');
  assert.equal(own.stdout, 'pod/web-prod-1\n');
  const plugin = await run('kubectl', 'mc', '--context', 'prod-1', 'get', 'pods', '-o', 'name');
  assert.deepEqual([plugin.code, plugin.stderr], [0, '']);
  assert.equal(plugin.stdout, 'prod-1:pod/web-prod-1\n');
});

test('MC-78 kubectl completes verbs, types and clusters behind mc from the cache, and asks nobody', async () => {
  // What a user did before, by which everything is kept.
  await run('kubectl', 'mc', 'get', 'pods');
  await run('kubectl', 'mc', 'api-resources');
  fleet.forgetRequests();

  const verbs = await completed('');
  assert.ok(verbs.values.includes('get') && verbs.values.includes('logs'));
  assert.ok(verbs.values.includes('doctor'));
  const types = await completed('get', 'po');
  assert.ok(types.values.includes('pods'));
  assert.ok(types.values.every((value) => value.startsWith('po')));
  const clusters = await completed('get', 'pods', '--clusters=pr');
  assert.deepEqual(clusters.values, ['prod-1', 'prod-2']);
  assert.deepEqual(requests(), []);
});

test('MC-78 names are asked for once, and then known for a while', async () => {
  const first = await completed('get', 'pods', 'web');
  assert.deepEqual(first.values, ['web-prod-1', 'web-prod-2', 'web-test-1']);
  fleet.forgetRequests();

  assert.deepEqual(await completed('get', 'pods', 'web'), first);
  assert.deepEqual(requests(), []);
});

/** What kubectl offers behind `mc`; the same as its helper says, and nothing of files. */
async function completed(...words: string[]): Promise<{ lines: string[]; values: string[] }> {
  const shown = await run('kubectl', '__complete', 'mc', ...words);
  assert.equal(shown.code, 0);
  const lines = shown.stdout.trimEnd().split('\n');
  assert.equal(lines.pop(), ':4');
  const helper = await run('kubectl_complete-mc', ...words);
  assert.deepEqual([helper.code, helper.stderr], [0, '']);
  assert.equal(helper.stdout, shown.stdout);
  return { lines, values: lines.map((line) => line.split('\t')[0] ?? '') };
}
