import type { ClusterMappingEntry, FleetCluster } from '../fleet/cluster.ts';
import { placeOf } from './merge-profiles.ts';

/**
 * Gives each cluster the entry of the mapping file that is about it, with the names and labels it adds. An entry that
 * names a profile by its namespace counts before one with a bare name; a bare name that means two clusters is about
 * neither, and `warn` says so.
 */
export function attachMapping(
  clusters: readonly FleetCluster[],
  entries: readonly ClusterMappingEntry[],
  warn: (text: string) => void,
): readonly FleetCluster[] {
  if (entries.length === 0) return clusters;
  const found = new Map<FleetCluster, ClusterMappingEntry>();
  const index = indexOf(clusters);
  // Those that say more come first, and what is taken stays taken.
  const exactFirst = [...entries].sort((a, b) => Number(isExact(b)) - Number(isExact(a)));
  for (const entry of exactFirst) {
    const name = isExact(entry) && !entry.name.includes('/') ? placeOf(placed(entry)) : entry.name;
    const [meant, ...others] = index.get(name) ?? [];
    if (meant === undefined) continue;
    if (others.length > 0) {
      const names = [meant, ...others].map((each) => each.name).join(', ');
      warn(
        `The mapping of "${name}" is not used, since that is ${names}: write the namespace, too`,
      );
    } else if (!found.has(meant)) {
      found.set(meant, entry);
    }
  }
  return clusters.map((cluster) => {
    const mapping = found.get(cluster);
    return mapping === undefined ? cluster : mapped(cluster, mapping);
  });
}

function mapped(cluster: FleetCluster, mapping: ClusterMappingEntry): FleetCluster {
  const { aliases = [], labels } = mapping;
  return {
    ...cluster,
    mapping,
    ...(aliases.length === 0
      ? {}
      : {
          aliases: [...new Set([...aliases, ...cluster.aliases])].filter(
            (each) => each !== cluster.name,
          ),
        }),
    ...(labels === undefined ? {} : { labels: { ...cluster.labels, ...labels } }),
  };
}

function isExact({ name, namespace }: ClusterMappingEntry): boolean {
  return name.includes('/') || (namespace !== undefined && namespace !== '');
}

function placed({ name, namespace = '' }: ClusterMappingEntry): {
  namespace: string;
  name: string;
} {
  return { namespace, name };
}

/** Clusters by every name that a mapping may use; display names are for people. */
function indexOf(clusters: readonly FleetCluster[]): Map<string, FleetCluster[]> {
  const index = new Map<string, FleetCluster[]>();
  for (const cluster of clusters) {
    const { displayName } = cluster.profile ?? {};
    const names = new Set([
      cluster.name,
      ...cluster.aliases.filter((each) => each !== displayName),
    ]);
    if (cluster.context !== undefined) names.add(cluster.context);
    for (const name of names) {
      const known = index.get(name);
      if (known === undefined) index.set(name, [cluster]);
      else known.push(cluster);
    }
  }
  return index;
}
