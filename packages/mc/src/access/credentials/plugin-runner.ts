import { basename } from 'node:path';
import {
  askPlugin,
  type ExecPlugin,
  lookPathIn,
  type PluginAnswer,
  type PluginPolicy,
} from '@flotilla/client';
import { printableLine } from '../../text/printable.ts';
import { type CredentialsDeps, DEPTH_VARIABLE } from './create-credentials.ts';
import { installHintOf } from './install-hints.ts';
import { PluginError } from './plugin-error.ts';
import { readPluginPolicy } from './plugin-policy.ts';
import { gatherWords } from './plugin-words.ts';
import { redactSecrets, secretValues } from './redact.ts';

/** Runs one command for its credential. */
export type RunPlugin = (plugin: ExecPlugin, signal: AbortSignal) => Promise<PluginAnswer>;

/** Of a cluster's time limit: a command that hangs is then the cause that is told, and not the cluster. */
const PATIENCE = 0.9;

/** Runs commands one by one as they are asked for, with what holds for all of them read once. */
export function pluginRunner(deps: CredentialsDeps): RunPlugin {
  const { io, settings, note } = deps;
  const lookPath = lookPathIn(io.env['PATH'] ?? '');
  const depth = Number(io.env[DEPTH_VARIABLE] ?? 0) || 0;
  const env = { ...io.env, [DEPTH_VARIABLE]: String(depth + 1) };
  const inherited = secretValues(io.env);
  let policy: Promise<PluginPolicy> | undefined;

  return async (plugin, signal) => {
    const { command } = plugin;
    policy ??= readPluginPolicy(io);
    const allowed = await policy;
    if (allowed.policy !== 'DenyAll' && (await lookPath(command)) === undefined) {
      throw missing(plugin);
    }
    const linesOf = linesFrom(plugin, inherited);
    const isInteractive = io.terminal.in && plugin.interactiveMode !== 'Never';
    const say = (text: string) => {
      for (const line of linesOf(text)) io.err(`${line}\n`);
    };
    const words = gatherWords(io.clock, isInteractive && io.terminal.err ? say : undefined);
    try {
      const answer = await askPlugin(
        plugin,
        {
          env,
          clock: io.clock,
          policy: allowed,
          isTerminal: io.terminal.in,
          ...(isInteractive ? {} : { timeoutMs: settings.execution.timeoutMs * PATIENCE }),
          stderr: words.take,
        },
        signal,
      );
      for (const line of linesOf(words.end())) note(6, line);
      return answer;
    } catch (error) {
      for (const line of linesOf(words.end())) note(1, line);
      if (signal.aborted || !(error instanceof Error)) throw error;
      throw new PluginError(firstLine(error.message), { command, cause: error.cause });
    }
  };
}

/** What a command said, made fit to be read: whole first, since a key is several lines long, then line by line. */
function linesFrom({ command, env = [] }: ExecPlugin, inherited: readonly string[]) {
  const secrets = [...inherited, ...env.map(({ value }) => value)];
  return (text: string): string[] =>
    redactSecrets(text, secrets)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => `${basename(command)}: ${printableLine(line)}`);
}

/** One line, the same for all clusters that need the command, and apart from it how to get it. */
function missing({ command, installHint }: ExecPlugin): PluginError {
  return new PluginError(`getting credentials: exec: executable ${command} not found`, {
    command,
    isMissing: true,
    hint: installHintOf(command, installHint),
  });
}

/** Behind it comes advice of several paragraphs. */
function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}
