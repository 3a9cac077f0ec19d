import { apiVersionOf } from '@flotilla/machinery';
import { noSuchType } from '../../fan-out/answer-errors.ts';
import type { Member } from '../../fan-out/member.ts';
import type { Flags } from '../../flags/flag.ts';
import type { Session } from '../../session.ts';
import { UsageError } from '../../usage-error.ts';
import type { CoreEvent } from './core-event.ts';

/** Which events are asked for. */
export interface EventPlan {
  /** `--for`: what they are about. */
  readonly about?: { readonly type: string; readonly name: string } | undefined;
  /** The cluster that `--for` names (`c1:pod/x`). */
  readonly cluster?: string | undefined;
  readonly allNamespaces: boolean;
  /** `-n`; empty means each cluster's own. */
  readonly namespaces: readonly string[];
  readonly pageSize: number;
  readonly isWanted: (event: CoreEvent) => boolean;
}

const PAGE_SIZE = 500;

/** Reads flags; throws kubectl's words for what they cannot mean. */
export function makeEventPlan(flags: Flags, { settings }: Pick<Session, 'settings'>): EventPlan {
  const asked = flags.text('for') ?? '';
  const types = new Set(flags.texts('types').map((type) => type.toLowerCase()));
  for (const type of types) {
    if (type !== 'normal' && type !== 'warning') {
      throw new UsageError('valid --types are Normal or Warning');
    }
  }
  const allNamespaces = flags.bool('all-namespaces');
  return {
    ...(asked === '' ? {} : readFor(asked)),
    allNamespaces,
    namespaces: allNamespaces ? [] : [...new Set(settings.kubectl.namespaces)],
    pageSize: Math.max(0, flags.integer('chunk-size') ?? PAGE_SIZE),
    isWanted: ({ type = '' }) => types.size === 0 || types.has(type.toLowerCase()),
  };
}

/** `pod/x`, or `c1:pod/x` as `-o name` prints it. */
function readFor(text: string): Pick<EventPlan, 'about' | 'cluster'> {
  const [, cluster, rest = text] = /^([^:]+):([^/]+\/[^/]+)$/.exec(text) ?? [];
  const [type = '', name = '', ...more] = rest.split('/');
  if (!rest.includes('/')) throw new UsageError('--for must be in resource/name form');
  if (more.length > 0) {
    throw new UsageError('arguments in resource/name form may not have more than one slash');
  }
  return { cluster, about: { type: type.toLowerCase(), name } };
}

/** Where a cluster is asked; undefined means all namespaces. */
export function namespacesAt(
  { namespace }: Pick<Member, 'namespace'>,
  { allNamespaces, namespaces }: EventPlan,
): readonly (string | undefined)[] {
  if (allNamespaces) return [undefined];
  return namespaces.length > 0 ? namespaces : [namespace];
}

/** What selects the events about an object; kinds are what the cluster itself says of the type. */
export async function fieldSelectorAt(
  { discovery, signal }: Pick<Member, 'discovery' | 'signal'>,
  { about }: EventPlan,
): Promise<string | undefined> {
  if (about === undefined) return undefined;
  const { type, name } = about;
  const resource = await discovery.find(type, signal);
  if (resource === undefined) throw noSuchType(type.split('.', 1).join());
  return [
    ['involvedObject.kind', resource.kind],
    ['involvedObject.apiVersion', apiVersionOf(resource)],
    ['involvedObject.name', name],
  ]
    .map(([field = '', value = '']) => `${field}=${value.replace(/[\\,=]/g, '\\$&')}`)
    .join(',');
}
