import type { ApiResource, Table } from '@flotilla/client';
import type { Member } from '../../../fan-out/member.ts';
import type { Session } from '../../../session.ts';
import type { Candidate } from '../completion.ts';
import { quietFleet } from './fleet.ts';

/** Nobody chooses from more. */
const MOST = 500;
const NAMED_CLUSTERS = 3;

/** Asks the clusters that are meant for names of a type; undefined when none answers. */
export async function findNames(
  type: string,
  session: Session,
  cluster: string | undefined,
): Promise<Candidate[] | undefined> {
  const fleet = await quietFleet(session, cluster);
  session.io.signal.throwIfAborted();
  const outcomes = await session.fanOut(
    fleet,
    async (member) => await namesOf(member, type, session),
  );
  const answered = outcomes.flatMap(({ cluster: { name }, value }) =>
    value === undefined ? [] : [{ name, value }],
  );
  if (answered.length === 0) return undefined;
  const clusters = new Map<string, string[]>();
  for (const { name, value } of answered) {
    for (const object of value) {
      const known = clusters.get(object);
      if (known === undefined) clusters.set(object, [name]);
      else known.push(name);
    }
  }
  return [...clusters]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, found]) => ({ value, description: whereText(found, answered.length) }));
}

/** Nothing where there is only one cluster to be in. */
function whereText(found: readonly string[], count: number): string {
  if (count === 1) return '';
  if (found.length === count) return `all ${count} clusters`;
  const more = found.length - NAMED_CLUSTERS;
  return found.slice(0, NAMED_CLUSTERS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The first page will do; nothing but cells is asked for. */
async function namesOf(member: Member, type: string, { settings }: Session): Promise<string[]> {
  const { client, discovery, signal } = member;
  return await discovery.use(
    type,
    async (resource) => {
      const names = new Set<string>();
      for (const namespace of namespacesOf(resource, member, settings.kubectl.namespaces)) {
        const pages = client.tablePages(resource, {
          namespace,
          includeObject: 'None',
          pageSize: MOST,
          signal,
        });
        for await (const table of pages) {
          for (const name of namesIn(table)) names.add(name);
          break;
        }
      }
      return [...names];
    },
    signal,
  );
}

function namespacesOf(
  { namespaced }: ApiResource,
  { namespace }: Member,
  asked: readonly string[],
): readonly (string | undefined)[] {
  if (!namespaced) return [undefined];
  return asked.length > 0 ? asked : [namespace];
}

function namesIn({ columnDefinitions, rows }: Table): string[] {
  const at = columnDefinitions.findIndex(
    ({ format, type }) => format === 'name' && type === 'string',
  );
  return rows.flatMap(({ cells }) => {
    const name = cells[at];
    return typeof name === 'string' ? [name] : [];
  });
}
