import { defaultHubConfig, endpointPolicyProblems, type HubConfig } from '@flotilla/hub';
import { isDNS1123Label } from '@flotilla/machinery';
import { type LogLevel, logLevels } from '@flotilla/runtime';
import { readExecProfiles } from '../exec-profiles.ts';
import { UsageError } from '../usage-error.ts';

/** The flags as commander gives them. */
export interface HubFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly gatewayNamespace?: string;
  readonly inventoryNamespace?: string;
  readonly inventory?: boolean;
  readonly includeHub?: boolean;
  readonly unregistered?: boolean;
  readonly sourceNamespaces?: string;
  readonly allowEndpoints?: string;
  readonly denyEndpoints?: string;
  readonly allowLoopback?: boolean;
  readonly allowInsecureTls?: boolean;
  readonly execProfiles?: string;
  readonly concurrency?: string;
  readonly install?: boolean;
  readonly leaderElect?: boolean;
  readonly leaseNamespace?: string;
  readonly identity?: string;
  readonly metricsAddress?: string;
  readonly webhookPort?: string;
  readonly webhookService?: string;
  readonly logLevel?: string;
}

/** How `flotilla hub` is to run; nothing is left open. */
export interface HubCommandConfig {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly hub: HubConfig;
  /** Whether our CRDs are installed and kept up to date. */
  readonly installs: boolean;
  /** Undefined: this process takes itself for the only one. */
  readonly leaseNamespace: string | undefined;
  readonly identity: string;
  /** Where metrics and health are served; undefined for nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  readonly webhook:
    | { readonly port: number; readonly namespace: string; readonly name: string }
    | undefined;
  readonly logLevel: LogLevel;
}

/** What the flags are read with. */
export interface HubWorld {
  readonly readFile: (path: string) => string;
  readonly hostname: string;
}

/** The CLI's own name for the Lease, the webhook's Secret and its Service. */
export const HUB_NAME = 'flotilla-hub';

/** Reads the flags; everything that is wrong with them is told at once. */
export function hubConfig(flags: HubFlags, world: HubWorld): HubCommandConfig {
  const problems: string[] = [];
  const complain = (problem: string) => void problems.push(problem);
  const gatewayNamespace = flags.gatewayNamespace ?? defaultHubConfig.gatewayNamespace;
  const hub: HubConfig = {
    ...defaultHubConfig,
    gatewayNamespace: namespace('--gateway-namespace', gatewayNamespace, complain),
    inventoryNamespace: namespace(
      '--inventory-namespace',
      flags.inventoryNamespace ?? defaultHubConfig.inventoryNamespace,
      complain,
    ),
    publishesInventory: flags.inventory ?? true,
    includesHub: flags.includeHub ?? false,
    includesUnregistered: flags.unregistered ?? true,
    sourceNamespaces: sourceNamespaces(flags.sourceNamespaces, complain),
    endpoints: {
      allow: list(flags.allowEndpoints),
      deny: list(flags.denyEndpoints),
      allowsLoopback: flags.allowLoopback ?? false,
    },
    allowInsecureTls: flags.allowInsecureTls ?? false,
    execProfiles: profiles(flags.execProfiles, world, complain),
    concurrency: number('--concurrency', flags.concurrency, {
      fallback: defaultHubConfig.concurrency,
      least: 1,
      most: 1024,
      complain,
    }),
  };
  for (const problem of endpointPolicyProblems(hub.endpoints)) complain(problem);
  const config: HubCommandConfig = {
    kubeconfig: flags.kubeconfig,
    context: flags.context,
    hub,
    installs: flags.install ?? true,
    leaseNamespace:
      flags.leaderElect === true ? (flags.leaseNamespace ?? gatewayNamespace) : undefined,
    identity: flags.identity ?? world.hostname,
    metrics: address(flags.metricsAddress, complain),
    webhook: webhook(flags, complain),
    logLevel: level(flags.logLevel ?? 'info', complain),
  };
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return config;
}

type Complain = (problem: string) => void;

function list(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function namespace(flag: string, value: string, complain: Complain): string {
  if (isDNS1123Label(value).length > 0) {
    complain(`Cannot use ${flag} "${value}": it is not the name of a namespace`);
  }
  return value;
}

function sourceNamespaces(
  text: string | undefined,
  complain: Complain,
): HubConfig['sourceNamespaces'] {
  if (text === undefined) return defaultHubConfig.sourceNamespaces;
  if (text.trim() === 'all') return 'all';
  return list(text).map((each) => namespace('--source-namespaces', each, complain));
}

function profiles(
  file: string | undefined,
  { readFile }: HubWorld,
  complain: Complain,
): HubConfig['execProfiles'] {
  if (file === undefined) return [];
  try {
    return readExecProfiles(file, readFile);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(error.message);
    return [];
  }
}

function number(
  flag: string,
  text: string | undefined,
  {
    fallback,
    least,
    most,
    complain,
  }: {
    readonly fallback: number;
    readonly least: number;
    readonly most: number;
    readonly complain: Complain;
  },
): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  const isGood = /^\d+$/.test(text) && value >= least && value <= most;
  if (!isGood)
    complain(`Cannot use ${flag} "${text}": it is not a number from ${least} to ${most}`);
  return isGood ? value : fallback;
}

/** `8080`, `:8080`, `0.0.0.0:8080` or `[::]:8080`. */
function address(text: string | undefined, complain: Complain): HubCommandConfig['metrics'] {
  if (text === undefined || text === '') return undefined;
  const [, host = '', port = ''] = /^(?:(.*):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535) {
    complain(`Cannot use --metrics-address "${text}": it is not an address such as 0.0.0.0:8080`);
    return undefined;
  }
  const bare = host.replace(/^\[|\]$/g, '');
  return { host: bare === '' ? '127.0.0.1' : bare, port: Number(port) };
}

function webhook(
  { webhookPort, webhookService }: HubFlags,
  complain: Complain,
): HubCommandConfig['webhook'] {
  if (webhookPort === undefined && webhookService === undefined) return undefined;
  const [serviceNamespace = '', name = ''] = (webhookService ?? '').split('/');
  if ([serviceNamespace, name].some((each) => isDNS1123Label(each).length > 0)) {
    complain(
      `Cannot use --webhook-service "${webhookService ?? ''}": it is not the namespace/name of the Service in front of the webhook`,
    );
  }
  const bounds = { fallback: 9443, least: 1, most: 65_535, complain };
  const port = number('--webhook-port', webhookPort, bounds);
  return { port, namespace: serviceNamespace, name };
}

function level(text: string, complain: Complain): LogLevel {
  const found = logLevels.find((each) => each === text);
  if (found === undefined) {
    complain(`Cannot use --log-level "${text}": it is none of ${logLevels.join(', ')}`);
  }
  return found ?? 'info';
}
