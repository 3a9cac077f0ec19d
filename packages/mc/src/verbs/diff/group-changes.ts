import type { Outcome } from '../../fan-out/outcome.ts';
import type { Change } from './ask-changes.ts';

/** A diff, and on which clusters it is the same. */
export interface ChangeGroup {
  readonly file: string;
  /** Of the first of them. */
  readonly text: string;
  readonly clusters: readonly string[];
}

/** Where in its file a change stands is no difference between clusters. */
const PLACES = /^@@ -\S+ \+\S+ @@$/gm;

/** Diffs that say the same are one; in the order of files, then of clusters. */
export function groupChanges(outcomes: readonly Outcome<readonly Change[]>[]): ChangeGroup[] {
  const groups = new Map<string, { file: string; text: string; clusters: string[] }>();
  for (const { cluster, value = [] } of outcomes) {
    for (const { file, text } of value) {
      if (text === '') continue;
      const key = text.replace(PLACES, '@@');
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { file, text, clusters: [cluster.name] });
      else group.clusters.push(cluster.name);
    }
  }
  return [...groups.values()].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
}
