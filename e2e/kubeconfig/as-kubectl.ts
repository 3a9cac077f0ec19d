// What kubectl prints for an error of ours.
import { CredentialError, KubeconfigError } from '@flotilla/client';

/** The line or lines kubectl would write to stderr. */
export function asKubectl(error: unknown): string {
  if (error instanceof CredentialError) return `Unable to connect to the server: ${error.message}`;
  if (!(error instanceof KubeconfigError)) throw error;
  const { problems, message } = error;
  const [first = message] = problems;
  // Found by kubectl only when it asks.
  if (first.startsWith('unsupported protocol scheme'))
    return `Unable to connect to the server: ${first}`;
  if (first.startsWith('context was not found')) return `Error in configuration: ${first}`;
  if (problems.length === 1) return `error: ${first}`;
  if (message.startsWith('invalid configuration: ')) {
    return `Error in configuration: \n${problems.map((problem) => `* ${problem}`).join('\n')}`;
  }
  return problems.join('\n');
}
