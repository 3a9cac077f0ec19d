import { type ApiResource, type ApiSurface, resourcesOf } from './surface.ts';

/** What a user typed, taken apart. */
interface Wanted {
  readonly name: string;
  /** '' means any. */
  readonly version: string;
  /** '' means any. */
  readonly group: string;
}

/**
 * The resource that kubectl would take for `po`, `pod`, `pods`, `deployments.apps`,
 * `deployments.v1.apps` or `Deployment`. Where several fit, the server's priority decides.
 */
export function findResource(surface: ApiSurface, text: string): ApiResource | undefined {
  const readings = readingsOf(text);
  const all = [...resourcesOf(surface)];
  for (const wanted of readings) {
    const found = findNamed(all, expandShortName(all, wanted));
    if (found !== undefined) return found;
  }
  for (const wanted of readings) {
    const found = all.find((one) => hasKind(one, wanted));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The resources of a category such as `all`, each in one version only. */
export function findCategory(surface: ApiSurface, category: string): ApiResource[] {
  const found = new Map<string, ApiResource>();
  for (const resource of resourcesOf(surface)) {
    const key = `${resource.plural}.${resource.group}`;
    if (resource.categories.includes(category) && !found.has(key)) found.set(key, resource);
  }
  return [...found.values()];
}

/** `a.b.c` may name version and group, or a group with a dot; the longer reading goes first. */
function readingsOf(text: string): Wanted[] {
  const [name = '', ...rest] = text.split('.');
  const grouped: Wanted = { name, version: '', group: rest.join('.') };
  if (rest.length < 2) return [grouped];
  const [version = '', ...group] = rest;
  return [{ name, version, group: group.join('.') }, grouped];
}

/** Full names win over short ones, and a group that is only begun over none. */
function expandShortName(all: readonly ApiResource[], wanted: Wanted): Wanted {
  const { name, group } = wanted;
  const inGroup = all.filter((one) => group === '' || one.group === group);
  if (inGroup.some(({ plural, singular }) => plural === name || singular === name)) return wanted;
  const short =
    inGroup.find(({ shortNames }) => shortNames.includes(name)) ??
    all.find((one) => one.group.startsWith(group) && one.shortNames.includes(name));
  if (short === undefined) return wanted;
  return { name: short.plural, version: wanted.version, group: short.group };
}

function findNamed(all: readonly ApiResource[], wanted: Wanted): ApiResource | undefined {
  const name = wanted.name.toLowerCase();
  const named = all.filter(
    ({ plural, singular, version }) =>
      (plural === name || singular === name) &&
      (wanted.version === '' || version === wanted.version),
  );
  if (wanted.group === '') return named[0];
  const exact = named.find(({ group }) => group === wanted.group);
  if (exact !== undefined || wanted.version !== '') return exact;
  return named.find(({ group }) => group.startsWith(wanted.group));
}

function hasKind(resource: ApiResource, { name, version, group }: Wanted): boolean {
  return (
    (resource.kind === name || resource.kind.toLowerCase() === name) &&
    (version === '' || resource.version === version) &&
    (group === '' || resource.group === group)
  );
}
