import type { Client } from '@flotilla/client';
import {
  isConflict,
  isNotFound,
  type Json,
  type Kind,
  type KubeObject,
  keyOfObject,
} from '@flotilla/machinery';
import type { WriteTarget } from '../observer.ts';
import type { Changes } from './draft.ts';

/** What became of a pass's changes. */
export type Committed<T extends KubeObject> =
  | { readonly result: 'nothing' }
  | { readonly result: 'written'; readonly target: WriteTarget; readonly object: T }
  /** The object is not what the pass saw, or no more. */
  | { readonly result: 'conflict' | 'gone' };

/** Where and as whom to write. */
export interface CommitOptions {
  readonly client: Pick<Client, 'patch'>;
  readonly fieldManager: string;
  /** False where the status is an ordinary part of the object. */
  readonly hasStatusSubresource: boolean;
  readonly signal: AbortSignal;
}

/**
 * Writes what a pass changed, in one request, and only onto the very version that the pass saw. Where both metadata or
 * spec and status changed, only the former are written: the status of an object that was not written down would be
 * about something nobody can see. The next pass finds the status again.
 */
export async function commit<T extends KubeObject>(
  written: { readonly kind: Kind<T>; readonly base: T; readonly changes: Changes },
  options: CommitOptions,
): Promise<Committed<T>> {
  const { kind, base, changes } = written;
  const { client, fieldManager, hasStatusSubresource, signal } = options;
  const main = hasStatusSubresource ? changes.main : withStatus(changes);
  const target: WriteTarget = main === undefined ? 'status' : 'metadata';
  const change = main ?? (changes.status === undefined ? undefined : { status: changes.status });
  if (change === undefined) return { result: 'nothing' };

  const body = { ...change, metadata: { ...(change['metadata'] as Json), ...identityOf(base) } };
  const subresource = target === 'status' ? { subresource: 'status' } : {};
  try {
    const object = await client.patch(kind, keyOfObject(base), {
      type: 'merge',
      body,
      fieldManager,
      signal,
      ...subresource,
    });
    return { result: 'written', target, object };
  } catch (error) {
    if (isConflict(error)) return { result: 'conflict' };
    if (isNotFound(error)) return { result: 'gone' };
    throw error;
  }
}

/** With these in a patch the server refuses to change any other version, or another object of the same name. */
function identityOf({ metadata }: KubeObject): Json {
  const { resourceVersion, uid } = metadata;
  return { resourceVersion, ...(uid === undefined ? {} : { uid }) };
}

function withStatus({ main, status }: Changes): Json | undefined {
  return status === undefined ? main : { ...main, status };
}
