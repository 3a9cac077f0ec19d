import { nearNames } from '../flags/suggest.ts';
import { UsageError } from '../usage-error.ts';
import type { Selection } from './settings.ts';

/** Saved selections by name. */
export type Groups = ReadonlyMap<string, Selection>;

/** A selection that chooses nothing away. */
export const everything: Selection = {
  clusters: [],
  exclude: [],
  properties: [],
  groups: [],
  allClusters: false,
  pick: false,
};

/** The selection of a name; one that nobody saved is a UsageError. */
export function groupNamed(name: string, groups: Groups, file: string): Selection {
  const group = groups.get(name);
  if (group !== undefined) return group;
  const names = [...groups.keys()];
  const [near] = nearNames(name, names);
  const known =
    names.length === 0
      ? 'it has no groups'
      : near === undefined
        ? `its groups are ${names.join(', ')}`
        : `did you mean "${near}"?`;
  throw new UsageError(`Cannot find group "${name}" in "${file}": ${known}`);
}
