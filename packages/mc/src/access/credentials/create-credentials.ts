import { basename, join } from 'node:path';
import {
  askPlugin,
  type Credential,
  type CredentialPool,
  createCredentialPool,
  type ExecPlugin,
  lookPathIn,
  type PluginAnswer,
  type PluginPolicy,
} from '@flotilla/client';
import type { Session } from '../../session.ts';
import { printableLine } from '../../text/printable.ts';
import { createCredentialCache } from './credential-cache.ts';
import { installHintOf } from './install-hints.ts';
import { pluginCredential } from './plugin-credential.ts';
import { PluginError } from './plugin-error.ts';
import { readPluginPolicy } from './plugin-policy.ts';
import { gatherWords } from './plugin-words.ts';
import { redactSecrets, secretValues } from './redact.ts';

/** The credential commands of one run: equal ones run once, and what they print is kept for all who need it. */
export interface Credentials {
  /** For contexts of kubeconfigs. */
  readonly pool: CredentialPool;
  readonly ofPlugin: (plugin: ExecPlugin) => Credential;
}

/** What running commands needs. */
export type CredentialsDeps = Pick<Session, 'io' | 'settings' | 'paths' | 'note'>;

/** Says how deep we are in commands that run kubectl-mc that runs commands. */
export const DEPTH_VARIABLE = 'KUBECTL_MC_CREDENTIAL_DEPTH';

/** Of a cluster's time limit: a command that hangs is then the cause that is told, and not the cluster. */
const PATIENCE = 0.9;

/** Starts with nothing run and nothing known. Use one for a whole run. */
export function createCredentials(deps: CredentialsDeps): Credentials {
  const { io, settings, paths } = deps;
  const shared = createCredentialPool();
  const cache = settings.access.diskCache
    ? createCredentialCache({
        folder: join(paths.cache, 'credentials'),
        env: io.env,
        now: io.clock.now,
      })
    : undefined;
  const run = pluginRunner(deps);
  const ofPlugin = (plugin: ExecPlugin): Credential =>
    shared.share(plugin, () => pluginCredential(plugin, { clock: io.clock, run, cache }));
  return {
    // The client shares nothing but plugins; its own way of running them has no cache on disk.
    pool: { share: (recipe) => ofPlugin(recipe as ExecPlugin) },
    ofPlugin,
  };
}

/** Runs commands one by one as they are asked for, with what holds for all of them read once. */
function pluginRunner(deps: CredentialsDeps) {
  const { io, settings, note } = deps;
  const lookPath = lookPathIn(io.env['PATH'] ?? '');
  const depth = Number(io.env[DEPTH_VARIABLE] ?? 0) || 0;
  const env = { ...io.env, [DEPTH_VARIABLE]: String(depth + 1) };
  const inherited = secretValues(io.env);
  let policy: Promise<PluginPolicy> | undefined;

  return async (plugin: ExecPlugin, signal: AbortSignal): Promise<PluginAnswer> => {
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
