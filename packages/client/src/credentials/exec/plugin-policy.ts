import { basename, normalize } from 'node:path';
import { getOwn, goQuote, isJsonObject, parseYaml } from '@flotilla/machinery';
import { CredentialError } from '../credential-error.ts';
import type { LookPath } from './look-path.ts';

/** Which credential plugins may run, in the words of kuberc. */
export type PluginPolicy =
  | { readonly policy: 'AllowAll' | 'DenyAll' }
  | { readonly policy: 'Allowlist'; readonly allowlist: readonly PluginAllowlistEntry[] };

/** A command that may run: its name, or the absolute path it must be found at. */
export interface PluginAllowlistEntry {
  readonly command: string;
}

/** Reads the policy in the text of a kuberc file (kubectl 1.35 and later); without one, everything is allowed. */
export function pluginPolicyOfKuberc(text: string): PluginPolicy {
  const { value } = parseYaml(text);
  const kuberc = isJsonObject(value) ? value : {};
  const policy = getOwn(kuberc, 'credentialPluginPolicy') ?? 'AllowAll';
  const allowlist = getOwn(kuberc, 'credentialPluginAllowlist') ?? undefined;
  if (policy === 'Allowlist') {
    const checked = { policy, allowlist: entriesOf(allowlist) } as const;
    checkPolicy(checked);
    return checked;
  }
  if (policy !== 'AllowAll' && policy !== 'DenyAll' && policy !== '') {
    throw new CredentialError(`unknown plugin policy: ${goQuote(String(policy))}`);
  }
  if (allowlist !== undefined) {
    throw new CredentialError(
      `misconfigured credential plugin allowlist: plugin policy is ${goQuote(policy)} but allowlist is non-nil`,
    );
  }
  return { policy: policy === '' ? 'AllowAll' : policy };
}

function entriesOf(list: unknown): PluginAllowlistEntry[] {
  if (!Array.isArray(list)) {
    throw new CredentialError(
      'credential plugin policy set to "Allowlist", but allowlist is unspecified',
    );
  }
  return list.map((item) => {
    const command = isJsonObject(item) ? getOwn(item, 'command') : undefined;
    return { command: typeof command === 'string' ? command : '' };
  });
}

/** Throws when a policy cannot mean what its author meant; a guard that is misspelt must not let everything pass. */
export function checkPolicy(policy: PluginPolicy): void {
  if (policy.policy !== 'Allowlist') return;
  if (policy.allowlist.length === 0) {
    throw new CredentialError(
      'credential plugin policy set to "Allowlist", but allowlist is empty; use "DenyAll" policy instead',
    );
  }
  policy.allowlist.forEach(({ command }, index) => {
    if (command === '') {
      throw new CredentialError(
        `misconfigured credential plugin allowlist: empty allowlist entry #${index + 1}`,
      );
    }
    if (normalize(command) !== command) {
      throw new CredentialError(
        `non-normalized file path: ${goQuote(command)} vs ${goQuote(normalize(command))}`,
      );
    }
  });
}

/** A command about to run. */
export interface PluginCommand {
  /** As configured. */
  readonly command: string;
  /** Where it was found; undefined when it was not. */
  readonly path: string | undefined;
}

/** Throws unless the policy lets this command run: its name or path is listed, or a listed name leads to the same file. */
export async function checkAllowed(
  policy: PluginPolicy,
  { command, path }: PluginCommand,
  lookPath: LookPath,
): Promise<void> {
  if (policy.policy !== 'Allowlist') {
    if (policy.policy === 'AllowAll') return;
    throw new CredentialError(`plugin ${goQuote(command)} not allowed: policy set to "DenyAll"`);
  }
  checkPolicy(policy);
  const listed = new Set(policy.allowlist.map((entry) => entry.command));
  if (listed.has(normalize(command))) return;
  if (path === undefined) {
    throw new CredentialError(
      `plugin path ${goQuote(command)} cannot be resolved for credential plugin allowlist check`,
    );
  }
  if (listed.has(path)) return;
  for (const entry of listed) {
    if (basename(entry) === basename(path) && (await lookPath(entry)) === path) return;
  }
  throw new CredentialError(
    `plugin path ${goQuote(path)} is not permitted by the credential plugin allowlist`,
  );
}
