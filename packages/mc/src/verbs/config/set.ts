import { readFile } from 'node:fs/promises';
import { writePrivateFile } from '../../files/private-file.ts';
import { nearNames, suggestion } from '../../flags/suggest.ts';
import type { Session } from '../../session.ts';
import { readConfigFile } from '../../settings/config-file.ts';
import { configKeys, isConfigKey, readTyped, storedForm } from '../../settings/config-keys.ts';
import { type ConfigPath, setInConfig } from '../../settings/edit-config.ts';
import { withLock } from '../../settings/lock-file.ts';
import { splitPatterns } from '../../settings/patterns.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';

/** Sets one key of the config file; what could not be read afterwards is not written. */
export async function setConfig({ args }: Call, { io, paths }: Session): Promise<number> {
  const [key, typed, ...more] = args;
  if (key === undefined || typed === undefined || more.length > 0) {
    throw new UsageError(
      "Unexpected args: KEY and VALUE are needed\nSee 'kubectl mc config set -h' for help and examples",
    );
  }
  const { path, value } = readSetting(key, typed);
  await withLock(paths.config, { clock: io.clock, signal: io.signal }, async () => {
    const before = await textOf(paths.config);
    // A file with mistakes in it is not for us to write.
    readConfigFile(before, paths.config);
    const after = setInConfig(before, path, value);
    readConfigFile(after, paths.config);
    await writePrivateFile(paths.config, after);
  });
  await io.out(`Property "${key}" set.\n`);
  return 0;
}

function readSetting(key: string, typed: string): { path: ConfigPath; value: unknown } {
  const [, section = '', name = ''] = /^([^.]+)\.(.+)$/.exec(key) ?? [];
  if (section === 'groups' && name !== '') {
    return { path: [section, name], value: splitPatterns(typed) };
  }
  if (!isConfigKey(key)) {
    const keys = Object.keys(configKeys);
    const near = nearNames(key, keys);
    const known = near.length > 0 ? suggestion(near) : `\nThe keys are ${keys.join(', ')}.`;
    throw new UsageError(`Cannot set "${key}": there is no such key${known}`);
  }
  if (readTyped(key, typed) === undefined) {
    throw new UsageError(`Cannot set ${key} to "${typed}": must be ${configKeys[key].allowed}`);
  }
  return { path: [section, name], value: storedForm(key, typed) };
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
