import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecPlugin, PluginAnswer, Presented } from '@flotilla/client';
import { encodeJson, isJsonObject } from '@flotilla/machinery';
import { writePrivateFile } from '../../files/private-file.ts';

/** Credentials of commands, kept on disk between runs where the user wants that. */
export interface CredentialCache {
  /** What is kept and lasts for a while yet; undefined when nothing. */
  readonly read: (plugin: ExecPlugin) => Promise<PluginAnswer | undefined>;
  readonly write: (plugin: ExecPlugin, answer: PluginAnswer) => Promise<void>;
  readonly drop: (plugin: ExecPlugin) => Promise<void>;
}

/** What a cache needs of the world. */
export interface CredentialCacheDeps {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
}

/** What is nearly over is not worth handing out: the request it is for may take as long. */
const MARGIN_MS = 60_000;
const MAX_BYTES = 1 << 20;

/** Says nothing of who one is, and differs from shell to shell. */
const VOLATILE =
  /^(?:_|PWD|OLDPWD|SHLVL|TERM.*|COLUMNS|LINES|WINDOWID|SSH_.*|TMUX.*|STY|XDG_.*|DISPLAY|WAYLAND_DISPLAY|COLORTERM|LS_COLORS|PS1|KUBERNETES_EXEC_INFO|KUBECONFIG|KUBECTL_MC_.*|VSCODE_.*|ITERM.*)$/;

/**
 * A folder with a file for each command. Its name is made from all that the command is given, the environment among it:
 * with another AWS_PROFILE one is somebody else. What others could have written is not believed.
 */
export function createCredentialCache({ folder, env, now }: CredentialCacheDeps): CredentialCache {
  const inherited = Object.entries(env)
    .filter(([name, value]) => value !== undefined && !VOLATILE.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const fileOf = (plugin: ExecPlugin): string => {
    const key = createHash('sha256')
      .update(encodeJson([plugin, inherited]))
      .digest('hex');
    return join(folder, `${key}.json`);
  };
  return {
    read: async (plugin) => {
      const answer = await readEntry(fileOf(plugin));
      const isFresh = answer?.expiresAt !== undefined && answer.expiresAt - MARGIN_MS > now();
      return isFresh ? answer : undefined;
    },
    write: async (plugin, answer) => {
      // Without an end it could only be kept for ever.
      if (answer.expiresAt === undefined || answer.expiresAt - MARGIN_MS <= now()) return;
      await writePrivateFile(fileOf(plugin), JSON.stringify(answer));
    },
    drop: async (plugin) => {
      await rm(fileOf(plugin), { force: true });
    },
  };
}

async function readEntry(path: string): Promise<PluginAnswer | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const { mode, uid, size } = await file.stat();
    const isOthers = process.getuid !== undefined && uid !== process.getuid();
    if (process.platform !== 'win32' && (isOthers || (mode & 0o077) !== 0)) return undefined;
    if (size > MAX_BYTES) return undefined;
    return answerOf(JSON.parse(await file.readFile('utf8')));
  } catch {
    // Gone, unreadable or half a file: the command is there to ask.
    return undefined;
  }
}

function answerOf(value: unknown): PluginAnswer | undefined {
  if (!isJsonObject(value) || !isJsonObject(value['presented'])) return undefined;
  const { presented, expiresAt } = value;
  const { authorization, certificate } = presented;
  if (typeof expiresAt !== 'number') return undefined;
  if (authorization !== undefined && typeof authorization !== 'string') return undefined;
  if (certificate !== undefined && !isCertificate(certificate)) return undefined;
  return { presented: presented as Presented, expiresAt };
}

function isCertificate(value: unknown): boolean {
  return (
    isJsonObject(value) && typeof value['cert'] === 'string' && typeof value['key'] === 'string'
  );
}
