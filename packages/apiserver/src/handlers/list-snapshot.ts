import { badRequest, StatusError, timeoutError } from '@flotilla/machinery';
import type { Engine, Scope } from '../objects/engine.ts';
import { parseResourceVersion } from '../objects/stored.ts';
import { Compacted, FutureRevision, type Snapshot } from '../storage/store.ts';
import { type ContinueToken, decodeContinue, encodeContinue } from './continue-token.ts';
import type { ListOptions } from './options.ts';

/** How long a list waits for a revision that has not been written yet. */
const FUTURE_WAIT_MS = 3_000;

/** What finding the data of a list needs. */
export interface SnapshotDeps {
  readonly engine: Engine;
  /** Resolves true once the tenant has reached the revision, false when it has not in time. */
  readonly reached: (tenant: string, revision: number, withinMs: number) => Promise<boolean>;
}

/** Opens the data at the revision the client may see: now, exactly then, or where its token points. */
export async function openSnapshot(
  { engine, reached }: SnapshotDeps,
  scope: Scope,
  options: ListOptions,
): Promise<{ snapshot: Snapshot; token: ContinueToken | undefined }> {
  const { tenant } = scope;
  if (options.continue !== '') {
    if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    const token = decodeContinue(options.continue);
    if (token.rv < 0) return { snapshot: engine.store.snapshot(tenant), token };
    try {
      return { snapshot: engine.store.snapshot(tenant, token.rv), token };
    } catch (error) {
      if (error instanceof Compacted) throw expiredToken(token);
      if (error instanceof FutureRevision) throw tooLargeRevision(token.rv, error.current);
      throw error;
    }
  }
  const revision = parseResourceVersion(options.resourceVersion, 'list');
  if (revision === 0) return { snapshot: engine.store.snapshot(tenant), token: undefined };
  if (
    engine.store.revision(tenant) < revision &&
    !(await reached(tenant, revision, FUTURE_WAIT_MS))
  ) {
    throw tooLargeRevision(revision, engine.store.revision(tenant));
  }
  // A limit makes a plain resourceVersion exact, as upstream documents.
  const exact =
    options.resourceVersionMatch === 'Exact' ||
    (options.resourceVersionMatch === '' && options.limit > 0);
  try {
    const snapshot = exact
      ? engine.store.snapshot(tenant, revision)
      : engine.store.snapshot(tenant);
    return { snapshot, token: undefined };
  } catch (error) {
    if (error instanceof Compacted) {
      throw new StatusError(
        410,
        'Expired',
        'The resourceVersion for the provided list is too old.',
      );
    }
    throw error;
  }
}

/** The continue token's revision is gone: the client may go on with what is there now, knowingly. */
function expiredToken(token: ContinueToken): StatusError {
  return new StatusError(
    410,
    'Expired',
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    undefined,
    { continue: encodeContinue({ rv: -1, start: token.start }) },
  );
}

/** The client has seen a revision we have not: it talked to another history. */
export function tooLargeRevision(asked: number, current: number): StatusError {
  const error = timeoutError(`Too large resource version: ${asked}, current: ${current}`, 1);
  return new StatusError(error.code, error.reason, error.message, {
    ...error.details,
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
  });
}
