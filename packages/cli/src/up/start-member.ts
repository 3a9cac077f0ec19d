import { type AdminAccess, type RunningServer, startServer } from '@flotilla/apiserver';
import type { Client } from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import type { Logger } from '@flotilla/runtime';
import { type Simulator, startSimulator } from '@flotilla/simulator';
import { connectAdmin } from './connect.ts';
import type { FleetMember } from './fleet-member.ts';
import { memberKubeconfigFile } from './last-access.ts';
import { isPortTaken, rememberedPort, rememberPort } from './remembered-port.ts';
import { seedWorkloads } from './seed-workloads.ts';

/** A member that runs. */
export interface RunningMember {
  readonly member: FleetMember;
  readonly access: () => AdminAccess;
  /** Gives it a node and, the first time, workloads. */
  readonly populate: (signal: AbortSignal) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** What starting a member needs. */
export interface MemberOptions {
  readonly member: FleetMember;
  readonly random: () => number;
  readonly logger: Logger;
  readonly log: (line: string) => void;
  /** Told when the way to the member has changed. */
  readonly onAccess: () => void;
}

/** Starts the API server of a member, on the port it had before where that is still free. */
export async function startMember(options: MemberOptions): Promise<RunningMember> {
  const { member, random, logger } = options;
  const server = await startOnPort(options);
  rememberPort(member.folder, Number(new URL(server.url).port));
  const client = connectAdmin(server, random);
  let simulator: Simulator | undefined;
  return {
    member,
    access: server.access,
    populate: async (signal) => {
      simulator = await startSimulator({
        client,
        clock: systemClock,
        random,
        nodePrefix: `${member.name}-node`,
        nodeLabels: nodeLabels(member),
        logger: logger.child({ member: member.name }),
      });
      await seedWorkloads(client, member, signal);
    },
    stop: async () => {
      await simulator?.[Symbol.asyncDispose]();
      await close(client);
      await server.stop();
    },
  };
}

async function startOnPort(options: MemberOptions): Promise<RunningServer> {
  const { member, log, onAccess } = options;
  const start = (port: number): Promise<RunningServer> =>
    startServer({
      name: member.name,
      dataFolder: member.folder,
      kubeconfigFile: memberKubeconfigFile(member),
      port,
      log: (line) => log(`${member.name}: ${line}`),
      onAccess,
    });
  const port = rememberedPort(member.folder);
  try {
    return await start(port);
  } catch (error) {
    if (port === 0 || !isPortTaken(error)) throw error;
    log(`${member.name}: port ${port} is taken by another program, so it gets another one`);
    return start(0);
  }
}

function nodeLabels({ region }: FleetMember): Record<string, string> {
  return {
    'topology.kubernetes.io/region': region,
    'topology.kubernetes.io/zone': `${region}-1a`,
  };
}

async function close(client: Client): Promise<void> {
  await client[Symbol.asyncDispose]();
}
