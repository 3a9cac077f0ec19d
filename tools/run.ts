import { spawnSync } from 'node:child_process';

/** Runs a command with our output; ends the process with its code when it fails. */
export function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  const status = statusOf(command, args, env);
  if (status !== 0) process.exit(status);
}

/** Runs a command with our output, for callers who go on when it fails. */
export function succeeds(command: string, args: readonly string[]): boolean {
  return statusOf(command, args, {}) === 0;
}

/** Runs another of our TypeScript tools in a process of its own. */
export function runTool(
  tool: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): void {
  run(process.execPath, ['tools/with-install.mjs', `tools/${tool}.ts`, ...args], env);
}

function statusOf(command: string, args: readonly string[], env: NodeJS.ProcessEnv): number {
  const { status, error } = spawnSync(command, args, {
    cwd: FLOTILLA_ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (error !== undefined) throw error;
  // A command that a signal ended has no status.
  return status ?? 1;
}
