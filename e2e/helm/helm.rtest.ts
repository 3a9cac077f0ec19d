// Helm installs, upgrades, rolls back and uninstalls the chart beside this file on a real server and
// on ours, both with a controller manager, a scheduler and nodes, and prints the same.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startCluster } from '../cluster.ts';
import { compareTools } from '../compare-tools.ts';
import { SIDES } from '../sides.ts';

const clusters = await Promise.all(SIDES.map(startCluster));
after(() => Promise.all(clusters.map((cluster) => cluster[Symbol.asyncDispose]())));

test('CP-57 a chart with CRDs and hooks is installed, upgraded, rolled back and uninstalled without a trace', async () => {
  const sides = clusters.map(({ side }) => side);
  assert.equal(await compareTools({ folder: 'e2e/helm', script: 'release', sides }), '');
});
