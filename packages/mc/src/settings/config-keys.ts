import {
  allowedCommands,
  bool,
  type ConfigValue,
  duration,
  integer,
  inventoryApi,
  listOf,
  oneOf,
  oneOfOrBool,
  text,
  texts,
} from './config-value.ts';

/** Every key of the config file but `groups`, whose names are the user's. */
export const configKeys = {
  'hub.context': text,
  'hub.contexts': texts,
  'hub.kubeconfig': text,
  'hub.namespaces': texts,
  'discovery.cacheTTL': duration(true),
  'discovery.api': inventoryApi,
  'selection.exclude': texts,
  'access.order': listOf('mapping', 'provider-file', 'properties', 'kubeconfig-match', 'hub-proxy'),
  'access.providerFile': text,
  'access.builtinTemplates': bool,
  'access.allowedCommands': allowedCommands,
  'access.hubProxy': oneOf('cluster-gateway', 'cluster-proxy', 'karmada'),
  'access.hubProxyTemplate': text,
  'access.allowInsecureProfiles': bool,
  'access.diskCache': bool,
  'execution.maxConcurrency': integer(1),
  'execution.timeout': duration(false),
  'execution.connectTimeout': duration(false),
  'execution.deadline': duration(false),
  'execution.retries': integer(0),
  'execution.unhealthy': oneOf('try', 'last', 'skip'),
  'execution.continueOnError': bool,
  'execution.allowPartial': bool,
  'output.colorize': oneOfOrBool({ true: 'auto', false: 'never' }, 'auto', 'always', 'never'),
  'output.showClusterColumn': oneOfOrBool(
    { true: 'after-name', false: 'none' },
    'first',
    'after-name',
    'none',
  ),
  'output.stream': bool,
  'safety.protected': texts,
  'setup.aws': texts,
  'setup.gcp': texts,
  'setup.gcpFleet': texts,
  'setup.azure': texts,
  'setup.azureLogin': texts,
  'setup.ali': texts,
} as const satisfies Record<string, ConfigValue<unknown>>;

/** One of them. */
export type ConfigKey = keyof typeof configKeys;

/** What was said about keys, wherever it was said. */
export type ConfigValues = {
  [Key in ConfigKey]?: Exclude<ReturnType<(typeof configKeys)[Key]['read']>, undefined>;
};

/** True for the name of a key. */
export function isConfigKey(name: string): name is ConfigKey {
  return Object.hasOwn(configKeys, name);
}

/** The variable that sets a key: `KUBECTL_MC_EXECUTION_MAXCONCURRENCY`. */
export function variableOf(key: ConfigKey): string {
  return `KUBECTL_MC_${key.replaceAll('.', '_').toUpperCase()}`;
}

/** Reads a value that was typed: of a variable or on a command line. Undefined when it is none of the allowed ones. */
export function readTyped(key: ConfigKey, typed: string): unknown {
  const { read } = configKeys[key];
  return read(typed) ?? read(scalarOf(typed));
}

/** What a file says for a value that was typed. */
export function storedForm(key: ConfigKey, typed: string): unknown {
  const { read } = configKeys[key];
  if (Array.isArray(read(typed))) return typed.split(',').filter(Boolean);
  return read(typed) === undefined ? scalarOf(typed) : typed;
}

function scalarOf(typed: string): unknown {
  if (typed === 'true' || typed === 'false') return typed === 'true';
  return /^-?\d+$/.test(typed) ? Number(typed) : typed;
}
