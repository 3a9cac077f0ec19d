import type { ApiResource } from '@flotilla/client';
import { formatGroupVersion } from '@flotilla/machinery';
import type { Outcome } from '../../fan-out/outcome.ts';
import { type ServedTypes, typeKey } from './served-types.ts';

/** A type that some cluster prefers, and where it is. */
export interface FleetType {
  /** Short names, verbs and categories are those of all clusters together. */
  readonly resource: ApiResource;
  /** How many serve it, in whatever version they prefer. */
  readonly count: number;
  /** Clusters that answered and do not serve it. */
  readonly missing: readonly string[];
}

/** How types are ordered: by group and name unless said. */
export type TypeOrder = '' | 'name' | 'kind';

/** The types of all clusters that answered, each once, in kubectl's order. */
export function fleetTypes(
  outcomes: readonly Outcome<ServedTypes>[],
  order: TypeOrder,
): FleetType[] {
  const answers = outcomes.flatMap(({ cluster, value }) =>
    value === undefined ? [] : [{ name: cluster.name, value }],
  );
  const types = new Map<string, ApiResource[]>();
  for (const { value } of answers) {
    for (const resource of value.preferred) {
      const key = typeKey(resource);
      const known = types.get(key);
      if (known === undefined) types.set(key, [resource]);
      else known.push(resource);
    }
  }
  const all = [...types].flatMap(([key, resources]): FleetType[] => {
    const resource = joined(resources);
    if (resource === undefined) return [];
    const gv = formatGroupVersion(resource);
    const without = answers.filter(({ value }) => !value.served.has(key));
    return [
      {
        resource,
        count: answers.length - without.length,
        // What a server could not describe may be there all the same.
        missing: without.flatMap(({ name, value }) => (value.failed.includes(gv) ? [] : [name])),
      },
    ];
  });
  return all.sort((a, b) => compareTypes(a.resource, b.resource, order));
}

function joined(resources: readonly ApiResource[]): ApiResource | undefined {
  const [first, ...others] = resources;
  if (first === undefined || others.length === 0) return first;
  const union = (field: 'shortNames' | 'verbs' | 'categories') => [
    ...new Set(resources.flatMap((resource) => resource[field])),
  ];
  return {
    ...first,
    shortNames: union('shortNames'),
    verbs: union('verbs'),
    categories: union('categories'),
  };
}

/** Which of two types kubectl prints first. */
export function compareTypes(a: ApiResource, b: ApiResource, order: TypeOrder): number {
  const field = order === '' ? 'group' : order === 'name' ? 'plural' : 'kind';
  return compareText(a[field], b[field]) || compareText(a.plural, b.plural);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
