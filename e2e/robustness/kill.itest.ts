import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectClient } from './client.ts';
import { crashWhileStarting, startFlotilla, temporaryFolder } from './flotilla-process.ts';
import { killRounds } from './kill-rounds.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
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
  assert.ok(acknowledged > rounds * 5, `only ${acknowledged} writes in ${rounds} rounds`);
});

test(`${rounds} kills at any moment of a start, the first one included, leave data that starts`, async (context) => {
  for (let round = 0; round < rounds; round++) {
    using folder = temporaryFolder();
    const options = { dataFolder: join(folder.path, 'data') };
    // Spread over the time a start takes; the first ones hit before anything is written.
    const at = (share: number): number => 60 + 200 * ((share + round / rounds) % 1);
    await crashWhileStarting(options, at(0));
    {
      await using first = await startFlotilla(options);
      using client = connectClient(first.target);
      const body = { metadata: { name: 'kept' } };
      assert.equal((await client.send(`POST ${PATH}`, { body })).status, 201);
    }
    await crashWhileStarting(options, at(0.5));
    await using second = await startFlotilla(options);
    using client = connectClient(second.target);
    assert.equal((await client.send(`GET ${PATH}/kept`)).status, 200);
  }
  context.diagnostic(`figure: kills while starting: ${2 * rounds}, each followed by a good start`);
});
