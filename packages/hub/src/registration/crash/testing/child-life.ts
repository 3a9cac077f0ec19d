import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfigFor } from '../../testing/builders.ts';
import type { StartLife } from './life.ts';

const LAUNCHER = join('packages', 'cli', 'bin', 'flotilla.mjs');

/** Runs `flotilla hub` in a process of its own, which a kill really kills; `access` has to lead through the gate. */
export const startChild: StartLife = ({ access }) => {
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-kill-'));
  const kubeconfigFile = join(folder, 'kubeconfig');
  writeFileSync(kubeconfigFile, kubeconfigFor(access));
  // What becomes of the inventory is no part of this, and would make every outcome depend on when it is looked at.
  const flags = ['--kubeconfig', kubeconfigFile, '--allow-loopback', '--no-inventory'];
  const child = spawn(process.execPath, [LAUNCHER, 'hub', ...flags], {
    cwd: FLOTILLA_ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: withoutTestRunner(process.env),
  });
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  let isToEnd = false;
  const gone = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('exit', killAtExit);
      rmSync(folder, { recursive: true, force: true });
      if (isToEnd && (code === 0 || signal === 'SIGKILL')) resolve();
      else reject(new Error(`Cannot go on: flotilla hub ended with ${code ?? signal}: ${said}`));
    });
  });
  // Whoever waits for it hears of it.
  gone.catch(() => {});
  return {
    end: async () => {
      isToEnd = true;
      child.kill('SIGTERM');
      await gone;
    },
    kill: () => {
      isToEnd = true;
      child.kill('SIGKILL');
    },
    gone,
  };
};

/** node:test tells its children to report to it. */
function withoutTestRunner(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _reports, NODE_EXTRA_CA_CERTS: _slow, ...rest } = env;
  return rest;
}
