import { spawn } from 'node:child_process';
import type { Command } from './script.ts';

const COMMAND_MS = 60_000;

/** Where commands run: a kubectl, whom it talks to, and a folder of its own. */
export interface Shell {
  readonly kubectl: string;
  readonly kubeconfig: string;
  readonly folder: string;
  /** A helm, for scripts that use it. */
  readonly helm?: string;
}

/** What a command printed. */
export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const TOOLS = 'kubectl() { "$KUBECTL" "$@"; }\nhelm() { "$HELM" "$@"; }\n';

/** Runs one command in a shell in which `kubectl` is the one of the comparison. */
export function runCommand(command: Command, shell: Shell): Promise<Output> {
  const child = spawn('sh', ['-c', `${TOOLS}${command.text}`], {
    cwd: shell.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: COMMAND_MS,
    env: {
      PATH: process.env['PATH'],
      HOME: shell.folder,
      KUBECONFIG: shell.kubeconfig,
      KUBECTL: shell.kubectl,
      HELM: shell.helm,
      TZ: 'UTC',
      LANG: 'C',
      TERM: 'dumb',
    },
  });
  const streams = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    streams.stdout += String(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    streams.stderr += String(chunk);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? -1, ...streams }));
  });
}
