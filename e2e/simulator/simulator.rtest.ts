// The simulator on our server beside a real kube-apiserver with kube-controller-manager, kube-scheduler and kwok.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startCluster } from '../cluster.ts';
import { compareTools } from '../compare-tools.ts';
import { runRound } from '../controller-manager/workloads.ts';
import { startSimulatedSide } from './simulated-side.ts';
import { statusesOf } from './statuses.ts';

const [real, simulated] = await Promise.all([startCluster('real'), startSimulatedSide('ours')]);
after(async () => {
  await simulated[Symbol.asyncDispose]();
  await real[Symbol.asyncDispose]();
});

// At once: most of it is waiting for the next minute of a CronJob, and each has objects of its own.
describe('a simulated cluster', { concurrency: true }, () => {
  test('works on a real kube-apiserver as it does on ours', async () => {
    await using foreign = await startSimulatedSide('real');

    const { pods } = await runRound(foreign.api, 'round');

    assert.ok(pods > 0);
  });

  test('makes pods of every workload, collects them and ends namespaces', async () => {
    const { pods } = await runRound(simulated.api, 'round');

    assert.ok(pods > 0);
  });

  test('is the same to kubectl rollout as a real one', async () => {
    const sides = [real.side, simulated.side];
    const folder = 'e2e/controller-manager';
    const differences = 'e2e/simulator';
    assert.equal(await compareTools({ folder, script: 'rollout', differences, sides }), '');
  });

  test('reports of its workloads what kube-controller-manager does, field by field', async () => {
    const [wanted, got] = await Promise.all([
      statusesOf(real.api, 'statuses'),
      statusesOf(simulated.api, 'statuses'),
    ]);

    assert.deepEqual(got, wanted);
  });
});
