import { devNull } from 'node:os';
import type { Flags } from '../flags/flag.ts';
import { UsageError } from '../usage-error.ts';
import { configKeys, variableOf } from './config-keys.ts';
import { pathsOf } from './paths.ts';
import { type ReadSettings, readSettings, type SettingsIo } from './read-settings.ts';

/**
 * Settings for what must neither fail nor complain, as completion: a config file or an environment that cannot be meant
 * counts as not there, and there are no warnings. What flags say wrong is still a UsageError.
 */
export async function lenientSettings(flags: Flags, io: SettingsIo): Promise<ReadSettings> {
  try {
    return { ...(await readSettings(flags, io)), warnings: [] };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
  const ours = new Set((Object.keys(configKeys) as (keyof typeof configKeys)[]).map(variableOf));
  const others = Object.entries(io.env).filter(([name]) => !ours.has(name));
  const env = { ...Object.fromEntries(others), KUBECTL_MC_CONFIG_FILE: devNull };
  const { homeFolder, cwd } = io;
  const { settings } = await readSettings(flags, { env, homeFolder, cwd });
  // What texts call the config file is still the one that could not be meant.
  return { settings, paths: pathsOf(io, flags.text('cache-dir')), warnings: [] };
}
