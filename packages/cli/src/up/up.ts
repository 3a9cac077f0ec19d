import { startServer } from '@flotilla/apiserver';
import type { Io } from '../io.ts';
import type { UpConfig } from './config.ts';
import { fleetMembers } from './fleet-member.ts';
import { lastAccess } from './last-access.ts';
import type { RunningMember } from './start-member.ts';
import { welcome } from './welcome.ts';

/** More than requests under way are given. */
const STOPPED_WITHIN_MS = 60_000;

/**
 * Runs a hub and its fleet in the foreground until a signal comes. The hub serves before anything else is loaded, so that
 * it is there at once; controllers and members follow.
 */
export async function up(
  config: UpConfig,
  { io, random }: { readonly io: Io; readonly random: () => number },
): Promise<number> {
  const members = fleetMembers(config.dataFolder, config.fleet);
  const running = new Map<string, RunningMember>();
  const mounts = config.isPlain ? [] : (await import('./hub-mounts.ts')).hubMounts();
  const hub = await startServer({
    name: 'hub',
    dataFolder: config.dataFolder,
    kubeconfigFile: config.kubeconfigFile,
    // Members that have yet to start are where they were, or nowhere.
    neighbours: () =>
      members.flatMap((member) => running.get(member.name)?.access() ?? lastAccess(member) ?? []),
    mounts,
    host: config.host,
    port: config.port,
    disabledControllers: config.disabledControllers,
    ...(config.advertiseAddress === undefined ? {} : { advertiseAddress: config.advertiseAddress }),
    ...(config.serviceCidr === undefined ? {} : { serviceCidr: config.serviceCidr }),
    log: (line) => io.err(`${line}\n`),
  });
  io.out(welcome(hub, config, await pluginsFor(config, io)));

  const fleet = runRest({ config, members, running, hub, io, random });
  const problem = await Promise.race([fleet, untilAborted(io.signal)]);
  if (problem !== undefined) io.err(`Cannot go on: ${problem.message}\n`);
  io.err('Stopping: requests under way are finished first\n');
  // Timers of the server keep no process alive; while it stops, they may be all there is.
  const hold = setTimeout(() => {}, STOPPED_WITHIN_MS);
  const last = problem ?? (await fleet);
  await hub.stop();
  clearTimeout(hold);
  io.err('Stopped\n');
  return last === undefined ? 0 : 1;
}

/** Where a fleet's users find `kubectl-mc`; a hub alone starts without looking. */
async function pluginsFor({ fleet }: UpConfig, { env }: Io): Promise<string | undefined> {
  if (fleet === 0) return undefined;
  return await (await import('./plugin-folder.ts')).pluginFolder(env['PATH'] ?? '');
}

type Rest = Parameters<typeof import('./run-fleet.ts').runFleet>[0];

/** Ends with what kept it from going on; a hub without anything beside it goes on by itself. */
async function runRest(options: Rest): Promise<Error | undefined> {
  const { config, io } = options;
  try {
    if (config.isPlain && !config.simulates) await untilAborted(io.signal);
    else await (await import('./run-fleet.ts')).runFleet(options);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function untilAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
