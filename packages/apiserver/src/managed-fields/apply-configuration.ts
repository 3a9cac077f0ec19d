import { badRequest, formatTime, type KubeObject, StatusError } from '@flotilla/machinery';
import {
  type Applied,
  ApplyConflicts,
  applyManaged,
  hasPath,
  isEmptySet,
  TypedError,
  validateTyped,
} from '@flotilla/machinery/apply';
import type { ResourceDef } from '../resources/resource.ts';
import { conflictError } from './conflict-error.ts';
import { decodeStoredEntries, entriesOf, identifierOf, type Managed, NOBODY } from './entry.ts';
import { KUBECTL, keepLastApplied, takenOverFromClient } from './last-applied.ts';
import { ownable, setEntries, type Tracking, tracked } from './track.ts';
import { emptyObject, managersDeps, typedObject } from './versions.ts';

/** Whom fields belong to that were there before anyone's were recorded. */
const BEFORE_FIRST_APPLY = 'before-first-apply';

/** A configuration as someone applies it. */
export interface Configuration extends Tracking {
  readonly applied: KubeObject;
  readonly force: boolean;
  /** Reads the merged data back into an object of the kind, with its defaults. */
  readonly restore: (merged: unknown) => KubeObject;
}

/**
 * The object with a configuration applied to it, its managers included; without a live object, a new one. Throws 409
 * when others own what would change and it is not forced, and what upstream says when the configuration does not fit.
 */
export async function applyConfiguration(
  configuration: Configuration,
  present?: KubeObject,
): Promise<KubeObject> {
  const { def, applied, manager, now } = configuration;
  checkKind(def, applied);
  const live = present ?? emptyObject(def);
  // What a new object has by itself is nobody's yet.
  const managed = present === undefined ? NOBODY : await managedBefore(configuration, present);
  const identifier = identifierOf({
    manager,
    operation: 'Apply',
    apiVersion: def.apiVersion,
    subresource: configuration.subresource,
  });
  const outcome = await merged(configuration, { live, managed, identifier });
  const managers = new Map(outcome.managers);
  const own = managers.get(identifier);
  if (own !== undefined) {
    const fields = ownable(own.fields);
    if (isEmptySet(fields)) managers.delete(identifier);
    else managers.set(identifier, { ...own, fields });
  }
  const times = new Map(managed.times);
  let object: KubeObject;
  if (outcome.object === undefined) {
    object = { ...live, metadata: { ...live.metadata } };
    if (live.metadata?.annotations !== undefined) {
      object.metadata.annotations = { ...live.metadata.annotations };
    }
  } else {
    times.set(identifier, formatTime(now));
    object = configuration.restore(outcome.object);
  }
  delete object.metadata.managedFields;
  if (manager === KUBECTL) keepLastApplied(object, applied);
  setEntries(object, { managers, times });
  return object;
}

function checkKind(def: ResourceDef, { apiVersion, kind, metadata }: KubeObject): void {
  if (apiVersion !== def.apiVersion || kind !== def.kind) {
    throw badRequest(`invalid object type: ${kindText(apiVersion, kind)}`);
  }
  if (metadata?.managedFields !== undefined && metadata.managedFields !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
}

/** A kind as Go prints it: `apps/v1, Kind=Deployment`, and `/v1, Kind=Pod` where there is no group. */
export function kindText(apiVersion: unknown, kind: unknown): string {
  const version = typeof apiVersion === 'string' ? apiVersion : '';
  const named = typeof kind === 'string' ? kind : '';
  return `${version.includes('/') ? version : `/${version}`}, Kind=${named}`;
}

/** The recorded managers; on the first apply, everything that is there becomes someone's. */
async function managedBefore(configuration: Configuration, live: KubeObject): Promise<Managed> {
  const managed = decodeStoredEntries(entriesOf(live) ?? []);
  if (managed.managers.size > 0) return managed;
  const tracking = { ...configuration, manager: BEFORE_FIRST_APPLY };
  return tracked(tracking, { live: emptyObject(configuration.def), next: live, managed: NOBODY });
}

interface Attempt {
  readonly live: KubeObject;
  readonly managed: Managed;
  readonly identifier: string;
}

async function merged(configuration: Configuration, attempt: Attempt): Promise<Applied> {
  try {
    return await mergedOnce(configuration, attempt);
  } catch (error) {
    if (error instanceof TypedError) throw new StatusError(500, '', error.message);
    if (!(error instanceof ApplyConflicts)) throw error;
    return resolved(configuration, attempt, error);
  }
}

async function mergedOnce(
  { def, subresource, applied, force }: Configuration,
  { live, managed, identifier }: Attempt,
): Promise<Applied> {
  const typed = typedObject(def, applied);
  try {
    validateTyped(typed.schema, applied);
  } catch (error) {
    if (!(error instanceof TypedError)) throw error;
    throw new StatusError(
      500,
      '',
      `failed to create typed patch object (${placeOf(applied)}): ${error.message}`,
    );
  }
  return applyManaged(
    {
      live: typedObject(def, live),
      applied: typed,
      managers: managed.managers,
      manager: identifier,
      force,
    },
    managersDeps(def, subresource),
  );
}

/** Namespace, name and kind as upstream puts them into errors. */
export function placeOf({ metadata, apiVersion, kind }: KubeObject): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}; ${kindText(apiVersion, kind)}`;
}

/** kubectl may take over what it applied from its own side before; other conflicts stay conflicts. */
async function resolved(
  configuration: Configuration,
  attempt: Attempt,
  { conflicts }: ApplyConflicts,
): Promise<Applied> {
  const { def, manager } = configuration;
  if (manager !== KUBECTL) throw conflictError(conflicts);
  const { schema } = typedObject(def, undefined);
  const allowed = takenOverFromClient(attempt.live, { schema, apiVersion: def.apiVersion });
  const left = conflicts.filter(({ path }) => !hasPath(allowed, path));
  if (left.length > 0) throw conflictError(left);
  return mergedOnce({ ...configuration, force: true }, attempt);
}
