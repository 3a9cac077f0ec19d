import { systemClock } from '@flotilla/machinery';
import { run } from '../../run.ts';

/** Runs `kubectl mc ARGV` as this process: for test files that are also the program that a kubeconfig names. */
export async function runAsProgram(argv: readonly string[]): Promise<void> {
  const { env, stdin } = process;
  process.exitCode = await run(argv, {
    out: async (text) => {
      process.stdout.write(text);
      await Promise.resolve();
    },
    err: (text) => void process.stderr.write(text),
    stdin,
    env,
    homeFolder: env['HOME'] ?? '',
    cwd: process.cwd(),
    clock: systemClock,
    random: () => 0.5,
    signal: new AbortController().signal,
    terminal: { out: false, err: false, in: false },
    columns: 80,
    ask: async () => await Promise.resolve(undefined),
  });
}
