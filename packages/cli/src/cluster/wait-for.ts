import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { isExpired, isGone, isNotFound, type ObjectKey } from '@flotilla/machinery';

/** How to wait. */
export interface WaitOptions {
  /** Told nothing when the registration is gone. */
  readonly isDone: (registration: ClusterRegistration | undefined) => boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Follows a registration until it is as wanted; undefined when it is gone by then. Time that runs out is an Error with the
 * last state in it.
 */
export async function waitFor(
  client: Client,
  key: ObjectKey,
  { isDone, timeoutMs, signal }: WaitOptions,
): Promise<ClusterRegistration | undefined> {
  const over = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, over]);
  let last: ClusterRegistration | undefined;
  try {
    for (;;) {
      last = await read(client, key, either);
      if (isDone(last)) return last;
      const next = await follow(client, key, { from: last, isDone, signal: either });
      if (next.isDone) return next.registration;
      last = next.registration ?? last;
    }
  } catch (error) {
    if (!over.aborted || signal.aborted) throw error;
    throw new Error(
      `Cannot wait any longer for clusterregistration "${key.namespace ?? ''}/${key.name}": ${stateOf(last)}; raise --timeout, or look with flotilla cluster show`,
      { cause: error },
    );
  }
}

async function read(
  client: Client,
  key: ObjectKey,
  signal: AbortSignal,
): Promise<ClusterRegistration | undefined> {
  try {
    return await client.get(ClusterRegistrations, key, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

interface Followed {
  readonly isDone: boolean;
  readonly registration: ClusterRegistration | undefined;
}

/** One watch from the state that was read; it may end early, and the caller reads anew. */
async function follow(
  client: Client,
  key: ObjectKey,
  how: {
    readonly from: ClusterRegistration | undefined;
    readonly isDone: (registration: ClusterRegistration | undefined) => boolean;
    readonly signal: AbortSignal;
  },
): Promise<Followed> {
  const { from, isDone, signal } = how;
  let registration = from;
  try {
    const events = client.watch(ClusterRegistrations, {
      namespace: key.namespace,
      fieldSelector: `metadata.name=${key.name}`,
      ...(from?.metadata.resourceVersion === undefined
        ? {}
        : { resourceVersion: from.metadata.resourceVersion }),
      signal,
    });
    for await (const { type, object } of events) {
      if (type === 'BOOKMARK') continue;
      registration = type === 'DELETED' ? undefined : object;
      if (isDone(registration)) return { isDone: true, registration };
    }
  } catch (error) {
    if (!isExpired(error) && !isGone(error)) throw error;
  }
  return { isDone: false, registration };
}

/** A registration's state in a few words, for messages. */
export function stateOf(registration: ClusterRegistration | undefined): string {
  if (registration === undefined) return 'it is not there';
  const { phase, message } = registration.status ?? {};
  if (phase === undefined) return 'no controller has looked at it; is flotilla hub running?';
  return message === undefined || message === '' ? `it is ${phase}` : `it is ${phase}: ${message}`;
}
