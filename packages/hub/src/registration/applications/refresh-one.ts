import type { Client } from '@flotilla/client';
import { isConflict, isNotFound, keyOfObject } from '@flotilla/machinery';
import { type Application, Applications } from './kinds.ts';
import { planRefresh, type RefreshMethod } from './refresh-method.ts';
import { REFRESHED_FOR, refreshedForToo, wasRefreshedFor } from './refreshed-for.ts';

/** The event, and what it asks of an Application. */
export interface RefreshEvent {
  readonly digest: string;
  readonly at: Date;
  readonly method: RefreshMethod;
  readonly concerns: (application: Application) => boolean;
}

/** What became of one Application. */
export type Refreshed =
  | { readonly did: 'refresh'; readonly pinned: boolean }
  /** An earlier try, or another writer, refreshed it for the same event. */
  | { readonly did: 'nothing' }
  /** It runs its workflow again and again by a plan of its own. */
  | { readonly did: 'leave'; readonly every: string }
  /** It was deleted, or edited so that the event means nothing to it. */
  | { readonly did: 'lose' }
  /** Nobody can say where it belongs. */
  | { readonly did: 'misread'; readonly why: string }
  /** `isFinal`: the same again would fail again until somebody edits the Application. */
  | { readonly did: 'fail'; readonly why: string; readonly isFinal: boolean };

/** KubeVela writes to an Application several times while a workflow runs. */
const TRIES = 5;

/** Refreshes one Application unless it was refreshed for this event before. */
export async function refreshOne(
  client: Pick<Client, 'get' | 'patch'>,
  listed: Application,
  { event, signal }: { event: RefreshEvent; signal: AbortSignal },
): Promise<Refreshed> {
  const key = keyOfObject(listed);
  let application = listed;
  try {
    for (let attempt = 1; ; attempt++) {
      const { uid, resourceVersion, annotations = {} } = application.metadata;
      if (wasRefreshedFor(annotations, event.digest)) return { did: 'nothing' };
      const plan = planRefresh(event.method, annotations, event);
      if (plan.does === 'refuse') return { did: 'fail', why: plan.why, isFinal: true };
      if (plan.does === 'wait') return { did: 'leave', every: plan.every };
      const remembered = { [REFRESHED_FOR]: refreshedForToo(annotations, event.digest) };
      try {
        await client.patch(Applications, key, {
          type: 'merge',
          // Both preconditions: what is written depends on the annotations that were read.
          body: {
            metadata: {
              uid,
              resourceVersion,
              annotations: { ...plan.annotations, ...remembered },
            },
          },
          fieldManager: 'flotilla-registration',
          signal,
        });
        return { did: 'refresh', pinned: plan.pins };
      } catch (error) {
        if (!isConflict(error) || attempt === TRIES) throw error;
      }
      application = await client.get(Applications, key, { signal });
      // One that was made anew sees the cluster by itself.
      if (application.metadata.uid !== uid || !event.concerns(application)) return { did: 'lose' };
    }
  } catch (error) {
    signal.throwIfAborted();
    if (isNotFound(error)) return { did: 'lose' };
    return { did: 'fail', why: (error as Error).message, isFinal: false };
  }
}
