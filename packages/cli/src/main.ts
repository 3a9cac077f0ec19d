import { randomInt } from 'node:crypto';
import { accessSync, constants, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { addClusterCommands } from './cluster/command.ts';
import { namedCommand } from './help-hint.ts';
import { addHubCommand } from './hub/command.ts';
import type { Io } from './io.ts';
import { keepHeapLean } from './lean-heap.ts';
import type { UpFlags } from './up/config.ts';
import { UsageError } from './usage-error.ts';
import { VERSION } from './version.ts';

/** Spreads retries; nothing secret comes of it. */
const random = (): number => randomInt(2 ** 47) / 2 ** 47;

const stop = new AbortController();
let signals = 0;
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    signals += 1;
    if (signals > 1) process.exit(name === 'SIGINT' ? 130 : 143);
    stop.abort();
  });
}

const io: Io = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  env: process.env,
  homeFolder: process.env['HOME'] ?? homedir(),
  signal: stop.signal,
  isTerminal: process.stdout.isTTY === true,
  ask,
};

const program = new Command('flotilla')
  .description('Run a fleet of Kubernetes clusters from one hub')
  .version(VERSION)
  .exitOverride()
  .showSuggestionAfterError();

program
  .command('up')
  .description('Start a hub with a fleet of simulated members in the foreground')
  .option('--data <dir>', 'where everything is kept (default: ~/.flotilla)')
  .option('--port <n>', 'port to listen on; 0 takes a free one (default: 6443)')
  .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
  .option('--advertise-address <ip>', 'address other machines reach the server at')
  .option('--service-cidr <network>', 'network of cluster IPs (default: 10.0.0.0/16)')
  .option(
    '--fleet <n>',
    'simulated members to run and join; 0 for none (default: 3, or 0 with another --host)',
  )
  .option('--simulate', 'give the hub a simulated node too, so that pods run there')
  .option(
    '--disable-controllers <names>',
    'built-in controllers to leave out, with commas between; hub leaves an API server alone',
  )
  .option('--exec-profiles <file>', "commands that members' kubeconfigs may name")
  .option('--kubeconfig <file>', 'where to write the admin kubeconfig (default: <data>/kubeconfig)')
  .action(async (flags: UpFlags) => {
    const [{ upConfig }, { realPath }, { up }] = await Promise.all([
      import('./up/config.ts'),
      import('./up/real-path.ts'),
      import('./up/up.ts'),
    ]);
    const execProfiles =
      flags.execProfiles === undefined
        ? []
        : (await import('./exec-profiles.ts')).readExecProfiles(flags.execProfiles, readText);
    const { homeFolder } = io;
    const config = upConfig(flags, { homeFolder, cwd: process.cwd(), realPath, execProfiles });
    if (!config.isPlain) keepHeapLean();
    process.exitCode = await up(config, { io, random });
  });

program
  .command('envtest')
  .description("Stand-ins for the programs that Go's envtest starts")
  .command('path')
  .description('Print the folder to set KUBEBUILDER_ASSETS to')
  .action(async () => {
    const { assetsPath } = await import('./envtest/path.ts');
    const folder = fileURLToPath(new URL('../../envtest', import.meta.url));
    io.out(`${assetsPath(folder, isExecutable)}\n`);
  });

addHubCommand(program, {
  io,
  random,
  setExitCode: (code) => {
    process.exitCode = code;
  },
});

addClusterCommands(program, {
  io,
  random,
  setExitCode: (code) => {
    process.exitCode = code;
  },
});

try {
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = report(error);
}

/** Nobody sits at a pipe that has ended; the caller says what to do instead of answering. */
async function ask(question: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  try {
    return await Promise.race([lines.question(question, { signal: stop.signal }), ended]);
  } finally {
    lines.close();
  }
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function report(error: unknown): number {
  // Commander has printed its message already; help and version are no failures.
  if (error instanceof CommanderError) return error.exitCode;
  if (error instanceof UsageError) {
    // In a checkout there is no `flotilla` on the PATH.
    const isStart = io.env['npm_lifecycle_event'] === 'start';
    const command = isStart ? 'npm start --' : namedCommand(program, process.argv.slice(2));
    io.err(`${error.message}\nRun "${command} --help" for the flags\n`);
    return 1;
  }
  io.err(`${error instanceof Error ? error.message : String(error)}\n`);
  if (process.env['FLOTILLA_DEBUG'] !== undefined && error instanceof Error) {
    io.err(`${error.stack ?? ''}\n`);
  }
  return 1;
}
