import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterProfile } from '@flotilla/api';
import { toYaml } from '@flotilla/machinery';
import type { TestServerOptions } from '@flotilla/testkit';
import { type FleetServer, startFleetServer } from './fleet-server.ts';
import { healthyStatus, installProfiles, offerOf, profileOf, storeProfiles } from './profiles.ts';

/** What a fleet of a test is made of. */
export interface FleetOptions {
  /** How many (`c1`, `c2`, …), or what they are called. @default 2 */
  readonly members?: number | readonly string[];
  /** The profiles of a member. @default one of its own name that offers its server */
  readonly profiles?: (member: FleetServer) => readonly ClusterProfile[];
  /** Whether a mapping file leads from each profile to the member's context. @default true */
  readonly mapping?: boolean;
  /** Whether the hub serves ClusterProfiles at all. @default true */
  readonly servesProfiles?: boolean;
  /** Of the members, by name where they differ. The hub does no manager's work. */
  readonly server?: ServerOptions | ((name: string) => ServerOptions);
}

type ServerOptions = Omit<TestServerOptions, 'around'>;

/** A hub, its members and a home folder that leads to them; may be handed to `runMc` as it is. */
export interface TestFleet extends AsyncDisposable {
  readonly hub: FleetServer;
  readonly members: readonly FleetServer[];
  /** By its name. */
  readonly member: (name: string) => FleetServer;
  /** The home folder; `~/.kube/config` has a context per server, `hub` is the current one. */
  readonly homeFolder: string;
  readonly kubeconfigFile: string;
  readonly mappingFile: string;
  /** Forgets what servers were asked so far. */
  readonly forgetRequests: () => void;
}

/**
 * Starts a hub and its members in this process, and writes the files a user would have.
 *
 * @example
 * await using fleet = await startFleet({ members: 3 });
 * const { stdout, code } = await runMc(['get', 'pods'], fleet);
 */
export async function startFleet(options: FleetOptions = {}): Promise<TestFleet> {
  const { members: asked = 2, servesProfiles = true, mapping = true } = options;
  const names =
    typeof asked === 'number' ? Array.from({ length: asked }, (_, at) => `c${at + 1}`) : asked;
  const homeFolder = mkdtempSync(join(tmpdir(), 'flotilla-mc-'));
  const servers: FleetServer[] = [];
  const { server } = options;
  const optionsOf = (name: string) => (typeof server === 'function' ? server(name) : server);
  const dispose = async (): Promise<void> => {
    rmSync(homeFolder, { recursive: true, force: true });
    await Promise.all(servers.map((each) => each[Symbol.asyncDispose]()));
  };
  try {
    const start = async (name: string, how?: ServerOptions): Promise<FleetServer> => {
      const started = await startFleetServer(name, how);
      servers.push(started);
      return started;
    };
    const [hub, ...members] = await Promise.all([
      start('hub', { doesManagersWork: false }),
      ...names.map((name) => start(name, optionsOf(name))),
    ] as const);
    if (servesProfiles) {
      await installProfiles(hub.client);
      await storeProfiles(hub.client, members.flatMap(options.profiles ?? usualProfiles));
    }
    const kubeFolder = join(homeFolder, '.kube');
    mkdirSync(kubeFolder);
    const kubeconfigFile = join(kubeFolder, 'config');
    const mappingFile = join(kubeFolder, 'kubectl-mc-clusters.yaml');
    writeFileSync(kubeconfigFile, kubeconfigOf([hub, ...members]), { mode: 0o600 });
    if (mapping) writeFileSync(mappingFile, mappingOf(members), { mode: 0o600 });
    const byName = new Map(members.map((each) => [each.name, each]));
    return {
      hub,
      members,
      member: (name) => {
        const found = byName.get(name);
        if (found === undefined) throw new Error(`Cannot find member "${name}"`);
        return found;
      },
      homeFolder,
      kubeconfigFile,
      mappingFile,
      forgetRequests: () => {
        for (const { requests } of [hub, ...members]) requests.length = 0;
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function usualProfiles({ name, server }: FleetServer): ClusterProfile[] {
  const status = healthyStatus({ accessProviders: [offerOf('test', server.access)] });
  return [profileOf({ name, status })];
}

/** A kubeconfig with a context for each server, the first one's being current. */
export function kubeconfigOf(servers: readonly FleetServer[]): string {
  return toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': servers[0]?.name ?? '',
    clusters: servers.map(({ name, server }) => offerOf(name, server.access)),
    users: [{ name: 'admin', user: { token: 'admin' } }],
    contexts: servers.map(({ name }) => ({ name, context: { cluster: name, user: 'admin' } })),
  });
}

function mappingOf(members: readonly FleetServer[]): string {
  return toYaml({
    apiVersion: 'kubectl-mc.k8s.io/v1alpha1',
    kind: 'ClusterMapping',
    hubContext: 'hub',
    clusters: members.map(({ name }) => ({ name, context: name })),
  });
}
