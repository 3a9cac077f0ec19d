import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  encodeJson,
  getOwn,
  isJsonObject,
  ParseError,
  parseYaml,
  toYaml,
} from '@flotilla/machinery';
import { writePrivateFile } from '../../files/private-file.ts';
import type { ExecProposal } from '../properties/exec-properties.ts';

/** What the user has trusted on this machine, in `~/.kube/kubectl-mc-trust.yaml`. */
export interface TrustFile {
  readonly isTrusted: (proposal: ExecProposal) => Promise<boolean>;
  readonly trust: (proposal: ExecProposal) => Promise<void>;
}

/** What a trust file needs of the world. */
export interface TrustFileDeps {
  readonly path: string;
  readonly now: () => number;
  readonly warn: (text: string) => void;
}

const API_VERSION = 'kubectl-mc.k8s.io/v1alpha1';
const KIND = 'CommandTrust';

/**
 * What is trusted about a command: its name, its arguments and its environment, to the letter. A profile that changes
 * any of them is asked about again.
 */
export function trustDigest({ command, args, env }: ExecProposal): string {
  const names = Object.keys(env).sort();
  const recipe = [command, args, names.map((name) => [name, env[name]])];
  return createHash('sha256').update(encodeJson(recipe)).digest('hex');
}

/** The user's trust file, read once. One that cannot be read, or that others may write, is not believed. */
export function createTrustFile({ path, now, warn }: TrustFileDeps): TrustFile {
  let digests: Promise<Set<string>> | undefined;
  const load = async (): Promise<Set<string>> => {
    digests ??= readTrustFile(path).then(
      (entries = []) => new Set(entries.map(({ sha256 }) => sha256)),
      (error: Error) => {
        warn(`${error.message}, so no command counts as trusted`);
        return new Set();
      },
    );
    return await digests;
  };
  return {
    isTrusted: async (proposal) => (await load()).has(trustDigest(proposal)),
    trust: async (proposal) => {
      const sha256 = trustDigest(proposal);
      (await load()).add(sha256);
      // Read anew: another run may have added to it in the meantime. What cannot be read is not written over.
      const others = ((await readTrustFile(path)) ?? []).filter((entry) => entry.sha256 !== sha256);
      const { command, args, env } = proposal;
      const trustedAt = new Date(now()).toISOString();
      const added = { sha256, command, args, ...(hasKeys(env) ? { env } : {}), trustedAt };
      await writePrivateFile(
        path,
        toYaml({ apiVersion: API_VERSION, kind: KIND, commands: [...others, added] }),
      );
    },
  };
}

/** One command of a trust file. */
export interface TrustEntry {
  readonly sha256: string;
}

/** The commands of a trust file, undefined where there is none; one that cannot be believed is an error. */
export async function readTrustFile(path: string): Promise<TrustEntry[] | undefined> {
  let text: string;
  try {
    await using file = await open(path, 'r');
    // Of the open file: what is looked at must be what is read.
    checkOwner(path, await file.stat());
    text = await file.readFile('utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw code === undefined ? error : new Error(`Cannot read ${path}: ${message}`);
  }
  try {
    return entriesOf(parseYaml(text).value);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new Error(`Cannot read ${path}: ${error.message}`);
  }
}

function checkOwner(path: string, { mode, uid }: Stats): void {
  const isOthers = process.getuid !== undefined && uid !== process.getuid() && uid !== 0;
  if (process.platform === 'win32' || (!isOthers && (mode & 0o022) === 0)) return;
  throw new Error(
    `Cannot believe ${path}: others can write it (run chmod 600 on it if its entries are yours)`,
  );
}

function entriesOf(value: unknown): TrustEntry[] {
  const commands = isJsonObject(value) ? getOwn(value, 'commands') : undefined;
  if (!Array.isArray(commands)) return [];
  return commands.filter(
    (entry): entry is TrustEntry =>
      isJsonObject(entry) && /^[0-9a-f]{64}$/.test(String(getOwn(entry, 'sha256'))),
  );
}

function hasKeys(env: Readonly<Record<string, string>>): boolean {
  return Object.keys(env).length > 0;
}
