import type { AllowedCommand } from '../../settings/settings.ts';
import type { ExecProposal } from '../properties/exec-properties.ts';
import { LONGEST_TO_ASK } from './ask-trust.ts';
import { commandProblem, runsArguments } from './command-shape.ts';
import { commandText } from './command-text.ts';
import { deniedVariable } from './environment.ts';
import { isBuiltinTemplate } from './templates.ts';

/** Whether a command that a profile names may run: yes, only if the user says so, or whatever they say not (and why). */
export type Verdict = 'trusted' | 'unknown' | { readonly refused: string };

/** What a verdict depends on. */
export interface JudgeDeps {
  readonly allowedCommands: readonly AllowedCommand[];
  readonly builtinTemplates: boolean;
  readonly isTrusted: (proposal: ExecProposal) => Promise<boolean>;
}

/** Decides about a command before anything of it is looked up or run. What is never run comes first. */
export async function judgeCommand(proposal: ExecProposal, deps: JudgeDeps): Promise<Verdict> {
  const { command, args, env } = proposal;
  const problem = commandProblem(command);
  if (problem !== undefined) return { refused: problem };
  if (args.some((arg) => arg.includes('\0'))) return { refused: 'an argument has a NUL in it' };
  const variable = deniedVariable(Object.keys(env));
  if (variable !== undefined) {
    return { refused: `profiles may not set the environment variable ${variable}` };
  }
  if (deps.allowedCommands.some((allowed) => isAllowedBy(allowed, proposal))) return 'trusted';
  if (deps.builtinTemplates && isBuiltinTemplate(proposal)) return 'trusted';
  if (runsArguments(command)) {
    return {
      refused: 'it runs whatever its arguments say; only access.allowedCommands can allow that',
    };
  }
  if (commandText(proposal, Number.POSITIVE_INFINITY).length > LONGEST_TO_ASK) {
    return { refused: 'it is too long to be shown whole to whoever would have to trust it' };
  }
  return (await deps.isTrusted(proposal)) ? 'trusted' : 'unknown';
}

function isAllowedBy(allowed: AllowedCommand, { command, args }: ExecProposal): boolean {
  if (allowed.command !== command) return false;
  const wanted = allowed.args;
  return (
    wanted === undefined ||
    (wanted.length === args.length && wanted.every((arg, index) => arg === args[index]))
  );
}
