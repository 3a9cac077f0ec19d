import type { FleetCluster } from '../../../fleet/cluster.ts';
import { CLUSTERSET_LABEL, MANAGER_LABEL } from '../../../inventory/profile-record.ts';
import type { Session } from '../../../session.ts';
import { beginnings, type Candidate, type Completion, words } from '../completion.ts';

/** Every cluster of the inventory with its version, and whether its hub calls it healthy. */
export async function clusterCandidates(session: Session): Promise<Candidate[]> {
  return (await session.inventory()).map((cluster) => ({
    value: cluster.name,
    description: descriptionOf(cluster),
  }));
}

function descriptionOf({ version, health }: FleetCluster): string {
  return [version, health === 'unknown' ? '' : health].filter((each) => each !== '').join(' ');
}

/** The sets, or the managers, that clusters have. */
export async function wordsOfClusters(
  flag: 'clusterset' | 'manager',
  session: Session,
): Promise<Candidate[]> {
  const found = (await session.inventory()).map(({ labels, properties, profile }) =>
    flag === 'manager'
      ? profile?.manager || labels[MANAGER_LABEL]
      : (labels[CLUSTERSET_LABEL] ?? properties['clusterset.k8s.io']),
  );
  return counted(found.filter((each) => each !== undefined && each !== '') as string[]);
}

/** Keys of clusters' labels; behind a sign, the values of the key. */
export async function labelCandidates(typed: string, session: Session): Promise<Completion> {
  const clusters = await session.inventory();
  const cut = lastTerm(typed);
  const before = typed.slice(0, cut);
  const term = typed.slice(cut);
  const [, not = '', key = '', sign = ''] = /^(!?)([^!=\s(]*)(==?|!=)?/.exec(term) ?? [];
  if (sign === '') {
    const keys = counted(clusters.flatMap(({ labels }) => Object.keys(labels)));
    return beginnings(prefixed(`${before}${not}`, keys));
  }
  const values = clusters.flatMap(({ labels }) =>
    Object.hasOwn(labels, key) ? [labels[key] ?? ''] : [],
  );
  return words(prefixed(`${before}${key}${sign}`, counted(values)));
}

/** Where the term begins that is being typed: inside parentheses a comma is between values. */
function lastTerm(typed: string): number {
  let depth = 0;
  let start = 0;
  for (let index = 0; index < typed.length; index += 1) {
    if (typed[index] === '(') depth += 1;
    else if (typed[index] === ')') depth -= 1;
    else if (typed[index] === ',' && depth <= 0) start = index + 1;
  }
  return start;
}

/** Names of clusters' properties; behind the sign, the values of the name. */
export async function propertyCandidates(typed: string, session: Session): Promise<Completion> {
  const clusters = await session.inventory();
  const [name = '', ...rest] = typed.split('=');
  if (rest.length === 0) {
    const names = counted(clusters.flatMap(({ properties }) => Object.keys(properties)));
    return beginnings(names.map((each) => ({ ...each, value: `${each.value}=` })));
  }
  const values = clusters.flatMap(({ properties }) =>
    Object.hasOwn(properties, name) ? [properties[name] ?? ''] : [],
  );
  return words(prefixed(`${name}=`, counted(values)));
}

function prefixed(before: string, candidates: readonly Candidate[]): Candidate[] {
  return candidates.map(({ value, description }) => ({ value: before + value, description }));
}

/** Each once, in the order of names, with how many clusters have it. */
function counted(values: readonly string[]): Candidate[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, count]) => ({
      value,
      description: count === 1 ? '1 cluster' : `${count} clusters`,
    }));
}
