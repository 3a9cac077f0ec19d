// The Go program beside this file on a real server and on ours. The long form, `npm run soak --
// controller-runtime`, runs it on ours for an hour.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, describe, test } from 'node:test';
import { BUILT_IN, SIDES, type Side, startSide } from '../sides.ts';
import { PROGRAM } from './program.ts';

const soakSeconds = Number(process.env['FLOTILLA_CONTROLLER_RUNTIME_SECONDS'] ?? 0);
const names = soakSeconds > 0 ? SIDES.filter((name) => name === 'ours') : SIDES;

const sides = await Promise.all(names.map((name) => startSide(name, { controllers: BUILT_IN })));
after(() => Promise.all(sides.map((side) => side.stop())));

const printed = new Map<string, string>();

describe('a controller of controller-runtime', { concurrency: true }, () => {
  for (const side of sides) {
    test(`CP-58 creates, applies, patches status, finalizes, owns, watches and fails over: ${side.name}`, async (t) => {
      const { code, stdout, stderr } = await runProgram(side);
      printed.set(side.name, stdout);
      assert.equal(code, 0, `${stdout}\n${stderr.slice(-4_000)}`);
      for (const [, figure] of stderr.matchAll(/^figure: (.*)$/gm)) {
        t.diagnostic(`figure: ${side.name}: ${figure}`);
      }
    });
  }
});

test('the program says the same on both servers', { skip: soakSeconds > 0 }, () => {
  assert.equal(printed.get('ours'), printed.get('real'));
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runProgram(side: Side): Promise<Ended> {
  const args = ['--kubeconfig', side.kubeconfig, '--seconds', String(soakSeconds)];
  const child = spawn(PROGRAM, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: (soakSeconds + 300) * 1000,
  });
  const streams = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk: Buffer) => {
      streams[name] += String(chunk);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...streams }));
  });
}
