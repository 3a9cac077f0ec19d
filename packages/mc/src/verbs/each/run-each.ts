import type { Member } from '../../fan-out/member.ts';
import type { Outcome } from '../../fan-out/outcome.ts';
import { Interrupted } from '../../io.ts';
import { findKubectl } from '../../kubectl/find-kubectl.ts';
import { hasComplaint, kubectlError } from '../../kubectl/kubectl-error.ts';
import { type Kubectl, openKubectl } from '../../kubectl/open-kubectl.ts';
import type { Session } from '../../session.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { notAbsent } from '../not-absent.ts';
import { chooseTargets } from './choose-targets.ts';
import { type ClusterLines, prefixedLines } from './prefixed-lines.ts';
import { type EachCommand, readCommand } from './read-command.ts';
import { readStdin } from './read-stdin.ts';

/** Runs an `each` to its exit code. */
export async function runEach(call: Call, session: Session): Promise<number> {
  const { io } = session;
  const command = readCommand(call);
  const args = [...namespaceFlag(session), ...command.words];
  const path = await findKubectl(io);
  const fleet = await chooseTargets(command, session);
  const isAsked = command.wantsStdin || call.flags.bool('stdin');
  const stdin = isAsked ? await readStdin(io) : undefined;
  const linesOf = prefixedLines(fleet, session);
  // Who names a limit means it.
  const isPatient = command.isPatient && !call.flags.isSet('cluster-timeout');
  let outcomes: Outcome<number>[];
  {
    await using kubectl = await openKubectl(path, fleet, session);
    outcomes = await session.fanOut(
      fleet,
      (member) => {
        const lines = linesOf(member.cluster.name);
        return runOn(member, { command, args, stdin, kubectl, lines });
      },
      {
        ...(isPatient ? { timeoutMs: 'none' as const } : {}),
        ...(command.isStream ? { concurrency: 'all' as const } : {}),
        isWrite: !command.isRead,
      },
    );
  }
  const reason: unknown = io.signal.reason;
  // A watch ends so, and whoever ends it knows.
  if (command.isStream && reason instanceof Interrupted) return reason.exitCode;
  const code = session.conclude(outcomes);
  const answers = outcomes.map(({ value = 0 }) => value);
  return code === 0 ? Math.max(0, ...answers) : code;
}

interface EachRun {
  readonly command: EachCommand;
  readonly args: readonly string[];
  readonly stdin: Buffer | undefined;
  readonly kubectl: Kubectl;
  readonly lines: ClusterLines;
}

/** The exit code, where it is an answer; a failure is thrown as what kubectl said it was. */
async function runOn(member: Member, run: EachRun): Promise<number> {
  const { command, args, stdin, kubectl, lines } = run;
  const { transport, signal } = member;
  // kubectl waits for half a minute where nobody answers; we do not.
  await transport.prepare?.({ signal });
  const { code, stderr } = await kubectl.run(member, {
    args,
    stdin,
    onOut: lines.out.write,
    onErr: lines.err.write,
  });
  await Promise.all([lines.out.end(), lines.err.end()]);
  if (code === 0) return 0;
  if (code === 1 && command.answersWithOne && !hasComplaint(stderr)) return 1;
  const error = kubectlError(stderr, code);
  // What is not there can be looked for in vain, but not changed.
  throw command.isRead ? error : notAbsent(error);
}

function namespaceFlag({ settings }: Session): string[] {
  const [namespace, ...more] = settings.kubectl.namespaces;
  if (more.length > 0) {
    throw new UsageError(
      `Cannot use -n ${settings.kubectl.namespaces.join(',')}: each runs kubectl once per cluster, and that takes one namespace`,
    );
  }
  return namespace === undefined ? [] : [`--namespace=${namespace}`];
}
