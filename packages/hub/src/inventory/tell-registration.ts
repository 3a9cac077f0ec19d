import {
  type ClusterRegistration,
  ClusterRegistrations,
  type inventoryConditions,
} from '@flotilla/api';
import type { Client } from '@flotilla/client';
import {
  apiVersionOf,
  formatTime,
  isConflict,
  isNotFound,
  keyOfObject,
  type ObjectKey,
} from '@flotilla/machinery';
import { type Condition, type EventNote, findCondition } from '@flotilla/runtime';
import { FIELD_MANAGER } from './names.ts';

type Reasons = (typeof inventoryConditions)['InventoryPublished']['reasons'];

/** What a registration reports about its place in the inventory. */
export type Publication =
  | { readonly status: 'True'; readonly reason: Reasons['True'][number]; readonly message: string }
  | {
      readonly status: 'False';
      readonly reason: Reasons['False'][number];
      readonly message: string;
    };

/** What telling needs. */
export interface Telling {
  readonly client: Pick<Client, 'apply'>;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly wrote: (key: ObjectKey, registration: ClusterRegistration) => void;
  readonly record: (regarding: ClusterRegistration, note: EventNote) => void;
}

const TYPE = 'InventoryPublished';

/**
 * Writes the condition InventoryPublished where it says something else so far. It is ours alone on an object whose status
 * is otherwise the registration controller's: applied under our own field manager, it meets no other writer.
 */
export async function tellRegistration(
  how: Telling,
  registration: ClusterRegistration,
  publication: Publication,
): Promise<void> {
  const { metadata, status } = registration;
  // Whatever became of one that goes, nobody will read it.
  if (metadata.deletionTimestamp !== undefined) return;
  const before = findCondition((status?.conditions ?? []) as readonly Condition[], TYPE);
  if (before !== undefined && isSame(before, publication)) return;
  const condition = {
    type: TYPE,
    ...publication,
    lastTransitionTime:
      before?.status === publication.status
        ? before.lastTransitionTime
        : formatTime(new Date(how.now())),
  };
  const { name, namespace, uid } = metadata;
  const told = {
    apiVersion: apiVersionOf(ClusterRegistrations),
    kind: ClusterRegistrations.kind,
    metadata: { name, namespace, uid },
    status: { conditions: [condition] },
  } as unknown as ClusterRegistration;
  try {
    const written = await how.client.apply(ClusterRegistrations, told, {
      fieldManager: FIELD_MANAGER,
      force: true,
      subresource: 'status',
      signal: how.signal,
    });
    how.wrote(keyOfObject(registration), written);
    const news = newsOf(before, publication);
    if (news !== undefined) how.record(written, news);
  } catch (error) {
    // Gone meanwhile, or another one of the same name, which has its own look.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

/** The first True is no news; everything else is. */
function newsOf(
  before: Condition | undefined,
  { status, reason, message }: Publication,
): EventNote | undefined {
  const isNews = status === 'False' || before?.status === 'False';
  if (!isNews || (before?.status === status && before.reason === reason)) return undefined;
  const type = status === 'False' ? 'Warning' : 'Normal';
  return { type, reason, action: TYPE, note: message };
}

function isSame(before: Condition, { status, reason, message }: Publication): boolean {
  return before.status === status && before.reason === reason && before.message === message;
}
