import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../compare.ts';

/** What one run of a command took: user and system time of it and of all that it started, on the clock and in all. */
export interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Processor time of the servers meanwhile. */
  readonly serversMs: number;
}

/** A command with the environment it has. */
export interface Command {
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** bash counts those that its children waited for, too. */
const TIMED = 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>&1';

/** Tells how much processor time the servers have used so far. */
export type ServersCpu = () => number;

/** Runs a command to its end, its output going nowhere. */
export function measure({ words, env }: Command, serversCpu: ServersCpu): Cost {
  const before = serversCpu();
  const { stderr, error, status } = spawnSync('bash', ['-c', TIMED, 'bash', ...words], {
    encoding: 'utf8',
    env,
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`Cannot measure "${words.join(' ')}": exit code ${status}`);
  const [wall = 0, user = 0, system = 0] = stderr.trim().split(' ').map(Number);
  return {
    wallMs: wall * 1000,
    cpuMs: (user + system) * 1000,
    serversMs: serversCpu() - before,
  };
}

/**
 * Runs all commands some times, in turns and each time in another order, so that a slow minute of the machine is slow for
 * all of them. The medians, by name.
 */
export function measureInTurns(
  commands: ReadonlyMap<string, Command>,
  turns: number,
  serversCpu: ServersCpu,
) {
  const costs = new Map<string, Cost[]>([...commands.keys()].map((name) => [name, []]));
  for (let turn = 0; turn < turns; turn += 1) {
    const order = [...commands];
    const first = order.splice(0, turn % order.length);
    for (const [name, command] of [...order, ...first]) {
      costs.get(name)?.push(measure(command, serversCpu));
    }
  }
  return (name: string): Cost => {
    const all = costs.get(name) ?? [];
    if (all.length === 0) throw new Error(`Nothing was measured of "${name}"`);
    return {
      wallMs: median(all.map(({ wallMs }) => wallMs)),
      cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
      serversMs: median(all.map(({ serversMs }) => serversMs)),
    };
  };
}

/** How many lines a command prints. */
export function countLines({ words: [program = '', ...args], env }: Command): number {
  const { stdout, stderr, status } = spawnSync(program, args, {
    encoding: 'utf8',
    env,
    maxBuffer: 256 << 20,
  });
  if (status !== 0) {
    throw new Error(`Cannot use "${program}": exit code ${status}: ${stderr.slice(0, 500)}`);
  }
  return stdout.trimEnd().split('\n').length;
}

/** The most that was ever resident of a program that is a script of Node: its VmHWM when it ends. */
export function peakMbOf(command: Command, folder: string): { mb: number; lines: number } {
  const hook = join(folder, 'peak.cjs');
  const result = join(folder, 'peak.txt');
  writeFileSync(
    hook,
    `process.on('exit', () => {
      const fs = require('node:fs');
      // Files of /proc have no length, by which a copy would be empty.
      fs.writeFileSync(${JSON.stringify(result)}, fs.readFileSync('/proc/self/status'));
    });`,
  );
  const env = { ...command.env, NODE_OPTIONS: `--require=${hook}` };
  const lines = countLines({ ...command, env });
  const mb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(result, 'utf8'))?.[1]) / 1024;
  if (!(mb > 0)) throw new Error('Cannot read how much memory was resident');
  return { mb, lines };
}
