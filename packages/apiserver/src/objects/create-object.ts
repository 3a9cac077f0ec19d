import {
  alreadyExists,
  deepCopy,
  invalidObject,
  type KubeObject,
  StatusError,
} from '@flotilla/machinery';
import type { KindContext } from '../kinds/behaviour.ts';
import { keepReadableEntries } from '../managed-fields/after-admission.ts';
import { CONTROLLER_MANAGER, type ManagedWrite } from '../managed-fields/manager-name.ts';
import { trackCreate } from '../managed-fields/track.ts';
import { groupResource, type ResourceDef } from '../resources/resource.ts';
import { type Tenant, WriteConflict } from '../storage/store.ts';
import type { Admission, Engine, Origin, UserInfo } from './engine.ts';
import {
  dedupOwners,
  fillSystemFields,
  generateName,
  matchNamespace,
  wipeSystemFields,
} from './metadata.ts';
import { asReadBack, peekStored, type Stored, writeObject } from './stored.ts';
import { validateNew } from './validate.ts';

/** A create, from a request or from one of our own controllers. */
export interface Create extends ManagedWrite {
  readonly tenant: Tenant;
  readonly def: ResourceDef;
  readonly namespace: string;
  /** Canonical; changed in place. */
  readonly object: KubeObject;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly warn: (message: string) => void;
  readonly origin?: Origin | undefined;
}

/** 8 tries find a free name even where a million exist, with 0.1 % chance of failure (upstream's number). */
const NAME_ATTEMPTS = 8;

/**
 * Adds an object.
 *
 * Admission may rewrite the object, so validation comes after it; storage alone decides whether the
 * name is free, so there is no read before the write.
 */
export async function createObject(engine: Engine, create: Create): Promise<Stored> {
  const end = create.def.beginCreate?.();
  try {
    return await admitAndInsert(engine, create);
  } finally {
    end?.();
  }
}

async function admitAndInsert(engine: Engine, create: Create): Promise<Stored> {
  const { def, object } = create;
  // What is no number counts as none, as it does upstream; a dry run does not ask.
  if (!create.dryRun && /^0*[1-9]\d*$/.test(object.metadata.resourceVersion ?? '')) {
    throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
  }
  wipeSystemFields(object.metadata);
  matchNamespace(def, object.metadata, create.namespace);
  def.behaviour.defaults?.(object);
  dedupOwners(object, create.warn);
  // Before admission, as upstream: what webhooks add belongs to nobody.
  if (create.isTracked !== true) {
    const manager = create.manager ?? CONTROLLER_MANAGER;
    await trackCreate({ def, subresource: '', manager, now: engine.now() }, object);
  }
  const entries = object.metadata.managedFields;
  await engine.admit(admissionOf(create, object));
  keepReadableEntries(object, entries, create.warn);
  dedupOwners(object, create.warn, 'after mutating admission');
  matchNamespace(def, object.metadata, create.namespace);

  const generated =
    (object.metadata.name ?? '') === '' && (object.metadata.generateName ?? '') !== '';
  if (!generated) return insert(engine, create);
  for (let attempt = 1; ; attempt += 1) {
    const named = deepCopy(object);
    named.metadata.name = generateName(object.metadata.generateName ?? '', engine);
    try {
      return await insert(engine, { ...create, object: named });
    } catch (error) {
      const taken = error instanceof StatusError && error.reason === 'AlreadyExists';
      if (!taken || attempt >= NAME_ATTEMPTS) throw error;
    }
  }
}

async function insert(engine: Engine, create: Create): Promise<Stored> {
  const { def, tenant, namespace } = create;
  const name = create.object.metadata.name ?? '';
  const target = { tenant, def, namespace, name };
  const release = engine.reserve(admissionOf(create, create.object));
  let written = false;
  const given = create.object.metadata.resourceVersion ?? '';
  try {
    const object = prepared(engine, create);
    await engine.validate(admissionOf(create, withoutRevision(object)));
    if (create.dryRun) {
      const existing = peekStored(engine, target);
      if (existing !== undefined) throw taken(def, name, existing);
      if (given === '') delete object.metadata.resourceVersion;
      else object.metadata.resourceVersion = given;
      return await asReadBack(def, object, 0);
    }
    const stored = await writeObject(engine, target, {
      object,
      expect: 0,
      mayForgetManagers: create.isTracked !== true,
    });
    written = true;
    return stored;
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    throw taken(def, name, peekStored(engine, target));
  } finally {
    release?.(written);
  }
}

/** Field by field: spreading one object into another of many fields costs more than admission itself. */
function admissionOf(create: Create, object: KubeObject): Admission {
  const { tenant, def, namespace, user, dryRun, warn, origin } = create;
  const name = object.metadata.name ?? '';
  return {
    tenant,
    def,
    operation: 'CREATE',
    subresource: '',
    namespace,
    name,
    object,
    old: undefined,
    user,
    dryRun,
    warn,
    origin,
  };
}

/** The object as it will be stored: identity given, status cleared, checked. */
function prepared(engine: Engine, create: Create): KubeObject {
  const { def, object, namespace, user } = create;
  const { behaviour } = def;
  const context: KindContext = {
    now: engine.now,
    user: user.name,
    requester: user,
    namespace,
    subresource: '',
  };
  fillSystemFields(object.metadata, engine);
  if (def.subresources.has('status') && behaviour.keepsStatusOnCreate !== true) {
    resetStatus(object);
  }
  if (behaviour.generation === 'spec') object.metadata.generation = 1;
  behaviour.prepareForCreate?.(object, context);
  // Holds the place of the revision among the fields.
  object.metadata.resourceVersion = '0';
  const canonical = def.storedForm(object);

  const errors = validateNew(def, canonical, context);
  if (errors.length > 0) {
    const name = canonical.metadata.name ?? '';
    throw invalidObject(def.errorKind, name, errors);
  }
  for (const warning of behaviour.warnings?.(canonical, undefined, context) ?? []) {
    create.warn(warning);
  }
  return canonical;
}

function taken(def: ResourceDef, name: string, existing: KubeObject | undefined): StatusError {
  const error = alreadyExists(groupResource(def), name);
  if (existing?.metadata.deletionTimestamp === undefined) return error;
  return new StatusError(
    error.code,
    error.reason,
    `object is being deleted: ${error.message}`,
    error.details,
  );
}

/** The object as admission may know it: its revision is not known yet. */
function withoutRevision(object: KubeObject): KubeObject {
  const { resourceVersion: _held, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** An object's status is reported by controllers through /status, never by whoever creates it. */
function resetStatus(object: KubeObject): void {
  if ('status' in object) object['status'] = {};
}
