// One server, asked by the real kubectl and by `kubectl mc`, and what both print.
import assert from 'node:assert/strict';
import { runMc } from '../../packages/mc/src/testing/run-mc.ts';
import { binaryPath } from '../../tools/real-kubernetes/binaries.ts';
import { type Tool, tool } from '../gateway/kubectl.ts';
import type { Side } from '../sides.ts';

/** What a command printed. */
export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Both programs on one server. */
export interface McSide extends AsyncDisposable {
  readonly kubectl: (args: readonly string[]) => Promise<Printed>;
  /** As `kubectl mc` on that one cluster. */
  readonly mc: (args: readonly string[]) => Promise<Printed>;
}

/** Ages go on between two commands; after so many tries they are not the reason. */
const TRIES = 25;

/** Prepares both programs. */
export function mcSide(side: Side): McSide {
  const kubectl: Tool = tool(binaryPath('kubectl'), side);
  return {
    kubectl: (args) => kubectl.run(args),
    mc: (args) => runMc(['--context', 'hub', ...args], { kubeconfig: kubectl.kubeconfig }),
    [Symbol.asyncDispose]: () => kubectl[Symbol.asyncDispose](),
  };
}

/** Fails unless both print the same, to the byte, and end with the same code. `adapt` changes what ours printed first. */
export async function assertSame(
  { kubectl, mc }: McSide,
  { args, ours = [], adapt = (text) => text }: Comparison,
): Promise<void> {
  let wanted: Printed = { code: 0, stdout: '', stderr: '' };
  let got = wanted;
  for (let tries = 0; tries < TRIES; tries++) {
    wanted = await kubectl(args);
    const printed = await mc([...args, ...ours]);
    got = { ...printed, stdout: adapt(printed.stdout) };
    if (got.stdout === wanted.stdout && got.stderr === wanted.stderr) break;
  }
  assert.deepEqual(got, wanted, `kubectl ${args.join(' ')}`);
}

/** A command for both. */
export interface Comparison {
  readonly args: readonly string[];
  /** What only ours is told. */
  readonly ours?: readonly string[];
  readonly adapt?: (stdout: string) => string;
}

/** Cuts the CLUSTER column out of every table in a text. */
export function withoutClusters(text: string): string {
  return text
    .split('\n\n')
    .map((table) => {
      const lines = table.split('\n');
      const header = lines[0] ?? '';
      const start = header.search(/\bCLUSTER\b(?!-)/);
      if (start < 0) return table;
      const width = /^CLUSTER\s*/.exec(header.slice(start))?.[0].length ?? 0;
      return lines
        .map((line) => {
          const chars = [...line];
          return chars.slice(0, start).join('') + chars.slice(start + width).join('');
        })
        .join('\n');
    })
    .join('\n\n');
}
