// `flotilla up --fleet` as its users see it: through kubectl.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '@flotilla/testkit';
import { binaryPath } from '../../tools/real-kubernetes/binaries.ts';
import { startFlotilla, temporaryFolder } from '../robustness/flotilla-process.ts';

const patience = { withinMs: 120_000, everyMs: 200 };

test('kubectl finds the members of a fleet, their pods, their logs and their rollouts', async () => {
  using folder = temporaryFolder();
  await using fleet = await startFlotilla({ dataFolder: join(folder.path, 'data'), fleet: 2 });
  await eventually(() => fleet.output().includes('The fleet is up'), Boolean, patience);
  const kubectl = (...args: string[]): string => {
    const { stdout, stderr } = spawnSync(binaryPath('kubectl'), args, {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder.path, KUBECONFIG: fleet.kubeconfigFile },
    });
    return stdout === '' ? stderr : stdout;
  };

  assert.equal(kubectl('config', 'current-context'), 'hub\n');
  const registrations = await eventually(
    () => kubectl('get', 'clusterregistrations', '-A', '--no-headers'),
    (text) => (text.match(/ Ready /g) ?? []).length === 2,
    patience,
  );
  assert.match(registrations, /^vela-system +member-1 +member-1 +Ready +True/);
  await eventually(
    () => kubectl('get', 'clusterprofiles', '-A', '--no-headers'),
    (text) => /member-1/.test(text) && /member-2/.test(text),
    patience,
  );
  assert.match(kubectl('get', 'clustergateways', '--no-headers'), /member-1 .*\nmember-2 /);
  const member = (...args: string[]): string =>
    kubectl('--context', 'member-1', '-n', 'shop', ...args);
  assert.match(member('rollout', 'status', 'deployment/web'), /successfully rolled out/);
  assert.match(member('logs', 'deployment/web'), /starting web from shop\/web:/);
  member('set', 'image', 'deployment/web', 'web=shop/web:9');
  assert.match(
    member('rollout', 'status', 'deployment/web', '--timeout=60s'),
    /successfully rolled out/,
  );
  assert.match(member('rollout', 'history', 'deployment/web'), /\n2 /);
  assert.match(member('get', 'job', 'migrate-orders', '--no-headers'), /Complete +1\/1/);
  assert.match(member('exec', 'orders-db-0', '--', 'ls'), /^Error from server/);
  member('scale', 'statefulset/orders-db', '--replicas=3');
  assert.match(
    member('rollout', 'status', 'statefulset/orders-db', '--timeout=60s'),
    /partitioned roll out complete|rolling update complete 3 pods/,
  );
  assert.match(member('delete', 'deployment', 'cart', '--cascade=foreground'), /deleted/);
  assert.match(member('get', 'pods', '-l', 'app=cart'), /No resources found/);
});
