import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runMc } from '../../testing/run-mc.ts';
import { startFleet } from '../../testing/start-fleet.ts';
import { createWidget } from '../get/testing/objects.ts';

describe('kubectl mc api-versions', () => {
  test('has a plain line for what all serve, and a count for what some do', async () => {
    await using fleet = await startFleet({ members: 2 });
    await createWidget(fleet.member('c2').client, 'one', {});
    const { code, stdout, stderr } = await runMc(['api-versions'], fleet);

    const lines = stdout.trimEnd().split('\n');
    assert.ok(lines.includes('apps/v1'));
    assert.ok(lines.includes('v1'));
    assert.match(stdout, /^example\.com\/v1 +1\/2$/m);
    const names = lines.map((line) => line.split(' ')[0] ?? '');
    assert.deepEqual(names, names.toSorted());
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual([code, stderr], [0, '']);
  });

  test('--diff says where versions are missing, or that none is', async () => {
    await using fleet = await startFleet({ members: 2 });
    const same = await runMc(['api-versions', '--diff'], fleet);

    assert.deepEqual(same, {
      code: 0,
      stdout: '',
      stderr: 'All 2 clusters serve the same versions.\n',
    });
    await createWidget(fleet.member('c2').client, 'one', {});
    const { stdout } = await runMc(['api-versions', '--diff'], fleet);
    assert.match(stdout, /^APIVERSION +CLUSTERS +MISSING FROM\nexample\.com\/v1 +1\/2 +c1\n$/);
    const bare = await runMc(['api-versions', '--diff', '--no-headers'], fleet);
    assert.match(bare.stdout, /^example\.com\/v1 +1\/2 +c1\n$/);
  });

  test('asks anew each time, tells who failed, and takes no arguments', async () => {
    await using fleet = await startFleet({ members: 2 });
    await runMc(['api-versions'], fleet);
    fleet.forgetRequests();
    await fleet.member('c1').server.stop();
    const { code, stdout, stderr } = await runMc(['api-versions'], fleet);

    assert.notEqual(fleet.member('c2').requests.length, 0);
    assert.match(stdout, /^apps\/v1$/m);
    assert.match(stderr, /^Warning: Failed to query 1\/2 clusters/);
    assert.equal(code, 3);
    await fleet.member('c2').server.stop();
    const none = await runMc(['api-versions'], fleet);
    assert.deepEqual([none.code, none.stdout], [1, '']);
    assert.match(
      (await runMc(['api-versions', 'v1'])).stderr,
      /^error: unexpected arguments: \[v1\]\n/,
    );
  });
});
