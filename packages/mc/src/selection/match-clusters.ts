import type { FleetCluster } from '../fleet/cluster.ts';
import { UsageError } from '../usage-error.ts';
import { isGlob, matchesGlob, parseGlob } from './glob.ts';

/** The clusters that one pattern means. */
export interface Matched {
  readonly clusters: readonly FleetCluster[];
  /** Whether the pattern is a name, and not one for many. */
  readonly isLiteral: boolean;
}

/** Finds clusters by what users write in `--clusters`. */
export type MatchClusters = (pattern: string) => Promise<Matched>;

/**
 * Prepares for patterns over these clusters: a name, a glob, or `/regexp/`. A name is looked for as it is shown first,
 * then among other names, then among display names: what a hub calls a cluster for people must not take the name of
 * another one. One that means two clusters is an error that lists them.
 */
export function clusterMatcher(clusters: readonly FleetCluster[]): MatchClusters {
  let tiers: readonly ReadonlyMap<string, readonly FleetCluster[]>[] | undefined;
  return async (pattern) => {
    const expression = /^\/(.+)\/$/s.exec(pattern)?.[1];
    if (expression !== undefined) {
      return { clusters: await byExpression(expression, clusters), isLiteral: false };
    }
    tiers ??= namesInTiers(clusters);
    const meant = tiers.map((names) => names.get(pattern)).find((found) => found !== undefined);
    if (meant !== undefined) {
      if (meant.length > 1) throw ambiguous(pattern, meant);
      return { clusters: meant, isLiteral: true };
    }
    if (!isGlob(pattern)) return { clusters: [], isLiteral: true };
    const glob = parseGlob(pattern);
    if (glob === undefined)
      throw new UsageError(`Cannot use "${pattern}": it means too many names`);
    const clustersMeant = clusters.filter((cluster) =>
      namesOf(cluster).some((name) => matchesGlob(glob, name, isPath(name, cluster))),
    );
    return { clusters: clustersMeant, isLiteral: false };
  };
}

/** All names that a cluster answers to, the one it is shown by first. */
export function namesOf(cluster: FleetCluster): string[] {
  return [cluster.name, ...cluster.aliases];
}

function isTitle(name: string, { profile }: FleetCluster): boolean {
  return name === profile?.displayName && name !== profile.name;
}

/** In `namespace/name` of a profile a star means a part; other names may have slashes for any reason. */
function isPath(name: string, cluster: FleetCluster): boolean {
  return cluster.profile !== undefined && name.includes('/') && !isTitle(name, cluster);
}

async function byExpression(
  expression: string,
  clusters: readonly FleetCluster[],
): Promise<FleetCluster[]> {
  const { matchExpression } = await import('./match-expression.ts');
  const names = clusters.flatMap((cluster) => namesOf(cluster).map((name) => ({ name, cluster })));
  const found = matchExpression(
    expression,
    names.map(({ name }) => name),
  );
  return [...new Set(names.filter((_, at) => found[at]).map(({ cluster }) => cluster))];
}

function namesInTiers(clusters: readonly FleetCluster[]) {
  const shown = new Map<string, FleetCluster[]>();
  const others = new Map<string, FleetCluster[]>();
  const titles = new Map<string, FleetCluster[]>();
  const add = (map: Map<string, FleetCluster[]>, name: string, cluster: FleetCluster): void => {
    const known = map.get(name);
    if (known === undefined) map.set(name, [cluster]);
    else known.push(cluster);
  };
  for (const cluster of clusters) {
    add(shown, cluster.name, cluster);
    for (const alias of cluster.aliases) {
      add(isTitle(alias, cluster) ? titles : others, alias, cluster);
    }
  }
  return [shown, others, titles];
}

function ambiguous(name: string, meant: readonly FleetCluster[]): UsageError {
  const names = meant.map((cluster) => cluster.name).join(', ');
  return new UsageError(`cluster "${name}" is ambiguous: it may be ${names}`);
}
