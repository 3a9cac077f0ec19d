import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseYaml } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';
import { readMapping } from '../../settings/mapping-file.ts';
import { profileOf, storeProfiles } from '../../testing/profiles.ts';
import { runMc } from '../../testing/run-mc.ts';
import { startFleet } from '../../testing/start-fleet.ts';

const SETUP = '--setup-until-killed';
const CLUSTERS = Array.from({ length: 60 }, (_, index) => `far-${String(index).padStart(2, '0')}`);

// What the processes do that are killed below: answer every question, in the home folder they are given.
const [, , mode, homeFolder] = process.argv;
if (mode === SETUP && homeFolder !== undefined) {
  process.on('disconnect', () => process.exit());
  const answers = CLUSTERS.map(() => 'hub');
  await runMc(['setup', '--provider=none'], { homeFolder, terminal: true, answers });
  process.send?.('done');
  process.exit();
}

test('MC-76 kill -9 during setup leaves the mapping as it was or as it is with one answer more', async () => {
  await using fleet = await startFleet({ members: 0, mapping: false });
  await storeProfiles(
    fleet.hub.client,
    CLUSTERS.map((name) => profileOf({ name })),
  );
  const { mappingFile } = fleet;
  writeFileSync(mappingFile, '# mine\nclusters:\n- {name: mine, context: hub, color: red}\n');
  const count = () =>
    (parseYaml(readFileSync(mappingFile, 'utf8')).value as { clusters: unknown[] }).clusters.length;

  let before = 1;
  for (let turn = 0; turn < 4 && before <= CLUSTERS.length; turn += 1) {
    const child = fork(fileURLToPath(import.meta.url), [SETUP, fleet.homeFolder], {
      stdio: 'ignore',
    });
    // Whatever is read meanwhile is whole, too.
    await eventually(count, (found) => found > before, { withinMs: 30_000 });
    for (let wait = 0; wait < turn * 2; wait += 1) await new Promise(setImmediate);
    child.kill('SIGKILL');
    await once(child, 'exit');

    const { clusters } = await readMapping(mappingFile);
    assert.ok(clusters.length > before);
    assert.deepEqual(
      clusters.map(({ name }) => name),
      ['mine', ...CLUSTERS.slice(0, clusters.length - 1)],
    );
    assert.match(readFileSync(mappingFile, 'utf8'), /^# mine\n[\s\S]*color: red/);
    before = clusters.length;
  }

  const { code } = await runMc(['setup', '--provider=none'], {
    ...fleet,
    terminal: true,
    answers: CLUSTERS.map(() => 'hub'),
  });
  assert.equal(code, 0);
  assert.equal(count(), CLUSTERS.length + 1);
  assert.equal(existsSync(`${mappingFile}.lock`), false);
});
