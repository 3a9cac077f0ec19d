import type { ClusterRegistration } from '@flotilla/api';
import { loadKubeconfig, resolveAccess } from '@flotilla/client';
import { LOCAL_CLUSTER, REQUESTED_AT_ANNOTATION } from '@flotilla/hub';
import { isDNS1123Label, systemClock } from '@flotilla/machinery';
import type { Io } from '../io.ts';
import { UsageError } from '../usage-error.ts';
import { type FleetCluster, findCluster } from './fleet.ts';
import type { HubSession } from './hub-session.ts';
import { type JoinFlags, printed, registrationFor, sourceSecret } from './join-objects.ts';
import { type MemberKubeconfig, memberKubeconfig, suggestName } from './member-kubeconfig.ts';
import { stateOf, waitFor } from './wait-for.ts';
import { writeJoin } from './write-join.ts';

/** Registers the cluster that a kubeconfig leads to. */
export async function join(
  hub: HubSession,
  { file, ...flags }: JoinFlags & { readonly file: string },
): Promise<number> {
  const { io } = hub;
  const kubeconfig = await loadKubeconfig({ env: io.env, home: io.homeFolder, path: file });
  const token = flags.staticToken === true ? await mintToken(kubeconfig, flags, io) : undefined;
  const member = await memberKubeconfig(kubeconfig, { context: flags.memberContext, token });
  const name = chooseName(flags.name, member);
  const existing = await findCluster(hub, name);
  if (existing !== undefined && !(await mayOverwrite(existing, flags, io))) return 1;

  const registration = registrationFor(hub, { name, member, existing, flags });
  const secret = sourceSecret(registration, member);
  if (flags.output !== undefined) {
    io.out(printed([secret, registration], flags.output));
    return 0;
  }
  if (member.command !== undefined) {
    io.err(
      `Note: the credential comes from the command "${member.command}"; the hub runs it only where an exec profile allows it, otherwise join with --static-token\n`,
    );
  }
  // A registration that is there already says how things stood before: this tells when it speaks of what we wrote.
  const request = new Date(systemClock.now()).toISOString();
  registration.metadata.annotations = { [REQUESTED_AT_ANNOTATION]: request };
  const written = await writeJoin(hub, { secret, registration, dryRun: flags.dryRun === true });
  if (flags.dryRun === true) {
    io.out(`Would add cluster ${name}, endpoint: ${member.server} (server dry run)\n`);
    return 0;
  }
  if (!flags.wait) {
    io.out(`Cluster ${name} is being added, endpoint: ${member.server}\n`);
    return 0;
  }
  return await report(hub, written, flags);
}

/** Waits until the cluster is ready or cannot be. */
async function report(
  hub: HubSession,
  written: ClusterRegistration,
  { timeoutMs }: JoinFlags,
): Promise<number> {
  const { io } = hub;
  const { namespace = '', name = '', annotations = {} } = written.metadata;
  const request = annotations[REQUESTED_AT_ANNOTATION];
  const settled = await waitFor(
    hub.client,
    { namespace, name },
    {
      isDone: (each) =>
        each === undefined ||
        (each.status?.lastHandledRequest === request &&
          ['Ready', 'Degraded', 'Failed'].includes(each.status?.phase ?? '')),
      timeoutMs,
      signal: io.signal,
    },
  );
  if (settled?.status?.phase === 'Ready') {
    const endpoint = settled.status.clusterInfo?.endpoint ?? '';
    io.out(
      `Successfully add cluster ${settled.status.registeredName ?? name}, endpoint: ${endpoint}.\n`,
    );
    return 0;
  }
  io.err(
    `Cannot add cluster "${name}": ${stateOf(settled)}\nThe registration is kept and tried again; flotilla cluster show ${name} shows it, flotilla cluster detach ${name} removes it\n`,
  );
  return 1;
}

function chooseName(given: string | undefined, member: MemberKubeconfig): string {
  const name = given ?? member.clusterName;
  if (name === '') throw new UsageError('ClusterName cannot be empty');
  if (name === LOCAL_CLUSTER) {
    throw new UsageError('ClusterName cannot be `local`, it is reserved as the local cluster');
  }
  if (isDNS1123Label(name).length === 0) return name;
  const better = suggestName(name);
  throw new UsageError(
    `Cannot use cluster name "${name}": it must be lower-case letters, digits and "-", at most 63; give one${better === undefined ? ' with --name' : ` such as --name ${better}`}`,
  );
}

/** Asks before anything that is there is replaced. */
async function mayOverwrite(existing: FleetCluster, flags: JoinFlags, io: Io): Promise<boolean> {
  const { name, type, source } = existing;
  if (source === 'hub' || source === 'managedcluster') {
    throw new Error(`Cannot join cluster "${name}": cannot override ${type} typed cluster`);
  }
  if (flags.yes === true || flags.output !== undefined) return true;
  const question = `Cluster ${name} already exists, do you want to overwrite it? (y/n)`;
  const answer = await io.ask(`${question} `);
  if (answer === undefined) {
    throw new Error(`Cannot join cluster "${name}": it exists already; --yes overwrites it`);
  }
  if (['y', 'yes'].includes(answer.trim().toLowerCase())) return true;
  io.err('Terminated.\n');
  return false;
}

/** Runs the kubeconfig's own plugin once, here, as kubectl would. */
async function mintToken(
  kubeconfig: Parameters<typeof resolveAccess>[0],
  flags: JoinFlags,
  io: Io,
): Promise<string> {
  const access = await resolveAccess(kubeconfig, { env: io.env, context: flags.memberContext });
  const { authorization } = await access.credential.present(io.signal);
  const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
  if (token === undefined) {
    throw new Error('Cannot use --static-token: the credential of the kubeconfig gives no token');
  }
  io.err('Warning: a static token ends some day; flotilla cluster rotate replaces it\n');
  return token;
}
