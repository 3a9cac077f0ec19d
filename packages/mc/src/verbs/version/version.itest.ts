import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseYaml } from '@flotilla/machinery';
import { runMc } from '../../testing/run-mc.ts';
import { startFleet } from '../../testing/start-fleet.ts';

test('every cluster has a row with its version', async () => {
  await using fleet = await startFleet({ members: 2 });
  const { code, stdout, stderr } = await runMc(['version'], fleet);
  assert.deepEqual([code, stderr], [0, '']);
  const [client, header, ...rows] = stdout.trimEnd().split('\n');
  assert.equal(client, 'Client Version: v0.1.0');
  assert.match(header ?? '', /^CLUSTER +SERVER +PLATFORM +SKEW$/);
  assert.equal(rows.length, 2);
  assert.match(rows[0] ?? '', /^c1 +v1\.\d+\.\d+\S* +\S+\/\S+ +0$/);
  assert.match(rows[1] ?? '', /^c2 +v1\.\d+/);

  const json = await runMc(['version', '-o', 'json'], fleet);
  const { clientVersion, clusters } = JSON.parse(json.stdout) as {
    clientVersion: { gitVersion: string };
    clusters: { cluster: string; status: string; serverVersion: { gitVersion: string } }[];
  };
  assert.equal(clientVersion.gitVersion, 'v0.1.0');
  assert.deepEqual(
    clusters.map(({ cluster, status }) => [cluster, status]),
    [
      ['c1', 'ok'],
      ['c2', 'ok'],
    ],
  );
  const yaml = await runMc(['version', '-o', 'yaml', '--client'], fleet);
  assert.deepEqual(parseYaml(yaml.stdout).value, { clientVersion });
});

test('MC-82 -v=8 shows headers, and the credential only as <redacted>', async () => {
  await using fleet = await startFleet({ members: 1 });
  const argv = ['version', '-v=8', '--token', 'very-secret-token'];
  const { code, stderr } = await runMc(argv, fleet);
  assert.equal(code, 1);
  assert.match(stderr, /c1: GET https:\S+\/version 401 /);
  assert.match(stderr, /\n {4}Authorization: <redacted>\n/);
  assert.doesNotMatch(stderr, /very-secret-token/);
});

test('a bare --refresh asks the hub and tells how many clusters it knows', async () => {
  await using fleet = await startFleet({ members: 2 });
  await runMc(['version'], fleet);
  fleet.forgetRequests();
  assert.deepEqual(await runMc(['--refresh'], fleet), {
    code: 0,
    stdout: 'Found 2 clusters\n',
    stderr: '',
  });
  assert.notEqual(fleet.hub.requests.length, 0);
});
