import { deepEqual, formatTime, type KubeObject, ParseError } from '@flotilla/machinery';
import {
  difference,
  type FieldSet,
  isEmptySet,
  newFields,
  type OwnedFields,
  setOf,
  TypedError,
  union,
  updateManagers,
  validateTyped,
} from '@flotilla/machinery/apply';
import type { ResourceDef } from '../resources/resource.ts';
import { capManagers } from './cap-managers.ts';
import {
  decodeSentEntries,
  decodeStoredEntries,
  encodeEntries,
  entriesOf,
  identifierOf,
  type Managed,
  type ManagedFieldsEntry,
  NOBODY,
} from './entry.ts';
import { resetFilter } from './reset-fields.ts';
import { emptyObject, managersDeps, trackedForm, typedObject } from './versions.ts';

/** Whose write it is, what it is made through, and when. */
export interface Tracking {
  readonly def: ResourceDef;
  readonly subresource: string;
  readonly manager: string;
  readonly now: Date;
}

/** What nobody owns: an object's identity, and what only the server may say. */
const UNOWNED = setOf(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['f:metadata', `f:${name}`]),
);

/** Who neither says a name nor has a user agent. */
const UNKNOWN = 'unknown';

/** Stands for whoever makes the update until it is known whether anything has changed. */
const CURRENT = 'current-operation';

/** Says in a new object who set its fields. */
export async function trackCreate(tracking: Tracking, object: KubeObject): Promise<void> {
  const sent = entriesOf(object);
  delete object.metadata.managedFields;
  await orForget(async () => {
    const managed = sent === undefined || sent.length === 0 ? NOBODY : sentOr(sent, () => NOBODY);
    if (managed.managers.size > 0) {
      const live = emptyObject(tracking.def);
      setEntries(object, await tracked(tracking, { live, next: object, managed }));
      return;
    }
    const entry = newEntry(tracking, object);
    if (entry !== undefined) object.metadata.managedFields = [entry];
  });
}

/** The one entry of a new object: all of it is its creator's, so that nothing has to be compared. */
function newEntry(tracking: Tracking, object: KubeObject): ManagedFieldsEntry | undefined {
  const { def, subresource, manager, now } = tracking;
  const { schema, version } = typedObject(def, object);
  checkType(def, object);
  const set = ownable(newFields(schema, emptyObject(def), trackedForm(def, object)));
  const fields = resetFilter(def, subresource)?.(set) ?? set;
  if (isEmptySet(fields)) return undefined;
  return {
    manager: manager === '' ? UNKNOWN : manager,
    operation: 'Update',
    apiVersion: version,
    time: formatTime(now),
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
    ...(subresource === '' ? {} : { subresource }),
  };
}

/** Says in a changed object who changed what. */
export async function trackUpdate(
  tracking: Tracking,
  live: KubeObject,
  next: KubeObject,
): Promise<void> {
  const sent = entriesOf(next);
  delete next.metadata.managedFields;
  await orForget(async () => {
    const managed = managedBefore(tracking, live, sent);
    // Where nobody was ever recorded, recording begins with the first apply.
    if (managed.managers.size === 0) return;
    setEntries(next, await tracked(tracking, { live, next, managed }));
  });
}

/** The entries to go on from: those sent, which may change them, or where they say nothing the object's own. */
function managedBefore(
  { subresource }: Tracking,
  live: KubeObject,
  sent: readonly ManagedFieldsEntry[] | undefined,
): Managed {
  const own = entriesOf(live);
  const stored = () => (own === undefined ? NOBODY : decodeStoredEntries(own));
  if (subresource !== '' || sent === undefined || isUnchanged(sent, own)) return stored();
  if (isReset(sent)) return NOBODY;
  return sentOr(sent, stored);
}

/** Most clients send back what they got. */
function isUnchanged(
  sent: readonly ManagedFieldsEntry[],
  own: readonly ManagedFieldsEntry[] | undefined,
): boolean {
  return sent === own || (own !== undefined && own.length > 0 && deepEqual(sent, own));
}

/** An empty list, or one empty entry, asks for a fresh start. */
function isReset(sent: readonly ManagedFieldsEntry[]): boolean {
  if (sent.length === 0) return true;
  const [first] = sent;
  return sent.length === 1 && Object.values(first ?? {}).every((value) => value === '');
}

/** Entries that cannot be read, or say nothing, count as not sent. */
function sentOr(sent: readonly ManagedFieldsEntry[], otherwise: () => Managed): Managed {
  try {
    const managed = decodeSentEntries(sent);
    return managed.managers.size === 0 ? otherwise() : managed;
  } catch (error) {
    if (error instanceof ParseError) return otherwise();
    throw error;
  }
}

/** The managers after an update of theirs or someone else's. */
export async function tracked(
  tracking: Tracking,
  { live, next, managed }: { live: KubeObject; next: KubeObject; managed: Managed },
): Promise<Managed> {
  const { def, subresource } = tracking;
  checkType(def, next);
  const managers = new Map(
    await updateManagers(
      {
        live: typedObject(def, live),
        next: typedObject(def, trackedForm(def, next)),
        managers: managed.managers,
        manager: CURRENT,
        // The types of built-in kinds never change; what clients send of them is seldom worth the walk.
        mayBeStale: !def.builtIn,
      },
      managersDeps(def, subresource),
    ),
  );
  const taken = managers.get(CURRENT);
  managers.delete(CURRENT);
  const fields = taken && difference(taken.fields, UNOWNED);
  if (taken === undefined || fields === undefined || isEmptySet(fields)) {
    return capManagers({ managers, times: managed.times });
  }
  const identifier = updaterOf(tracking);
  const before: OwnedFields | undefined = managers.get(identifier);
  managers.set(identifier, {
    ...taken,
    fields: before === undefined ? fields : union(fields, before.fields),
  });
  const times = new Map(managed.times).set(identifier, formatTime(tracking.now));
  return capManagers({ managers, times });
}

function updaterOf({ def, subresource, manager }: Tracking): string {
  return identifierOf({
    manager: manager === '' ? UNKNOWN : manager,
    operation: 'Update',
    apiVersion: def.apiVersion,
    subresource,
  });
}

/**
 * Throws TypedError when a custom object is not one of its type. Most that are not are refused later, but not for what
 * is dropped from them, such as a status, nor for a list where a formatted string should be, which upstream lets pass.
 */
function checkType(def: ResourceDef, object: KubeObject): void {
  if (def.builtIn) return;
  validateTyped(typedObject(def, object).schema, object, { allowDuplicates: true });
}

/** An object whose fields cannot be told apart is written all the same, but nobody is said to own them. */
async function orForget(track: () => Promise<void>): Promise<void> {
  try {
    await track();
  } catch (error) {
    // A RangeError is a stack that nested data has used up.
    if (!(error instanceof TypedError || error instanceof RangeError)) throw error;
  }
}

/** Puts the managers into an object. */
export function setEntries(object: KubeObject, managed: Managed): void {
  const entries = encodeEntries(managed);
  if (entries !== undefined) object.metadata.managedFields = entries;
}

/** What of a set can be owned. */
export function ownable(fields: FieldSet): FieldSet {
  return difference(fields, UNOWNED);
}
