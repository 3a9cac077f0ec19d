import type { FleetCluster } from '../fleet/cluster.ts';
import type { Io } from '../io.ts';
import { printableLine } from '../text/printable.ts';
import { UsageError } from '../usage-error.ts';
import { isGlob, matchesGlob, parseGlob } from './glob.ts';
import { namesOf } from './match-clusters.ts';

/** As many as a terminal shows without losing the question. */
const SHOWN = 40;

/**
 * Lets the user choose from a numbered list: numbers and ranges choose, `*` chooses all that is shown or would be, any
 * other text shortens the list to the names that have it, and an empty line gives up.
 */
export async function pickClusters(
  clusters: readonly FleetCluster[],
  io: Pick<Io, 'ask' | 'err' | 'terminal'>,
): Promise<readonly FleetCluster[]> {
  if (!io.terminal.in || !io.terminal.err) {
    throw new UsageError('Cannot let you pick clusters: that needs a terminal; use --clusters');
  }
  let listed = clusters;
  for (;;) {
    io.err(listOf(listed));
    const answer = (await io.ask('Clusters (1,3-5, * for all, or part of a name): '))?.trim() ?? '';
    if (answer === '') throw new UsageError('No cluster was picked');
    if (answer === '*') return listed;
    const numbers = numbersOf(answer, listed.length);
    if (typeof numbers === 'string') {
      io.err(`${numbers}\n`);
      continue;
    }
    if (numbers !== undefined) return listed.filter((_, at) => numbers.has(at + 1));
    const found = filtered(clusters, answer);
    if (found.length === 0) io.err(`No name has "${printableLine(answer)}" in it.\n`);
    else listed = found;
  }
}

function listOf(clusters: readonly FleetCluster[]): string {
  const width = String(Math.min(clusters.length, SHOWN)).length;
  const lines = clusters.slice(0, SHOWN).map((cluster, at) => {
    const { version, health } = cluster;
    const more = [version, health === 'unhealthy' ? 'unhealthy' : ''].filter((each) => each !== '');
    const text = `${cluster.name}${more.length === 0 ? '' : `  (${more.join(', ')})`}`;
    return `${String(at + 1).padStart(width + 2)}  ${printableLine(text)}\n`;
  });
  const left = clusters.length - SHOWN;
  return lines.join('') + (left > 0 ? `  … and ${left} more; type part of a name\n` : '');
}

/** Undefined when these are no numbers; a text when they are wrong ones. */
function numbersOf(answer: string, last: number): ReadonlySet<number> | string | undefined {
  if (!/^[\d\s,-]+$/.test(answer)) return undefined;
  const chosen = new Set<number>();
  for (const part of answer.split(/[\s,]+/).filter((each) => each !== '')) {
    const [, from = '', to = from] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part) ?? [];
    const first = Number(from);
    const end = Number(to);
    if (from === '' || first < 1 || end > last || first > end) {
      return `"${part}" is none of 1 to ${last}.`;
    }
    for (let number = first; number <= end; number += 1) chosen.add(number);
  }
  return chosen.size === 0 ? undefined : chosen;
}

function filtered(clusters: readonly FleetCluster[], answer: string): readonly FleetCluster[] {
  const wanted = answer.toLowerCase();
  const glob = isGlob(answer) ? parseGlob(wanted) : undefined;
  return clusters.filter((cluster) =>
    namesOf(cluster).some((each) => {
      const name = each.toLowerCase();
      return glob === undefined ? name.includes(wanted) : matchesGlob(glob, name);
    }),
  );
}
