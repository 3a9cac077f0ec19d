import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Flags } from '../flags/flag.ts';
import { FlagError } from '../flags/flag-error.ts';
import type { Io } from '../io.ts';
import type { Paths } from '../session.ts';
import { UsageError } from '../usage-error.ts';
import type { ConfigFile } from './config-file.ts';
import {
  type ConfigKey,
  type ConfigValues,
  configKeys,
  readTyped,
  variableOf,
} from './config-keys.ts';
import { inventoryApi } from './config-value.ts';
import { everything, groupNamed } from './groups.ts';
import { kubectlFlagsOf } from './kubectl-flags.ts';
import { pathsOf } from './paths.ts';
import { splitPatterns } from './patterns.ts';
import type { Settings } from './settings.ts';

/** What a run goes by. */
export interface ReadSettings {
  readonly settings: Settings;
  readonly paths: Paths;
  /** For stderr, without `Warning: `. */
  readonly warnings: readonly string[];
}

/** The part of the world that settings come from. */
export type SettingsIo = Pick<Io, 'env' | 'homeFolder' | 'cwd'>;

/** Puts flags over the environment over the config file over defaults; what cannot be meant is a UsageError. */
export async function readSettings(flags: Flags, io: SettingsIo): Promise<ReadSettings> {
  const paths = pathsOf(io, flags.text('cache-dir'));
  const file = await configOf(paths.config);
  const values: ConfigValues = {
    ...oneHub(atHome(file.values, paths, io)),
    ...oneHub(ofEnvironment(io)),
  };
  return {
    settings: settingsOf(flags, { values, file, paths, io }),
    paths,
    warnings: file.warnings,
  };
}

const EMPTY: ConfigFile = { values: {}, groups: new Map(), warnings: [] };

/** The config file, read; nothing when there is none. */
export async function configOf(path: string): Promise<ConfigFile> {
  let source: string;
  try {
    // At once: nothing could be done meanwhile, and what reads files in the background is slow to load.
    source = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return EMPTY;
    throw new UsageError(`Cannot read config file "${path}": ${(error as Error).message}`, {
      cause: error,
    });
  }
  // A parser of YAML is not for those who have no such file.
  const { readConfigFile } = await import('./config-file.ts');
  return readConfigFile(source, path);
}

/** One hub is a list of one; whoever says either counts for both. */
function oneHub(values: ConfigValues): ConfigValues {
  const context = values['hub.context'];
  return context === undefined ? values : { 'hub.contexts': [context], ...values };
}

const PATH_KEYS = ['hub.kubeconfig', 'access.providerFile'] as const;

/** Paths in the config file are relative to it. */
function atHome(values: ConfigValues, paths: Paths, io: SettingsIo): ConfigValues {
  const folder = dirname(paths.config);
  const placed = { ...values };
  for (const key of PATH_KEYS) {
    const path = values[key];
    if (path !== undefined) placed[key] = resolve(folder, expandHome(path, io));
  }
  const api = values['discovery.api'];
  if (typeof api === 'object') {
    placed['discovery.api'] = { file: resolve(folder, expandHome(api.file, io)) };
  }
  return placed;
}

function expandHome(path: string, io: SettingsIo): string {
  return path.startsWith('~/') ? join(io.homeFolder, path.slice(2)) : path;
}

/** Values of the environment, each checked as in the file. */
export function ofEnvironment({ env }: Pick<Io, 'env'>): ConfigValues {
  const values: Record<string, unknown> = {};
  for (const key of Object.keys(configKeys) as ConfigKey[]) {
    const typed = env[variableOf(key)];
    if (typed === undefined || typed === '') continue;
    const value = readTyped(key, typed);
    if (value === undefined) {
      throw new UsageError(
        `Cannot use ${variableOf(key)}="${typed}": ${key} must be ${configKeys[key].allowed}`,
      );
    }
    values[key] = value;
  }
  return values as ConfigValues;
}

interface Sources {
  readonly values: ConfigValues;
  readonly file: ConfigFile;
  readonly paths: Paths;
  readonly io: SettingsIo;
}

function settingsOf(flags: Flags, { values, file, paths, io }: Sources): Settings {
  const boolOf = (name: string, otherwise: boolean): boolean =>
    flags.isSet(name) ? flags.bool(name) : otherwise;
  const listOf = (name: string, ...otherwise: (readonly string[] | undefined)[]) =>
    flags.isSet(name)
      ? flags.texts(name).filter((each) => each !== '')
      : (otherwise.find((list) => list !== undefined) ?? []);
  const pathOf = (name: string): string | undefined => {
    const path = flags.text(name);
    return path === undefined || path === '' ? undefined : resolve(io.cwd, path);
  };
  return {
    hub: {
      contexts: listOf('hub-context', values['hub.contexts']),
      kubeconfig: pathOf('hub-kubeconfig') ?? values['hub.kubeconfig'],
      namespaces: listOf('hub-namespace', values['hub.namespaces'], ['*']),
    },
    discovery: {
      cacheTtlMs: values['discovery.cacheTTL'] ?? 300_000,
      api: apiOf(flags, io) ?? values['discovery.api'] ?? 'clusterprofile',
      refresh: flags.bool('refresh'),
      noCache: flags.bool('no-cache'),
    },
    selection: {
      ...everything,
      clusters: flags.texts('clusters').flatMap(splitPatterns),
      exclude: flags.isSet('exclude')
        ? flags.texts('exclude').flatMap(splitPatterns)
        : (values['selection.exclude'] ?? []),
      clusterSelector: flags.text('cluster-selector'),
      properties: flags.texts('property'),
      clusterset: flags.text('clusterset'),
      manager: flags.text('manager'),
      placement: flags.text('placement'),
      groups: flags.texts('group').map((name) => groupNamed(name, file.groups, paths.config)),
      allClusters: flags.bool('all-clusters'),
      pick: flags.bool('pick'),
    },
    access: {
      order: values['access.order'] ?? [
        'mapping',
        'provider-file',
        'properties',
        'kubeconfig-match',
        'hub-proxy',
      ],
      providerFile: pathOf('provider-file') ?? values['access.providerFile'],
      builtinTemplates: values['access.builtinTemplates'] ?? true,
      allowedCommands: values['access.allowedCommands'] ?? [],
      hubProxy: values['access.hubProxy'],
      hubProxyTemplate: values['access.hubProxyTemplate'],
      allowInsecureProfiles: values['access.allowInsecureProfiles'] ?? false,
      diskCache: values['access.diskCache'] ?? false,
    },
    execution: {
      maxConcurrency: atLeast(flags, 'concurrency', 1) ?? values['execution.maxConcurrency'] ?? 10,
      timeoutMs: aboveZero(flags, 'cluster-timeout') ?? values['execution.timeout'] ?? 30_000,
      connectTimeoutMs:
        aboveZero(flags, 'connect-timeout') ?? values['execution.connectTimeout'] ?? 5_000,
      deadlineMs: aboveZero(flags, 'deadline') ?? values['execution.deadline'],
      retries: atLeast(flags, 'retries', 0) ?? values['execution.retries'] ?? 1,
      unhealthy:
        (flags.text('unhealthy') as Settings['execution']['unhealthy'] | undefined) ??
        values['execution.unhealthy'] ??
        'last',
      failFast: boolOf('fail-fast', values['execution.continueOnError'] === false),
      allowPartial: boolOf('allow-partial', values['execution.allowPartial'] ?? false),
      requireAll: flags.bool('require-all'),
    },
    output: {
      color: colorOf(flags, values, io),
      clusterColumn:
        (flags.text('cluster-column') as Settings['output']['clusterColumn'] | undefined) ??
        values['output.showClusterColumn'] ??
        'after-name',
      stream: boolOf('stream', values['output.stream'] ?? false),
      progress: flags.text('progress') === 'none' ? 'none' : 'auto',
    },
    verbosity: Math.max(0, flags.integer('v') ?? 0),
    kubectl: kubectlFlagsOf(flags),
  };
}

function apiOf(flags: Flags, io: SettingsIo): Settings['discovery']['api'] | undefined {
  const typed = flags.text('inventory');
  if (typed === undefined) return undefined;
  const api = inventoryApi.read(typed);
  if (api === undefined) {
    throw new FlagError(
      `invalid argument "${typed}" for "--inventory" flag: must be ${inventoryApi.allowed}`,
    );
  }
  return typeof api === 'object' ? { file: resolve(io.cwd, expandHome(api.file, io)) } : api;
}

/** `NO_COLOR` and a terminal that has none decide only where nobody else has. */
function colorOf(
  flags: Flags,
  values: ConfigValues,
  { env }: SettingsIo,
): Settings['output']['color'] {
  const said =
    (flags.text('color') as Settings['output']['color'] | undefined) ??
    values['output.colorize'] ??
    'auto';
  const isPlain = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return said === 'auto' && isPlain ? 'never' : said;
}

function atLeast(flags: Flags, name: string, least: number): number | undefined {
  const value = flags.integer(name);
  if (value !== undefined && value < least) {
    throw new FlagError(
      `invalid argument "${value}" for "--${name}" flag: must be ${least} or more`,
    );
  }
  return value;
}

function aboveZero(flags: Flags, name: string): number | undefined {
  const value = flags.durationMs(name);
  if (value !== undefined && value <= 0) {
    throw new FlagError(`invalid argument for "--${name}" flag: must be above 0`);
  }
  return value;
}
