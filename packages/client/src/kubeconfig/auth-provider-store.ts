import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { type Clock, getOwn, isJsonObject, parseYaml, setOwn, toYaml } from '@flotilla/machinery';
import { CredentialError } from '../credentials/credential-error.ts';
import { errorCode, fileErrorText } from '../credentials/file-error.ts';
import type { AuthProviderConfig, TokenStore } from '../credentials/oidc/oidc-credential.ts';
import { decodeKubeconfig } from './decode-kubeconfig.ts';

/** How long to wait for another process to finish with the file, and how often to look. */
const LOCK_WAIT_MS = 2000;
const LOCK_POLL_MS = 50;

/** The user's entry that tokens are kept in. */
export interface AuthProviderPlace {
  readonly file: string;
  readonly user: string;
  readonly clock: Clock;
}

/**
 * Keeps an auth-provider's tokens in the user's own kubeconfig, as kubectl does, under the same lock (`FILE.lock`). The
 * rest of the file stays as it is, except for comments; a reader never sees half of it.
 */
export function authProviderStore(place: AuthProviderPlace): TokenStore {
  return {
    read: async () => {
      const { users } = decodeKubeconfig(await readFile(place.file));
      return users.get(place.user)?.['auth-provider']?.config;
    },
    write: async (config) => {
      await locked(place, () => replaceConfig(place, config));
    },
  };
}

async function replaceConfig(place: AuthProviderPlace, config: AuthProviderConfig): Promise<void> {
  const content = await readFile(place.file);
  const { value } = parseYaml(content);
  const provider = providerIn(value, place.user);
  // The user has gone, or signs in another way now: as kubectl, nothing to keep.
  if (provider === undefined) return;
  setOwn(provider, 'config', config);
  await replaceFile(place.file, toYaml(value));
}

function providerIn(kubeconfig: unknown, name: string): Record<string, unknown> | undefined {
  const users = isJsonObject(kubeconfig) ? getOwn(kubeconfig, 'users') : undefined;
  const entry = (Array.isArray(users) ? users : []).find(
    (each: unknown) => isJsonObject(each) && (getOwn(each, 'name') ?? '') === name,
  ) as Record<string, unknown> | undefined;
  const user = entry === undefined ? undefined : getOwn(entry, 'user');
  const provider = isJsonObject(user) ? getOwn(user, 'auth-provider') : undefined;
  return isJsonObject(provider) ? provider : undefined;
}

/** By a rename where the folder allows it, else in place; links and permissions stay. */
async function replaceFile(file: string, text: string): Promise<void> {
  const target = await realpath(file);
  const { mode } = await stat(target);
  const next = `${target}.${randomUUID()}`;
  try {
    await writeFile(next, text, { mode: mode & 0o777, flag: 'wx', flush: true });
    await rename(next, target);
  } catch (error) {
    await rm(next, { force: true });
    if (!['EACCES', 'EPERM', 'EBUSY'].includes(errorCode(error))) throw error;
    await writeFile(target, text);
  }
}

async function locked(place: AuthProviderPlace, action: () => Promise<void>): Promise<void> {
  const lock = `${place.file}.lock`;
  await takeLock(lock, place.clock);
  try {
    await action();
  } catch (error) {
    throw new CredentialError(fileErrorText(place.file, error), { cause: error });
  } finally {
    await rm(lock, { force: true });
  }
}

async function takeLock(lock: string, clock: Clock): Promise<void> {
  const giveUpAt = clock.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      await (await open(lock, 'wx', 0)).close();
      return;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || clock.now() >= giveUpAt) {
        throw new CredentialError(fileErrorText(lock, error), { cause: error });
      }
    }
    await clock.wait(LOCK_POLL_MS);
  }
}
