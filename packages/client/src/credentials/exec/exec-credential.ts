import { goQuote } from '@flotilla/machinery';
import type { Credential, Presented } from '../../access.ts';
import { isSamePresented } from '../combine-credentials.ts';
import { CredentialError } from '../credential-error.ts';
import { singleFlight } from '../single-flight.ts';
import { execInfo } from './exec-info.ts';
import type { ExecHost, ExecPlugin } from './exec-plugin.ts';
import { lookPathIn } from './look-path.ts';
import { type PluginAnswer, readPluginAnswer } from './plugin-answer.ts';
import { checkAllowed } from './plugin-policy.ts';
import { runPlugin } from './run-plugin.ts';

/** Where nobody is there to answer a question, a plugin has this long. */
const TIMEOUT_MS = 60_000;
/** Credentials are renewed before they expire: by a tenth of their life, and at most this. */
const MAX_SKEW_MS = 10_000;
/** An install hint is long; a controller that retries should not repeat it for ever. */
const HINTS_PER_HOUR = 10;
const HOUR_MS = 3_600_000;

const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

/**
 * A credential that a command prints, kept until it expires. Concurrent callers wait for one run; a refused credential
 * leads to one run more. Nothing runs before the first request needs it, nor ever what the policy does not allow.
 */
export function execCredential(plugin: ExecPlugin, host: ExecHost): Credential {
  checkVersion(plugin);
  const { clock } = host;
  const hint = hintText(plugin, host);
  let current: { presented: Presented; staleAt: number } | undefined;

  const renew = singleFlight(async (signal) => {
    const answer = await ask({ plugin, host, hint }, signal);
    current = { presented: answer.presented, staleAt: staleTime(answer, clock.now()) };
    return answer.presented;
  });

  return {
    present: async (signal) => {
      if (current !== undefined && clock.now() <= current.staleAt) return current.presented;
      return renew(signal);
    },
    refused: async (rejected, signal) => {
      // Someone else's refusal has led to a new one already.
      if (current !== undefined && !isSamePresented(current.presented, rejected)) return true;
      try {
        return !isSamePresented(await renew(signal), rejected);
      } catch (error) {
        if (signal?.aborted === true) throw error;
        host.warn?.(`refreshing credentials: ${(error as Error).message}`);
        return false;
      }
    },
  };
}

/** Runs a plugin once, keeps nothing, and tells what it printed and how long that lasts. */
export async function askPlugin(
  plugin: ExecPlugin,
  host: ExecHost,
  signal: AbortSignal,
): Promise<PluginAnswer> {
  checkVersion(plugin);
  return ask({ plugin, host, hint: hintText(plugin, host) }, signal);
}

function checkVersion({ apiVersion }: ExecPlugin): void {
  if (VERSIONS.includes(apiVersion)) return;
  throw new CredentialError(`exec plugin: invalid apiVersion ${goQuote(apiVersion)}`);
}

function staleTime({ expiresAt }: PluginAnswer, now: number): number {
  if (expiresAt === undefined) return Number.POSITIVE_INFINITY;
  return expiresAt - Math.min(MAX_SKEW_MS, Math.max(0, expiresAt - now) / 10);
}

interface Asking {
  readonly plugin: ExecPlugin;
  readonly host: ExecHost;
  readonly hint: () => string;
}

async function ask({ plugin, host, hint }: Asking, signal: AbortSignal): Promise<PluginAnswer> {
  try {
    const isInteractive = interactivity(plugin, host);
    const lookPath = lookPathIn(host.env['PATH'] ?? '');
    const path = await lookPath(plugin.command);
    await checkAllowed(
      host.policy ?? { policy: 'AllowAll' },
      { command: plugin.command, path },
      lookPath,
    );
    if (path === undefined) {
      throw new CredentialError(`exec: executable ${plugin.command} not found${hint()}`);
    }
    const output = await runPlugin(
      {
        command: plugin.command,
        path,
        args: plugin.args ?? [],
        env: environment(plugin, host, isInteractive),
        isInteractive,
        timeoutMs: host.timeoutMs ?? (isInteractive ? 0 : TIMEOUT_MS),
        clock: host.clock,
        stderr: host.stderr,
      },
      signal,
    );
    return readPluginAnswer(output, plugin.apiVersion);
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    throw new CredentialError(`getting credentials: ${error.message}`, { cause: error.cause });
  }
}

function interactivity({ interactiveMode }: ExecPlugin, { isTerminal = false }: ExecHost): boolean {
  if (interactiveMode === 'Always' && !isTerminal) {
    throw new CredentialError(
      'exec plugin cannot support interactive mode: standard input is not a terminal',
    );
  }
  return isTerminal && interactiveMode !== 'Never';
}

function environment(
  plugin: ExecPlugin,
  host: ExecHost,
  isInteractive: boolean,
): NodeJS.ProcessEnv {
  return {
    ...host.env,
    ...Object.fromEntries((plugin.env ?? []).map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: execInfo(plugin, isInteractive),
  };
}

const MISSING_HELP = `

It looks like you are trying to use a client-go credential plugin that is not installed.

To learn more about this feature, consult the documentation available at:
      https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins`;

/** What to say when the command is not there; nothing when it was said often enough. */
function hintText({ installHint }: ExecPlugin, { clock }: ExecHost): () => string {
  const text =
    installHint === undefined ? MISSING_HELP : `${MISSING_HELP}\n\n${printable(installHint)}`;
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  return () => {
    if (clock.now() - since >= HOUR_MS) {
      since = clock.now();
      count = 0;
    }
    return ++count > HINTS_PER_HOUR ? '' : text;
  };
}

/** A hint comes from a file and goes to a terminal: whatever could steer one is spelt out. */
function printable(text: string): string {
  return text.replace(
    /[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\t-\r]/gu,
    (char) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}
