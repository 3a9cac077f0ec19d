import { printableLine } from '../../text/printable.ts';
import type { ExecProposal } from '../properties/exec-properties.ts';

const LONGEST = 300;

/** A command line for people, each argument quoted where its ends would not be seen, nothing hidden or obeyed. */
export function commandText({ command, args, env }: ExecProposal, longest = LONGEST): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  const text = [...variables, ...[command, ...args].map(quoted)].join(' ');
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}

function quoted(word: string): string {
  const safe = printableLine(word);
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
