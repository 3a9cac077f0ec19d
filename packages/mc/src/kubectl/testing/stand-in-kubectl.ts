import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program that is run in place of kubectl. */
export interface StandIn extends Disposable {
  /** Has it found. */
  readonly env: Readonly<Record<string, string>>;
  /** Where it works: `$folder` in its script. */
  readonly folder: string;
  /** What it wrote to a file there; empty when there is none. */
  readonly read: (name: string) => string;
}

/**
 * Writes a shell script that is run in place of kubectl, for what no real one does on command: to hang, to fail, to
 * print half a line. `$cluster` is the context that it would work on; calls are listed in the file `calls`.
 */
export function standInKubectl(script: string): StandIn {
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-kubectl-'));
  const path = join(folder, 'kubectl');
  const lines = [
    '#!/bin/sh',
    `folder='${folder}'`,
    'cluster=$(sed -n "s/^current-context: //p" "$KUBECONFIG")',
    'echo "$cluster $*" >> "$folder/calls"',
    script,
  ];
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o700 });
  const read = (name: string): string => {
    const file = join(folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  return {
    env: { KUBECTL_PATH: path },
    folder,
    read,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Whether a process is still there. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
