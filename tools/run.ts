import { spawnSync } from 'node:child_process';

/** Runs a command with our output; ends the process with its code when it fails. */
export function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  const { status, error } = spawnSync(command, args, {
    cwd: FLOTILLA_ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs another of our TypeScript tools in a process of its own. */
export function runTool(tool: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): void {
  run(process.execPath, ['tools/with-install.mjs', `tools/${tool}.ts`, ...args], env);
}
