import type { Io } from '../../io.ts';
import { printableLine } from '../../text/printable.ts';
import { fuzzyFilter, fuzzyScore } from './fuzzy.ts';

/** A context that may be the one. */
export interface ContextChoice {
  readonly name: string;
  readonly server: string;
  /** The cluster that it is mapped to already. */
  readonly mappedTo?: string | undefined;
}

/** What the user wants for a cluster: a context, none, or none for all that would be asked after it. */
export type ContextAnswer = { readonly context: string } | 'skip' | 'stop';

/** As many as a terminal shows without losing the question. */
const SHOWN = 20;

/**
 * Lets the user choose the context of a cluster: a number or a whole name chooses, any other text shortens the list to the
 * names that fit it, an empty line skips the cluster and `q` all that are left.
 */
export async function askContext(
  cluster: string,
  choices: readonly ContextChoice[],
  io: Pick<Io, 'ask' | 'err'>,
): Promise<ContextAnswer> {
  let listed = byLikeness(choices, cluster);
  for (;;) {
    io.err(listOf(listed));
    const question = `Context of ${printableLine(cluster)} (number, part of a name, Enter to skip, q to stop): `;
    const answer = (await io.ask(question))?.trim();
    if (answer === undefined) return 'stop';
    if (answer === '') return 'skip';
    const exact = choices.find(({ name }) => name === answer);
    if (exact !== undefined) return { context: exact.name };
    if (answer === 'q') return 'stop';
    if (/^\d+$/.test(answer)) {
      const chosen = listed[Number(answer) - 1];
      if (chosen !== undefined) return { context: chosen.name };
      io.err(`${answer} is none of 1 to ${listed.length}.\n`);
      continue;
    }
    const found = freeFirst(fuzzyFilter(choices, answer, ({ name }) => name));
    if (found.length > 0) listed = found;
    else io.err(`No context has "${printableLine(answer)}" in it.\n`);
  }
}

/** Those that are named most like the cluster come first, those that belong to another one last. */
function byLikeness(choices: readonly ContextChoice[], cluster: string): readonly ContextChoice[] {
  const plain = cluster.split('/').at(-1) ?? cluster;
  const likeness = ({ name }: ContextChoice): number =>
    fuzzyScore(plain, name) ?? fuzzyScore(name, plain) ?? -1;
  return freeFirst(
    [...choices].sort((a, b) => likeness(b) - likeness(a) || (a.name < b.name ? -1 : 1)),
  );
}

function freeFirst(choices: readonly ContextChoice[]): readonly ContextChoice[] {
  const isFree = ({ mappedTo }: ContextChoice): boolean => mappedTo === undefined;
  return [...choices.filter(isFree), ...choices.filter((each) => !isFree(each))];
}

function listOf(choices: readonly ContextChoice[]): string {
  const shown = choices.slice(0, SHOWN);
  const digits = String(shown.length).length;
  const width = Math.max(...shown.map(({ name }) => printableLine(name).length), 0);
  const lines = shown.map(({ name, server, mappedTo }, at) => {
    const owner = mappedTo === undefined ? '' : `  (is ${printableLine(mappedTo)})`;
    const text = `${printableLine(name).padEnd(width)}  ${printableLine(server)}${owner}`;
    return `${String(at + 1).padStart(digits + 2)}  ${text.trimEnd()}\n`;
  });
  const left = choices.length - shown.length;
  return lines.join('') + (left > 0 ? `  … and ${left} more; type part of a name\n` : '');
}
