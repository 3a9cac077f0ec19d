import type { Io } from '../io.ts';
import { printableLine } from '../text/printable.ts';

const RULE = '-'.repeat(80);
const SEPARATOR = '='.repeat(80);

/** Writes what a cluster said under its name; of a single cluster just that, as kubectl would. */
export function clusterBlocks(
  io: Pick<Io, 'out'>,
  isAlone: boolean,
): (title: string, text: string) => Promise<void> {
  let isFirst = true;
  return async (title, text) => {
    const before = isFirst ? '' : `${SEPARATOR}\n`;
    isFirst = false;
    const end = text === '' || text.endsWith('\n') ? '' : '\n';
    await io.out(
      isAlone ? text : `${before}CLUSTER: ${printableLine(title)}\n${RULE}\n${text}${end}`,
    );
  };
}
