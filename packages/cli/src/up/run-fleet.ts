import type { AdminAccess, RunningServer } from '@flotilla/apiserver';
import type { Client } from '@flotilla/client';
import { DEFAULT_GATEWAY_NAMESPACE } from '@flotilla/hub';
import { systemClock } from '@flotilla/machinery';
import { createLogger, type Logger } from '@flotilla/runtime';
import { startSimulator } from '@flotilla/simulator';
import type { Io } from '../io.ts';
import type { UpConfig } from './config.ts';
import { connectAdmin } from './connect.ts';
import type { FleetMember } from './fleet-member.ts';
import { startHubControllers } from './hub-controllers.ts';
import { joinMember } from './join-member.ts';
import { type RunningMember, startMember } from './start-member.ts';

/** What makes a hub and a fleet of an API server that runs already. */
export interface FleetOptions {
  readonly config: Pick<UpConfig, 'isPlain' | 'simulates' | 'dialsLoopback' | 'execProfiles'>;
  readonly members: readonly FleetMember[];
  /** The members that run, by name, as the kubeconfig shows them. */
  readonly running: Map<string, RunningMember>;
  readonly hub: Pick<RunningServer, 'access' | 'ask' | 'writeKubeconfig'>;
  readonly io: Io;
  readonly random: () => number;
}

/**
 * Runs everything beside the hub's API server until the signal, and stops it in order: controllers first, so that none of
 * them takes a member that stops for one that is lost.
 */
export async function runFleet(options: FleetOptions): Promise<void> {
  const { config, io, random, running, hub } = options;
  const { signal } = io;
  const logger = createLogger({
    sink: { write: io.err },
    clock: systemClock,
    level: 'warn',
  });
  const client = connectAdmin(hub, random);
  const stops: (() => Promise<unknown>)[] = [];
  try {
    let failed: Promise<unknown> = new Promise(() => {});
    if (!config.isPlain) {
      const { server, ca } = hub.access();
      const { dialsLoopback, execProfiles } = config;
      const address = { server, ca };
      const { ended } = await startHubControllers({
        client,
        random,
        logger,
        signal,
        address,
        dialsLoopback,
        execProfiles,
      });
      failed = ended;
      stops.push(() => ended);
    }
    if (config.simulates) {
      const simulator = await startSimulator({
        client,
        clock: systemClock,
        random,
        nodePrefix: 'hub-node',
        logger,
      });
      stops.push(async () => simulator[Symbol.asyncDispose]());
    }
    const starting = startMembers(options, { client, logger });
    stops.push(async () => {
      await starting.catch(() => {});
      for (const member of [...running.values()].reverse()) await member.stop();
    });
    await Promise.race([failed, starting]);
    await Promise.race([failed, aborted(signal)]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    for (const stop of stops) await stop().catch(() => {});
    await client[Symbol.asyncDispose]();
  }
}

interface Started {
  readonly client: Client;
  readonly logger: Logger;
}

/** All of them join before the first one gets its workloads, because that is what people look at first. */
async function startMembers(options: FleetOptions, started: Started): Promise<void> {
  const { io, members, running } = options;
  const removed: string[] = [];
  for (const member of members) {
    if (io.signal.aborted) return;
    await telling(options, member, async () => {
      const joining = await startAndJoin(options, started, member);
      if (joining === 'removed') removed.push(member.name);
    });
  }
  for (const each of running.values()) {
    if (io.signal.aborted) return;
    await telling(options, each.member, () => each.populate(io.signal));
  }
  const names = [...running.keys()].filter((name) => !removed.includes(name));
  if (names.length > 0) io.out(`The fleet is up: ${names.join(', ')}\n`);
  if (removed.length > 0) {
    io.out(
      `Not in the fleet, because their registrations were deleted: ${removed.join(', ')}. They still run; join one again with "flotilla cluster join <data>/members/NAME/kubeconfig"\n`,
    );
  }
}

async function startAndJoin(
  { io, random, running, hub }: FleetOptions,
  { client, logger }: Started,
  member: FleetMember,
) {
  const join = (access: AdminAccess) =>
    joinMember(
      { hub: client, namespace: DEFAULT_GATEWAY_NAMESPACE, signal: io.signal },
      member,
      access,
    );
  const started = await startMember({
    member,
    random,
    logger,
    log: (line) => io.err(`${line}\n`),
    onAccess: () => {
      const known = running.get(member.name);
      // Still starting: what follows uses the new one.
      if (known === undefined) return;
      hub.writeKubeconfig();
      join(known.access()).catch((err: unknown) => {
        logger.error('Cannot tell the hub of the new certificates of a member', {
          member: member.name,
          err,
        });
      });
    },
  });
  running.set(member.name, started);
  hub.writeKubeconfig();
  return join(started.access());
}

/** What goes wrong with one member is told, and costs the others nothing. */
async function telling(
  { io }: FleetOptions,
  { name }: FleetMember,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (io.signal.aborted) return;
    io.err(`Cannot run ${name}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

/** Resolves when a signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
