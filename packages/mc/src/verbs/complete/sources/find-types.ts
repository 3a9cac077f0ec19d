import { join } from 'node:path';
import { type ApiSurface, createDiscovery, resourcesOf, type Transport } from '@flotilla/client';
import type { Fleet } from '../../../fan-out/fleet.ts';
import type { Session } from '../../../session.ts';
import type { Candidate } from '../completion.ts';
import { quietFleet } from './fleet.ts';

/** As long as kubectl believes what a server said it has. */
const FRESH_MS = 6 * 3_600_000;

/** The types of the clusters that are meant, from what is kept of them, else from themselves; undefined when none answers. */
export async function findTypes(
  session: Session,
  cluster: string | undefined,
): Promise<Candidate[] | undefined> {
  const fleet = await quietFleet(session, cluster);
  const kept = await keptSurfaces(fleet, session);
  const surfaces = kept.length > 0 ? kept : await askedSurfaces(fleet, session);
  return surfaces.length === 0 ? undefined : typesOf(surfaces);
}

/** What earlier runs have learned of the clusters, without asking any of them. */
async function keptSurfaces({ clusters }: Fleet, session: Session): Promise<ApiSurface[]> {
  const folder = join(session.paths.cache, 'discovery');
  const servers = clusters.flatMap(({ routing }) =>
    'route' in routing ? [routing.route.server.replace(/\/+$/, '')] : [],
  );
  const surfaces = await Promise.all(
    [...new Set(servers)].map(async (server) => {
      const discovery = createDiscovery(NOBODY, {
        clock: session.io.clock,
        cache: { folder, server },
        ttlMs: FRESH_MS,
      });
      return await discovery.surface().catch(() => undefined);
    }),
  );
  return surfaces.filter((each) => each !== undefined);
}

const nobody = async (): Promise<never> => {
  throw new Error('Nobody is asked');
};
const NOBODY: Transport = {
  send: nobody,
  stream: nobody,
  upgrade: nobody,
  [Symbol.asyncDispose]: async () => {},
};

async function askedSurfaces(fleet: Fleet, session: Session): Promise<ApiSurface[]> {
  session.io.signal.throwIfAborted();
  const outcomes = await session.fanOut(
    fleet,
    async ({ discovery, signal }) => await discovery.surface(signal),
  );
  return outcomes.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

/** Each type once, by the shortest name that means it; of two groups with one name, the later one's has its group. */
function typesOf(surfaces: readonly ApiSurface[]): Candidate[] {
  const groups = new Map<string, string>();
  const found = new Map<string, { kind: string; group: string; count: number }>();
  for (const surface of surfaces) {
    const seen = new Set<string>();
    for (const { plural, group, kind, verbs } of resourcesOf(surface)) {
      if (verbs.length > 0 && !verbs.includes('list')) continue;
      const owner = groups.get(plural) ?? group;
      groups.set(plural, owner);
      const name = owner === group ? plural : `${plural}.${group}`;
      if (seen.has(name)) continue;
      seen.add(name);
      const known = found.get(name);
      if (known === undefined) found.set(name, { kind, group, count: 1 });
      else known.count += 1;
    }
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, { kind, group, count }]) => {
      const of = group === '' ? kind : `${kind} of ${group}`;
      const isEverywhere = count === surfaces.length;
      return {
        value,
        description: isEverywhere ? of : `${of}, in ${count} of ${surfaces.length} clusters`,
      };
    });
}
