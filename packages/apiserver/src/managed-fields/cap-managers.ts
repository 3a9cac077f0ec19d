import { type OwnedFields, union } from '@flotilla/machinery/apply';
import { identifierOf, type Managed, secondsOf } from './entry.ts';

/** Upstream's limit on entries of updates. */
const MAX_UPDATERS = 10;

/** Joins the oldest entries of updates, per version, until no more than ten are left. */
export function capManagers(managed: Managed): Managed {
  const updaters = [...managed.managers].filter(([, owned]) => !owned.applied);
  if (updaters.length <= MAX_UPDATERS) return managed;
  const managers = new Map(managed.managers);
  const times = new Map(managed.times);
  const firsts = new Map<string, string>();
  let count = updaters.length;
  for (const identifier of oldestFirst(updaters, managed)) {
    if (count <= MAX_UPDATERS) break;
    const owned = managers.get(identifier);
    if (owned === undefined) continue;
    const first = firsts.get(owned.version);
    if (first === undefined) {
      firsts.set(owned.version, identifier);
      continue;
    }
    const bucket = bucketOf(owned.version);
    const joined = managers.get(bucket) ?? managers.get(first);
    if (!managers.has(bucket)) managers.delete(first);
    managers.delete(identifier);
    managers.set(bucket, {
      ...owned,
      fields: joined === undefined ? owned.fields : union(owned.fields, joined.fields),
    });
    times.set(bucket, managed.times.get(identifier));
    count -= 1;
  }
  return { managers, times };
}

function oldestFirst(
  updaters: readonly (readonly [string, OwnedFields])[],
  { times }: Managed,
): string[] {
  return updaters
    .map(([identifier]) => identifier)
    .sort(
      (a, b) => secondsOf(times.get(a)) - secondsOf(times.get(b)) || (a < b ? -1 : a > b ? 1 : 0),
    );
}

function bucketOf(apiVersion: string): string {
  return identifierOf({
    manager: 'ancient-changes',
    operation: 'Update',
    apiVersion,
    subresource: '',
  });
}
