// The Go test beside this file: an unmodified envtest of controller-runtime, on our programs and on the real ones.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { after, describe, test } from 'node:test';
import { binaryPath } from '../../tools/real-kubernetes/binaries.ts';
import { ASSETS, MODULE, PROGRAM } from './program.ts';

const SIDES = { real: dirname(binaryPath('kube-apiserver')), ours: ASSETS } as const;
const WITHIN_MS = 180_000;

const outcomes = new Map<string, readonly string[]>();
after(() => outcomes.clear());

describe('envtest', () => {
  for (const [side, assets] of Object.entries(SIDES)) {
    test(`starts, installs CRDs, adds users and stops: ${side}`, async (t) => {
      const { code, output } = await runTest(assets);
      outcomes.set(side, [...output.matchAll(/^--- \w+: \w+/gm)].map(String));
      assert.equal(code, 0, output.slice(-8_000));
      for (const [, figure] of output.matchAll(/^envtest: (.*)$/gm)) {
        t.diagnostic(`figure: ${side}: ${figure}`);
      }
    });
  }
});

test('the same tests ran on both', () => {
  assert.ok((outcomes.get('real')?.length ?? 0) > 5);
  assert.deepEqual(outcomes.get('ours'), outcomes.get('real'));
});

/** Without the network: all that Go needs was compiled before. */
function runTest(assets: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(PROGRAM, ['-test.v', '-test.timeout=150s'], {
    cwd: MODULE,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: WITHIN_MS,
    env: { PATH: process.env['PATH'], KUBEBUILDER_ASSETS: assets, ENVTEST_OUTPUT: '' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += String(chunk);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
