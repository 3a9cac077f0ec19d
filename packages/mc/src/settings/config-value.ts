import { durationToMs, isJsonObject, ParseError, parseDuration } from '@flotilla/machinery';
import type { AllowedCommand, InventoryApi } from './settings.ts';

/** How the value of a key is read; undefined says that it is none of the allowed ones. */
export interface ConfigValue<T> {
  /** For messages, behind "must be". */
  readonly allowed: string;
  readonly read: (value: unknown) => T | undefined;
}

/** Any text but an empty one. */
export const text: ConfigValue<string> = {
  allowed: 'a text',
  read: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
};

/** A list of texts; one text with commas between means the same. */
export const texts: ConfigValue<readonly string[]> = {
  allowed: 'a list of texts',
  read: (value) => {
    const list = typeof value === 'string' ? value.split(',').filter(Boolean) : value;
    return Array.isArray(list) && list.every((each) => typeof each === 'string' && each !== '')
      ? (list as string[])
      : undefined;
  },
};

/** True or false. */
export const bool: ConfigValue<boolean> = {
  allowed: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** A whole number that is not below `least`. */
export function integer(least: number): ConfigValue<number> {
  return {
    allowed: `a whole number from ${least} on`,
    read: (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= least
        ? value
        : undefined,
  };
}

/** A duration of Go, in milliseconds. */
export function duration(isZeroAllowed: boolean): ConfigValue<number> {
  return {
    allowed: `a duration such as 30s, 1m30s or 500ms${isZeroAllowed ? '' : ', above 0'}`,
    read: (value) => {
      const ms = typeof value === 'string' ? durationOf(value) : value === 0 ? 0 : undefined;
      return ms !== undefined && (ms > 0 || (isZeroAllowed && ms === 0)) ? ms : undefined;
    },
  };
}

function durationOf(value: string): number | undefined {
  try {
    return durationToMs(parseDuration(value));
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

/** One of several words. */
export function oneOf<const T extends string>(...words: readonly T[]): ConfigValue<T> {
  return {
    allowed: `one of ${words.join(', ')}`,
    read: (value) => words.find((word) => word === value),
  };
}

/** Words where the first documents of this tool had booleans, which still mean what they meant. */
export function oneOfOrBool<const T extends string>(
  booleans: { readonly true: T; readonly false: T },
  ...words: readonly T[]
): ConfigValue<T> {
  return {
    allowed: `true, false or one of ${words.join(', ')}`,
    read: (value) =>
      typeof value === 'boolean'
        ? booleans[value ? 'true' : 'false']
        : words.find((word) => word === value),
  };
}

/** Several of several words, each once. */
export function listOf<const T extends string>(...words: readonly T[]): ConfigValue<readonly T[]> {
  return {
    allowed: `a list of ${words.join(', ')}, each once`,
    read: (value) => {
      const list = texts.read(value);
      if (list === undefined || new Set(list).size !== list.length) return undefined;
      const known = list.flatMap((each) => words.filter((word) => word === each));
      return known.length === list.length ? known : undefined;
    },
  };
}

/** Where clusters are looked up. */
export const inventoryApi: ConfigValue<InventoryApi> = {
  allowed: 'one of clusterprofile, inventory, about, kubeconfig, file:PATH',
  read: (value) => {
    if (typeof value !== 'string') return undefined;
    // The Cluster Inventory API is the API of profiles, by another name.
    if (value === 'clusterprofile' || value === 'inventory') return 'clusterprofile';
    if (value === 'about' || value === 'kubeconfig') return value;
    const file = /^file:(.+)$/s.exec(value)?.[1];
    return file === undefined ? undefined : { file };
  },
};

/** Credential commands: names, or names with the arguments they must have. */
export const allowedCommands: ConfigValue<readonly AllowedCommand[]> = {
  allowed: 'a list of commands, each a name or {command: NAME, args: [TEXT]}',
  read: (value) => {
    const list = typeof value === 'string' ? texts.read(value) : value;
    if (!Array.isArray(list)) return undefined;
    const commands = list.map(allowedCommand);
    return commands.every((each) => each !== undefined) ? commands : undefined;
  },
};

function allowedCommand(value: unknown): AllowedCommand | undefined {
  if (typeof value === 'string') return value === '' ? undefined : { command: value };
  if (!isJsonObject(value)) return undefined;
  const { command, args, ...others } = value;
  if (typeof command !== 'string' || command === '' || Object.keys(others).length > 0) {
    return undefined;
  }
  if (args === undefined) return { command };
  const isTexts = Array.isArray(args) && args.every((each) => typeof each === 'string');
  return isTexts ? { command, args: args as string[] } : undefined;
}
