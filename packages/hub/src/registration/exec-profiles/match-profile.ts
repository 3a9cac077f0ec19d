import { basename } from 'node:path';
import type { ExecPlugin } from '@flotilla/client';
import type { SourceWarning } from '../source/resolved-source.ts';
import type { AllowedArgument, ExecProfile } from './exec-profile.ts';

/** For whom a command would run. */
export interface ExecCaller {
  /** Host of the API server that the credential would be sent to. */
  readonly host: string;
  /** Of the registration. */
  readonly namespace: string;
  readonly gatewayNamespace: string;
}

/** The profile that allows a command, or why none does. */
export type ProfileMatch =
  | { readonly profile: ExecProfile; readonly warnings: readonly SourceWarning[] }
  | { readonly refusal: string };

const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const MAX_ARGS = 64;
const LONGEST_ARG = 1024;

/** Finds the profile under which the command of a kubeconfig may run. Nothing of the kubeconfig is quoted. */
export function matchProfile(
  profiles: readonly ExecProfile[],
  plugin: ExecPlugin,
  caller: ExecCaller,
): ProfileMatch {
  if (!VERSIONS.includes(plugin.apiVersion)) {
    return {
      refusal: `Cannot run the command of the user: its apiVersion is neither ${VERSIONS.join(' nor ')}`,
    };
  }
  if (plugin.interactiveMode === 'Always') {
    return {
      refusal: 'Cannot run the command of the user: it wants to ask somebody, and nobody is there',
    };
  }
  // Both separators, whatever the hub runs on: `..\aws` is no `aws`.
  const command = basename(plugin.command.replaceAll('\\', '/'));
  const named = profiles.filter((profile) => basename(profile.command) === command);
  if (named.length === 0) {
    return { refusal: `Cannot run the command of the user: no exec profile of this hub allows it` };
  }
  const refusals: string[] = [];
  for (const profile of named) {
    const refusal = refusalOf(profile, plugin, caller);
    if (refusal === undefined) return { profile, warnings: envWarnings(plugin, profile) };
    refusals.push(refusal);
  }
  return { refusal: `Cannot run the command of the user: ${refusals[0]}` };
}

/** Why a profile does not cover a command; undefined when it does. */
function refusalOf(
  profile: ExecProfile,
  plugin: ExecPlugin,
  caller: ExecCaller,
): string | undefined {
  const { name, namespaces, servers } = profile;
  const allowed = namespaces.length === 0 ? [caller.gatewayNamespace] : namespaces;
  if (!allowed.includes(caller.namespace)) {
    return `exec profile "${name}" is not for registrations in namespace "${caller.namespace}"`;
  }
  if (servers.length > 0 && !servers.some((server) => server.test(caller.host))) {
    return `exec profile "${name}" is not for the server "${caller.host}"`;
  }
  const args = plugin.args ?? [];
  if (args.length > MAX_ARGS) return `it has more than ${MAX_ARGS} arguments`;
  const wrong = firstRefused(profile.args, args);
  return wrong < 0 ? undefined : `exec profile "${name}" does not allow argument ${wrong + 1}`;
}

/** The place of the first argument that does not pass; negative when all do. */
function firstRefused(allowed: readonly AllowedArgument[], args: readonly string[]): number {
  let at = 0;
  while (at < args.length) {
    const taken = takenAt(allowed, args, at);
    if (taken === 0) return at;
    at += taken;
  }
  return -1;
}

/** How many arguments pass together at a place. */
function takenAt(
  allowed: readonly AllowedArgument[],
  args: readonly string[],
  at: number,
): 0 | 1 | 2 {
  const [arg = '', next] = args.slice(at, at + 2);
  if (!isPlain(arg)) return 0;
  for (const each of allowed) {
    if ('exact' in each && each.exact === arg) return 1;
    if ('pattern' in each && each.pattern.test(arg)) return 1;
    if (!('option' in each)) continue;
    const { option, value } = each;
    if (arg === option && next !== undefined && isPlain(next) && value.test(next)) return 2;
    if (arg.startsWith(`${option}=`) && value.test(arg.slice(option.length + 1))) return 1;
  }
  return 0;
}

function isPlain(arg: string): boolean {
  return arg.length <= LONGEST_ARG && !arg.includes('\0');
}

function envWarnings({ env = [] }: ExecPlugin, { name }: ExecProfile): SourceWarning[] {
  const names = env
    .map((variable) => variable.name)
    .filter((each) => /^[A-Z_][A-Z0-9_]{0,63}$/.test(each));
  if (env.length === 0) return [];
  return [
    {
      reason: 'ExecEnvIgnored',
      message: `Exec profile "${name}" sets the environment; what the kubeconfig sets is left out${names.length === 0 ? '' : `: ${names.slice(0, 10).join(', ')}`}`,
    },
  ];
}
