import type { Member } from '../../fan-out/member.ts';
import type { Outcome } from '../../fan-out/outcome.ts';
import { printableLine } from '../../text/printable.ts';
import { readPages } from '../get/read-pages.ts';
import { type CoreEvent, CoreEvents, lastSeen } from './core-event.ts';
import { type EventPlan, fieldSelectorAt, namespacesAt } from './event-plan.ts';

/** What was kept of an event, and when that was last seen. */
export interface SeenEvent<K> {
  readonly at: number;
  readonly kept: K;
}

/** The events of one cluster, in the order they were last seen. */
export interface EventAnswer<K> {
  readonly events: readonly SeenEvent<K>[];
  /** Where it was asked; undefined for all namespaces. */
  readonly namespaces: readonly (string | undefined)[];
}

/** Asks a cluster for events and keeps of each what `keep` makes of it. */
export async function askEvents<K>(
  member: Member,
  plan: EventPlan,
  keep: (event: CoreEvent) => K,
): Promise<EventAnswer<K>> {
  const { client, signal } = member;
  const fieldSelector = await fieldSelectorAt(member, plan);
  const selection = fieldSelector === undefined ? { signal } : { signal, fieldSelector };
  const namespaces = namespacesAt(member, plan);
  const events: SeenEvent<K>[] = [];
  for (const namespace of namespaces) {
    const before = events.length;
    await readPages(
      {
        pages: (pageSize) => client.pages(CoreEvents, { ...selection, namespace, pageSize }),
        take: ({ items }) => {
          for (const event of items) {
            if (plan.isWanted(event)) events.push({ at: lastSeen(event), kept: keep(event) });
          }
        },
        restart: () => {
          events.length = before;
        },
      },
      plan.pageSize,
    );
  }
  return { namespaces, events: inOrder(events) };
}

/** By when they were last seen; what is equal keeps its order. */
export function inOrder<E extends { readonly at: number }>(events: readonly E[]): E[] {
  return [...events].sort((a, b) => a.at - b.at);
}

/** kubectl's words where there are none. */
export function noEventsText(outcomes: readonly Outcome<EventAnswer<unknown>>[]): string {
  const asked = outcomes.flatMap(({ value }) => (value === undefined ? [] : [value.namespaces]));
  const names = [...new Set(asked.map((namespaces) => namespaces.join(', ')))];
  const [only = '', ...others] = names;
  if (others.length > 0 || only === '') return 'No events found.';
  const word = only.includes(', ') ? 'namespaces' : 'namespace';
  return `No events found in ${printableLine(only)} ${word}.`;
}
