import { type ApiResource, type ApiSurface, resourcesOf } from '@flotilla/client';
import { PartialAnswer } from '../../fan-out/answer-errors.ts';
import type { Member } from '../../fan-out/member.ts';

/** The types of one cluster that were asked for. */
export interface ServedTypes {
  /** Each type once, in the version that the server prefers. */
  readonly preferred: readonly ApiResource[];
  /** In all versions, as `typeKey` names them. */
  readonly served: ReadonlySet<string>;
  /** Group versions that the server has and could not describe. */
  readonly failed: readonly string[];
}

/** Which types are asked for; what is undefined does not matter. */
export interface TypeFilter {
  readonly group?: string | undefined;
  readonly namespaced?: boolean | undefined;
  readonly verbs: readonly string[];
  readonly categories: readonly string[];
}

/** What kubectl does not tell apart is one type. */
export function typeKey({ group, version, plural, kind, namespaced }: ApiResource): string {
  return [plural, group, version, kind, namespaced].join('\n');
}

/** Asks a cluster what it serves; `isCached` may answer from what is remembered. */
export async function askTypes(
  { discovery, signal }: Member,
  filter: TypeFilter,
  isCached: boolean,
): Promise<ServedTypes> {
  if (!isCached) discovery.forget();
  const surface = await discovery.surface(signal);
  const types = servedTypes(surface, filter);
  if (types.failed.length > 0) throw new PartialAnswer(types, incomplete(types.failed));
  return types;
}

/** What kubectl says when a server could not describe all of its groups. */
function incomplete(failed: readonly string[]): Error {
  const causes = failed.map((name) => `${name}: stale GroupVersion discovery: ${name}`);
  return new Error(
    `unable to retrieve the complete list of server APIs: ${causes.toSorted().join(', ')}`,
  );
}

/** The types of a surface that a filter lets through. */
export function servedTypes(surface: ApiSurface, filter: TypeFilter): ServedTypes {
  const preferred = new Map<string, ApiResource>();
  const served = new Set<string>();
  for (const resource of resourcesOf(surface)) {
    const { plural, group } = resource;
    const name = `${plural}.${group}`;
    // Preferred versions come first, and a version that is left out lets none of the others in.
    const isPreferred = !preferred.has(name);
    if (isPreferred) preferred.set(name, resource);
    if (isAskedFor(resource, filter)) served.add(typeKey(resource));
  }
  return {
    preferred: [...preferred.values()].filter((resource) => isAskedFor(resource, filter)),
    served,
    failed: surface.failed,
  };
}

function isAskedFor(resource: ApiResource, filter: TypeFilter): boolean {
  const { group, namespaced, verbs, categories } = filter;
  return (
    resource.verbs.length > 0 &&
    (group === undefined || resource.group === group) &&
    (namespaced === undefined || resource.namespaced === namespaced) &&
    verbs.every((verb) => resource.verbs.includes(verb)) &&
    categories.every((category) => resource.categories.includes(category))
  );
}
