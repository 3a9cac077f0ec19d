// The real kubectl with a command that goes on, such as a watch.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { binaryPath } from '../../tools/real-kubernetes/binaries.ts';

/** A kubectl that goes on. */
export interface GoingKubectl {
  /** What it has printed so far. */
  readonly stdout: () => string;
  readonly stop: () => Promise<void>;
}

/** Starts it with a kubeconfig, in whose folder it is at home. */
export function startKubectl(args: readonly string[], kubeconfig: string): GoingKubectl {
  const env = { PATH: process.env['PATH'], HOME: dirname(kubeconfig), KUBECONFIG: kubeconfig };
  const child = spawn(binaryPath('kubectl'), args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  return {
    stdout: () => stdout,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}
