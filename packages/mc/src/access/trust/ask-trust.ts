import type { Io } from '../../io.ts';
import { printableLine } from '../../text/printable.ts';
import type { Untrusted } from '../way.ts';
import { commandText } from './command-text.ts';

/** What a person said about a command; `stop` also to all that would be asked after it. */
export type TrustAnswer = 'yes' | 'no' | 'stop';

/** The whole of a command is shown: nobody can trust what was cut off. */
export const LONGEST_TO_ASK = 4096;

/** Asks whether a command of a profile may run from now on. Enter means no. */
export async function askTrust(
  { untrusted, cluster, server }: Untrusted,
  { ask, path }: { ask: Io['ask']; path: string | undefined },
): Promise<TrustAnswer> {
  const found =
    path === undefined
      ? `${printableLine(untrusted.command)} is not installed on this machine`
      : `${printableLine(untrusted.command)} is ${printableLine(path)}`;
  const question = [
    `The profile of cluster ${printableLine(cluster.name)} wants this command to be run here, as you, to log in to ${printableLine(server)}:`,
    '',
    `  ${commandText(untrusted, LONGEST_TO_ASK)}`,
    '',
    `${found}. Whoever may change profiles on the hub has chosen it, and it can do all that you can.`,
    'Trust exactly this command from now on? [y]es, [N]o, [s]top asking: ',
  ].join('\n');
  const answer = (await ask(question))?.trim().toLowerCase();
  if (answer === 'y' || answer === 'yes') return 'yes';
  return answer === undefined || answer === 's' || answer === 'stop' ? 'stop' : 'no';
}
