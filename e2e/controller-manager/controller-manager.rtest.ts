// Unmodified kube-controller-manager, kube-scheduler and kwok on a real server and on ours. The long
// form, `npm run soak -- controller-manager`, repeats the rounds on ours for ten minutes.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Component } from '../../tools/real-kubernetes/components.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import { compareTools } from '../compare-tools.ts';
import { SIDES } from '../sides.ts';
import { errorLoops } from './error-loops.ts';
import { runRound } from './workloads.ts';

/** A cause may be logged so often: controllers retry what loses a race, a few times. */
const MOST_REPEATS = 10;
const soakSeconds = Number(process.env['FLOTILLA_CONTROLLER_MANAGER_SECONDS'] ?? 0);
const sides = soakSeconds > 0 ? SIDES.filter((name) => name === 'ours') : SIDES;

const clusters = await Promise.all(sides.map(startCluster));
after(() => Promise.all(clusters.map((cluster) => cluster[Symbol.asyncDispose]())));

describe('an unmodified kube-controller-manager with leader election', {
  concurrency: true,
}, () => {
  for (const cluster of clusters) {
    test(`makes pods of every workload, collects them and ends namespaces: ${cluster.side.name}`, async (t) => {
      const begun = performance.now();
      let [rounds, pods] = [0, 0];
      do {
        pods += (await runRound(cluster.api, `round-${rounds}`)).pods;
        rounds += 1;
      } while (performance.now() - begun < soakSeconds * 1000);

      for (const component of ['kube-controller-manager', 'kube-scheduler'] as const) {
        await assertLeads(cluster, component);
        assert.deepEqual(
          errorLoops(cluster.components.log(component), MOST_REPEATS),
          [],
          component,
        );
      }
      const seconds = Math.round((performance.now() - begun) / 1000);
      t.diagnostic(
        `figure: ${cluster.side.name}: ${rounds} rounds of 5 workloads, ${pods} pods, ${seconds} s, no error loop`,
      );
    });
  }

  test('kubectl rollout says the same on both servers', { skip: soakSeconds > 0 }, async () => {
    const sides = clusters.map(({ side }) => side);
    const folder = 'e2e/controller-manager';
    assert.equal(await compareTools({ folder, script: 'rollout', sides }), '');
  });
});

async function assertLeads({ api, components }: Cluster, component: Component): Promise<void> {
  const lease = await api.get(
    `/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/${component}`,
  );
  assert.equal(lease.code, 200);
  const age = Date.now() - Date.parse(lease.body.spec.renewTime);
  assert.ok(age < lease.body.spec.leaseDurationSeconds * 1000, `${component} lost its lease`);
  assert.equal(components.processes[component]?.ended(), undefined, `${component} has ended`);
}
