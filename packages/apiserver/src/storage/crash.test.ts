import assert from 'node:assert/strict';
import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type CrashRound, crashRounds } from './crash-rounds.ts';
import { runCrashWriter } from './crash-writer.ts';
import { seeded } from './storage-case-helpers.cases.ts';

const [, , role, childDir = '', childReports = '', childSeed = ''] = process.argv;

if (role === 'crash-writer' || role === 'crash-liar') {
  // This file is also the program that gets killed, so that no other need be built.
  const reports = openSync(childReports, 'a');
  let hasBegun = false;
  const report = (line: string) => {
    writeSync(reports, `${line}\n`);
    if (!hasBegun) writeSync(1, 'begun\n');
    hasBegun = true;
  };
  const random = seeded(Number(childSeed));
  const isLying = role === 'crash-liar';
  await runCrashWriter({ dir: childDir, now: Date.now, random, report, isLying });
}

const rounds = Number(process.env['FLOTILLA_CRASH_ROUNDS'] ?? 10);

async function inRounds(count: number, writer: string): Promise<CrashRound[]> {
  const root = mkdtempSync(join(tmpdir(), 'flotilla-crash-'));
  const dir = join(root, 'data');
  const reports = join(root, 'reports');
  const program = fileURLToPath(import.meta.url);
  try {
    return await crashRounds({
      dir,
      reports,
      rounds: count,
      now: Date.now,
      random: seeded(69),
      command: [process.execPath, program, writer, dir, reports, String(count)],
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

it(`CP-69 survives ${rounds} kills without losing an acknowledged write`, async (context) => {
  const seen = await inRounds(rounds, 'crash-writer');
  const acknowledged = seen.reduce((sum, round) => sum + round.acknowledged, 0);
  const durable = seen.reduce((sum, round) => sum + round.durable, 0);
  context.diagnostic(`${acknowledged} writes acknowledged, ${durable} found`);
  assert.equal(seen.length, rounds);
  assert.ok(acknowledged > rounds, `only ${acknowledged} writes in ${rounds} rounds`);
});

it('notices a writer that acknowledges what is not durable yet', async () => {
  await assert.rejects(inRounds(20, 'crash-liar'), /The acknowledged write \d+ of "\w+" is lost/);
});
