import { compareText, type Difference } from '../../conformance/index.ts';
import { normaliseOutput } from './normalise-output.ts';
import { type Output, runCommand, type Shell } from './run-command.ts';
import type { Command } from './script.ts';

/** One of the two servers a script runs on. */
export interface Side {
  readonly shell: Shell;
  /** Host and port, which kubectl prints. */
  readonly server: string;
}

/** Runs each command on both sides at once; the paths begin with the command's number. */
export async function compareScript(
  id: string,
  commands: readonly Command[],
  sides: { readonly wanted: Side; readonly got: Side },
): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const [index, command] of commands.entries()) {
    const [wanted, got] = await Promise.all([
      runOn(sides.wanted, command),
      runOn(sides.got, command),
    ]);
    const path = [String(index + 1)];
    const found = [
      ...compareText(String(wanted.code), String(got.code), [...path, 'code']),
      ...compareText(wanted.stdout, got.stdout, [...path, 'stdout']),
      ...compareText(wanted.stderr, got.stderr, [...path, 'stderr']),
    ];
    const step = command.text.split('\n', 1)[0] ?? '';
    differences.push(...found.map((each) => ({ caseId: id, step, ...each })));
  }
  return differences;
}

async function runOn({ shell, server }: Side, command: Command): Promise<Output> {
  const now = Date.now();
  return normaliseOutput(await runCommand(command, shell), { command, server, now });
}
