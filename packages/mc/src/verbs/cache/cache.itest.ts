import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runMc } from '../../testing/run-mc.ts';
import { startFleet } from '../../testing/start-fleet.ts';

test('what is kept can be seen and forgotten, and is asked for again', async () => {
  await using fleet = await startFleet({ members: 2 });
  const folder = join(fleet.homeFolder, '.kube/cache/kubectl-mc');
  const empty = await runMc(['cache', 'show'], fleet);
  assert.deepEqual(empty, { stdout: '', stderr: `Nothing is kept in ${folder}\n`, code: 0 });

  await runMc(['clusters'], fleet);
  mkdirSync(join(folder, 'credentials'));
  writeFileSync(join(folder, 'credentials/x.json'), '{"server":"s3cret","savedAt":1}');
  const { stdout } = await runMc(['cache', 'show'], fleet);
  const [header, inventory, credentials] = stdout.split('\n');
  assert.match(header ?? '', /^KIND +SERVER +CLUSTERS +AGE +SIZE +FILE$/);
  assert.match(inventory ?? '', /^inventory +https:\/\/127\.0\.0\.1:\d+ +2 +\d+s +\S+ +\S+\.json$/);
  assert.match(credentials ?? '', /^credentials +<none> +<none> /);
  assert.ok(!stdout.includes('s3cret'));
  const { stdout: json } = await runMc(['cache', 'show', '-o', 'json'], fleet);
  assert.equal((JSON.parse(json) as { files: unknown[] }).files.length, 2);

  const wrong = await runMc(['cache', 'clear', 'everything'], fleet);
  assert.match(wrong.stderr, /Cannot forget "everything"/);
  assert.equal(wrong.code, 1);
  assert.equal((await runMc(['cache', 'clear', 'inventory'], fleet)).stdout, 'Removed 1 file\n');
  assert.equal(existsSync(join(folder, 'credentials/x.json')), true);
  assert.equal((await runMc(['cache', 'clear'], fleet)).stdout, 'Removed 1 file\n');
  fleet.forgetRequests();
  await runMc(['clusters'], fleet);
  assert.equal(fleet.hub.requests.length, 1);
});
