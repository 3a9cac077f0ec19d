import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { ExecProfile } from '@flotilla/hub';
import { UsageError } from '../usage-error.ts';

/** How `flotilla up` is to run; nothing is left open. */
export interface UpConfig {
  readonly dataFolder: string;
  readonly kubeconfigFile: string;
  readonly host: string;
  readonly port: number;
  /** Address others reach the server at; undefined when only this machine can. */
  readonly advertiseAddress: string | undefined;
  readonly serviceCidr: string | undefined;
  readonly disabledControllers: readonly string[];
  /** Whether the hub's own controllers, kinds and gateway are left out: then it is an API server and nothing else. */
  readonly isPlain: boolean;
  /** How many members to run beside the hub. */
  readonly fleet: number;
  /** Whether members may be on this machine: where the hub itself is for this machine alone, or runs the fleet. */
  readonly dialsLoopback: boolean;
  /** Commands that kubeconfigs of members may name. */
  readonly execProfiles: readonly ExecProfile[];
  /** Whether the hub has a simulated node, so that its own workloads run. */
  readonly simulates: boolean;
}

/** The flags as commander gives them. */
export interface UpFlags {
  readonly data?: string;
  readonly port?: string;
  readonly kubeconfig?: string;
  readonly host?: string;
  readonly advertiseAddress?: string;
  readonly serviceCidr?: string;
  readonly disableControllers?: string;
  readonly fleet?: string;
  readonly simulate?: boolean;
  readonly execProfiles?: string;
}

/** What `--disable-controllers` calls everything that makes a hub of an API server. */
const HUB = 'hub';

/** What `--disable-controllers` may name. */
export const CONTROLLERS: readonly string[] = [
  'namespace',
  'serviceaccount',
  'root-ca-certificate-publisher',
  'clusterrole-aggregation',
  'standing-objects',
  HUB,
];

/** Where `flotilla up` listens: for this machine alone. */
const DEFAULT_HOST = '127.0.0.1';

/** The port `flotilla up` takes unless told otherwise; the same as kube-apiserver's. */
export const DEFAULT_PORT = 6443;

/** Members that `flotilla up` runs unless told otherwise. */
export const DEFAULT_FLEET = 3;
/** Each is a server in this process; more than this belongs into processes of their own. */
const LARGEST_FLEET = 50;

/** What the flags are relative to. */
export interface UpWorld {
  readonly homeFolder: string;
  readonly cwd: string;
  /** The path without symbolic links, as far as it exists. */
  readonly realPath: (path: string) => string;
  /** What the file of `--exec-profiles` says. @default no command may be named */
  readonly execProfiles?: readonly ExecProfile[];
}

/** Reads flags, telling all that is wrong with them at once. */
export function upConfig(flags: UpFlags, world: UpWorld): UpConfig {
  const problems: string[] = [];
  const port = flags.port === undefined ? DEFAULT_PORT : Number(flags.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    problems.push(`Cannot use --port "${flags.port ?? ''}": it must be a number from 0 to 65535`);
  }
  if (flags.data === '') problems.push('Cannot use --data "": it must name a directory');
  if (flags.kubeconfig === '') problems.push('Cannot use --kubeconfig "": it must name a file');
  if (flags.advertiseAddress !== undefined && isIP(flags.advertiseAddress) === 0) {
    problems.push(
      `Cannot use --advertise-address "${flags.advertiseAddress}": it must be an IP address`,
    );
  }
  const cidr = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(flags.serviceCidr ?? '10.0.0.0/16');
  if (cidr === null || isIP(cidr[1] ?? '') !== 4 || Number(cidr[2]) < 8 || Number(cidr[2]) > 28) {
    problems.push(
      `Cannot use --service-cidr "${flags.serviceCidr ?? ''}": it must be an IPv4 network such as 10.0.0.0/16`,
    );
  }
  const disabledControllers = (flags.disableControllers ?? '')
    .split(',')
    .filter((name) => name !== '');
  for (const name of disabledControllers) {
    if (!CONTROLLERS.includes(name)) {
      problems.push(`Cannot turn off controller "${name}": there are ${CONTROLLERS.join(', ')}`);
    }
  }
  const isPlain = disabledControllers.includes(HUB);
  const isLocal = isLoopback(flags.host ?? DEFAULT_HOST);
  // Who opens a hub to others has members of their own.
  const defaultFleet = isPlain || !isLocal ? 0 : DEFAULT_FLEET;
  const fleet = flags.fleet === undefined ? defaultFleet : fleetSize(flags.fleet);
  if (fleet === undefined) {
    problems.push(
      `Cannot use --fleet "${flags.fleet ?? ''}": it must be a number from 0 to ${LARGEST_FLEET}`,
    );
  } else if (isPlain && fleet > 0) {
    problems.push('Cannot use --fleet without the hub: leave "hub" out of --disable-controllers');
  }
  if (isPlain && flags.execProfiles !== undefined) {
    problems.push(
      'Cannot use --exec-profiles without the hub: leave "hub" out of --disable-controllers',
    );
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  const path = (given: string): string => resolve(world.cwd, given);
  const dataFolder =
    flags.data === undefined ? join(world.homeFolder, '.flotilla') : path(flags.data);
  const kubeconfigFile =
    flags.kubeconfig === undefined ? join(dataFolder, 'kubeconfig') : path(flags.kubeconfig);
  // People keep their credentials for everything else there; nothing of ours writes to it.
  const personal = join(world.homeFolder, '.kube', 'config');
  if (world.realPath(kubeconfigFile) === world.realPath(personal)) {
    throw new UsageError(
      `Cannot write the kubeconfig to "${kubeconfigFile}": that file is yours; give another one with --kubeconfig`,
    );
  }
  return {
    dataFolder,
    kubeconfigFile,
    host: flags.host ?? DEFAULT_HOST,
    port,
    advertiseAddress: flags.advertiseAddress,
    serviceCidr: flags.serviceCidr,
    disabledControllers: disabledControllers.filter((name) => name !== HUB),
    isPlain,
    fleet: fleet ?? 0,
    dialsLoopback: isLocal || (fleet ?? 0) > 0,
    execProfiles: world.execProfiles ?? [],
    simulates: flags.simulate === true,
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function fleetSize(text: string): number | undefined {
  const size = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return size <= LARGEST_FLEET ? size : undefined;
}
