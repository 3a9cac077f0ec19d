import { AccessError } from '../../access/access-error.ts';
import { askedVersion, type ExecStatus, execAnswer } from '../../access/delegation/exec-answer.ts';
import type { Session } from '../../session.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call, Verb } from '../../verb.ts';

/** Prints the credential for one cluster, as a plugin of kubeconfigs that `kubectl mc kubeconfig` writes. */
export const credentialVerb: Verb = {
  name: 'credential',
  usage: 'credential --cluster NAME',
  summary: 'Print the credential for a cluster, as kubeconfigs of kubectl mc kubeconfig ask for it',
  examples: ['kubectl mc credential --cluster prod-1'],
  flags: [
    { name: 'cluster', kind: 'text', value: 'NAME', help: 'The cluster that it is for' },
    {
      name: 'socket',
      kind: 'text',
      value: 'PATH',
      help: 'Ask the run of kubectl mc that waits there',
      isHidden: true,
    },
  ],
  run: async ({ args, flags }: Call, session: Session): Promise<number> => {
    const { io } = session;
    const cluster = flags.text('cluster') ?? '';
    if (cluster === '' || args.length > 0) {
      throw new UsageError('credential needs --cluster NAME, and nothing else');
    }
    try {
      const version = askedVersion(io.env['KUBERNETES_EXEC_INFO']);
      const status = await statusOf(cluster, flags.text('socket'), session);
      await io.out(execAnswer(version, status));
      return 0;
    } catch (error) {
      if (!(error instanceof AccessError)) throw error;
      const { message, hint } = error;
      const advice = hint === undefined ? '' : `; ${hint}`;
      throw new UsageError(`Cannot get a credential for "${cluster}": ${message}${advice}`, {
        cause: error,
      });
    }
  },
};

/** Only what is needed is loaded: every kubectl that a run starts calls this once. */
async function statusOf(
  cluster: string,
  socket: string | undefined,
  session: Session,
): Promise<ExecStatus> {
  if (socket === undefined) {
    const { findCredential } = await import('./find-credential.ts');
    return await findCredential(cluster, session);
  }
  const { askSocket } = await import('../../access/delegation/credential-socket.ts');
  return await askSocket(socket, { cluster, process: process.ppid }, session.io.signal);
}
