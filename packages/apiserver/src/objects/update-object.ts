import {
  conflict,
  deepEqual,
  invalidObject,
  type KubeObject,
  notFound,
  type ObjectMeta,
} from '@flotilla/machinery';
import type { KindContext } from '../kinds/behaviour.ts';
import { keepReadableEntries } from '../managed-fields/after-admission.ts';
import { isUnchanged } from '../managed-fields/is-unchanged.ts';
import { CONTROLLER_MANAGER, type ManagedWrite } from '../managed-fields/manager-name.ts';
import { trackUpdate } from '../managed-fields/track.ts';
import { groupResource } from '../resources/resource.ts';
import { createObject } from './create-object.ts';
import type { Admission, Engine, Origin, UserInfo } from './engine.ts';
import { dedupOwners, matchNamespace, sameSpec } from './metadata.ts';
import { sameJson } from './same-json.ts';
import {
  asReadBack,
  loadStored,
  MODIFIED,
  parseResourceVersion,
  removeObject,
  retryOnConflict,
  type Stored,
  type Target,
  writeObject,
} from './stored.ts';
import { validateChange } from './validate.ts';

/** An update or a patch, from a request or from one of our own controllers. */
export interface Update extends Target, ManagedWrite {
  readonly subresource: string;
  /** True when the uid the caller sends must be the object's before anything else is looked at. */
  readonly uidMustMatch?: boolean;
  /** Makes the wanted object from the present one; called again when another writer was faster. */
  readonly change: (current: KubeObject) => KubeObject | Promise<KubeObject>;
  /** The wanted object when there is none yet; undefined where a missing object is an error. */
  readonly create?: () => KubeObject | Promise<KubeObject>;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly warn: (message: string) => void;
  readonly origin?: Origin | undefined;
  /** Set where admission knows the object by another kind, and `change` has let it change that one already. */
  readonly admittedAs?: {
    readonly kind: NonNullable<Admission['kind']>;
    readonly of: (object: KubeObject) => KubeObject;
  };
}

/** What an update did. */
export interface Updated {
  readonly stored: Stored;
  readonly created: boolean;
}

/** Replaces an object by what `change` makes of it, unless another writer got in between. */
export async function updateObject(engine: Engine, update: Update): Promise<Updated> {
  return retryOnConflict(update, async () => {
    const current = await loadStored(engine, update);
    if (current === undefined) {
      if (update.create === undefined) throw notFound(groupResource(update.def), update.name);
      const created = await createObject(engine, {
        ...update,
        object: await update.create(),
        ...originOfCreate(update),
      });
      return { stored: created, created: true };
    }
    const next = apart(await update.change(current.object), current.object);
    return { stored: await replace(engine, update, { current, next }), created: false };
  });
}

/** Metadata is changed in place from here on, and what is stored must be left alone. */
function apart(next: KubeObject, old: KubeObject): KubeObject {
  return next.metadata === old.metadata ? { ...next, metadata: { ...next.metadata } } : next;
}

async function replace(
  engine: Engine,
  update: Update,
  { current, next }: { current: Stored; next: KubeObject },
): Promise<Stored> {
  const old = current.object;
  checkUid(update, next, current);
  matchNamespace(update.def, next.metadata, update.namespace);
  dedupOwners(next, update.warn);
  if (update.isTracked !== true) {
    const { def, subresource } = update;
    const manager = update.manager ?? CONTROLLER_MANAGER;
    await trackUpdate({ def, subresource, manager, now: engine.now() }, old, next);
  }
  if (update.admittedAs === undefined) {
    const entries = next.metadata.managedFields;
    await engine.admit(admissionOf(update, next, old));
    keepReadableEntries(next, entries, update.warn);
    dedupOwners(next, update.warn, 'after mutating admission');
    matchNamespace(update.def, next.metadata, update.namespace);
  }
  // After admission, as upstream has it: webhooks hear of an update that comes too late, too.
  checkVersion(update, next, current);
  const release = engine.reserve(admissionOf(update, next, old));
  let written = false;
  try {
    const outcome = await writeChange(engine, update, { current, next });
    written = outcome !== current && !update.dryRun;
    return outcome;
  } finally {
    release?.(written);
  }
}

async function writeChange(
  engine: Engine,
  update: Update,
  { current, next: wanted }: { current: Stored; next: KubeObject },
): Promise<Stored> {
  const { def, name, namespace, tenant } = update;
  const old = current.object;
  const context = contextOf(engine, update);
  prepare(update, { old, next: wanted }, context);
  wanted.metadata.resourceVersion = old.metadata.resourceVersion ?? '';
  const next = def.storedForm(wanted);

  const errors = validateChange(def, { next, old }, context);
  if (errors.length > 0) throw invalidObject(def.errorKind, name, errors);
  // A scale is an update of the whole object to its kind.
  if (update.subresource === '' || update.subresource === 'scale') {
    for (const warning of def.behaviour.warnings?.(next, old, context) ?? []) update.warn(warning);
  }

  await engine.validate(asAdmitted(update, next, old));
  const target: Target = { tenant, def, namespace, name };
  if (isReleased(def, next, old) && !update.dryRun) {
    // The last finalizer went away: this update is the delete everyone waited for.
    await removeObject(engine, target, current.revision);
    return { object: next, revision: current.revision, bytes: Buffer.alloc(0) };
  }
  // An update that changes nothing writes nothing: the revision stays, and no watcher wakes up.
  if (isUnchanged(next, old, def.builtIn ? deepEqual : sameJson)) return current;
  if (update.dryRun) return asReadBack(def, next, current.revision);
  return writeObject(engine, target, {
    object: next,
    expect: current.revision,
    mayForgetManagers: update.isTracked !== true,
  });
}

/** Admission of the object as it will be stored, or of what stands for it. */
function asAdmitted(update: Update, next: KubeObject, old: KubeObject): Admission {
  const { admittedAs } = update;
  if (admittedAs === undefined) return admissionOf(update, next, old);
  const { kind, of } = admittedAs;
  return { ...admissionOf(update, of(next), of(old)), kind };
}

function admissionOf(update: Update, object: KubeObject, old: KubeObject): Admission {
  const { tenant, def, subresource, namespace, name, user, dryRun, warn, origin } = update;
  return {
    tenant,
    def,
    operation: 'UPDATE',
    subresource,
    namespace,
    name,
    object,
    old,
    user,
    dryRun,
    warn,
    origin,
  };
}

/** An update that turns out to create has the options of a create. */
function originOfCreate({ origin }: Update): { origin?: Origin } {
  if (origin === undefined) return {};
  const { options, signal } = origin;
  return { origin: { options: { ...options, kind: 'CreateOptions' }, signal } };
}

/** True when a deleted object has nothing left to wait for. */
function isReleased(def: Target['def'], next: KubeObject, old: KubeObject): boolean {
  return (
    (next.metadata.finalizers ?? []).length === 0 &&
    old.metadata.deletionTimestamp !== undefined &&
    (old.metadata.deletionGracePeriodSeconds ?? 0) === 0 &&
    !holdsNamespace(def, next)
  );
}

/** A namespace is held by spec.finalizers as well as by metadata's. */
function holdsNamespace(def: Target['def'], object: KubeObject): boolean {
  if (def.group !== '' || def.resource !== 'namespaces') return false;
  const spec = object['spec'] as { finalizers?: unknown[] } | undefined;
  return (spec?.finalizers ?? []).length > 0;
}

/** The caller must mean this very object. */
function checkUid(update: Update, next: KubeObject, current: Stored): void {
  const { def, name } = update;
  const old = current.object.metadata;
  const uid = next.metadata.uid ?? '';
  if (update.uidMustMatch === true && uid !== '' && uid !== old.uid) {
    const where = update.namespace === '' ? name : `${update.namespace}/${name}`;
    const place = def.builtIn ? `${def.resource}/${where}` : `${def.prefix}${where}`;
    throw conflict(
      groupResource(def),
      name,
      `StorageError: invalid object, Code: 4, Key: /registry/${place}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.uid ?? ''}`,
    );
  }
}

/** Where the caller says which version it has seen, nobody may have written since. */
function checkVersion({ def, name }: Update, next: KubeObject, current: Stored): void {
  const asked = parseResourceVersion(next.metadata.resourceVersion);
  if (asked === 0) {
    if (def.behaviour.unconditionalUpdate !== false) return;
    throw invalidObject({ group: def.group, kind: def.resource }, name, [
      {
        type: 'FieldValueInvalid',
        field: 'metadata.resourceVersion',
        message: 'Invalid value: 0: must be specified for an update',
      },
    ]);
  }
  if (asked !== current.revision) throw conflict(groupResource(def), name, MODIFIED);
}

/** Restores what this kind of update may not touch, then lets the kind have its say. */
function prepare(
  update: Update,
  { old, next }: { old: KubeObject; next: KubeObject },
  context: KindContext,
): void {
  const { def } = update;
  const { behaviour } = def;
  const meta = next.metadata;
  if (old.metadata.generation === undefined) delete meta.generation;
  else meta.generation = old.metadata.generation;

  const sub = behaviour.subresources?.[update.subresource];
  if (update.subresource === 'status') {
    keepOnlyStatus(next, old);
    if (behaviour.keepsMetadataOnStatus === true) keepMetadata(meta, old.metadata);
    behaviour.prepareForStatusUpdate?.(next, old, context);
  } else if (sub !== undefined) {
    sub.prepareForUpdate(next, old, context);
  } else {
    if (def.subresources.has('status')) keepStatus(next, old);
    behaviour.prepareForUpdate?.(next, old, context);
    if (behaviour.generation === 'spec' && !sameSpec(next, old)) {
      meta.generation = (old.metadata.generation ?? 0) + 1;
    }
  }

  if ((meta.uid ?? '') === '' && old.metadata.uid !== undefined) meta.uid = old.metadata.uid;
  if (old.metadata.creationTimestamp !== undefined) {
    meta.creationTimestamp = old.metadata.creationTimestamp;
  }
  if (old.metadata.deletionTimestamp !== undefined) {
    meta.deletionTimestamp = old.metadata.deletionTimestamp;
  }
  if (
    old.metadata.deletionGracePeriodSeconds !== undefined &&
    meta.deletionGracePeriodSeconds === undefined
  ) {
    meta.deletionGracePeriodSeconds = old.metadata.deletionGracePeriodSeconds;
  }
}

function contextOf(engine: Engine, update: Update): KindContext {
  return {
    now: engine.now,
    user: update.user.name,
    requester: update.user,
    namespace: update.namespace,
    subresource: update.subresource,
  };
}

function keepStatus(next: KubeObject, old: KubeObject): void {
  if ('status' in old) next['status'] = old['status'];
  else delete next['status'];
}

/** A status update changes status and metadata; every other field is as it was. */
function keepOnlyStatus(next: KubeObject, old: KubeObject): void {
  for (const field of Object.keys(next)) {
    if (!KEPT_BY_STATUS.has(field) && !(field in old)) delete next[field];
  }
  for (const field of Object.keys(old)) {
    if (!KEPT_BY_STATUS.has(field)) next[field] = old[field];
  }
}

const KEPT_METADATA = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

function keepMetadata(meta: ObjectMeta, old: ObjectMeta): void {
  for (const field of KEPT_METADATA) {
    delete meta[field];
    if (old[field] !== undefined) Object.assign(meta, { [field]: old[field] });
  }
}

const KEPT_BY_STATUS = new Set(['apiVersion', 'kind', 'metadata', 'status']);
