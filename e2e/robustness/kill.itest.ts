import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './flotilla-process.ts';
import { killRounds } from './kill-rounds.ts';

const rounds = Number(process.env['FLOTILLA_KILL_ROUNDS'] ?? 3);
const seed = Number(process.env['FLOTILLA_SEED'] ?? 69);

test(`CP-69 ${rounds} kills under mixed writes lose no acknowledged write, and watches resume`, async (context) => {
  using folder = temporaryFolder();

  const { acknowledged, events, slowestRestartMs } = await killRounds({
    dataFolder: join(folder.path, 'data'),
    rounds,
    seed,
    ...(rounds > 10 ? { progress: (line) => context.diagnostic(line) } : {}),
  });

  context.diagnostic(
    `figure: kill -9: ${rounds} rounds, ${acknowledged} writes acknowledged, ${events} events, slowest restart ${slowestRestartMs} ms`,
  );
  assert.ok(acknowledged > rounds * 20, `only ${acknowledged} writes in ${rounds} rounds`);
});
