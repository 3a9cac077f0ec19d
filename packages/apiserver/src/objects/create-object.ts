import {
  alreadyExists,
  deepCopy,
  invalidObject,
  type KubeObject,
  StatusError,
} from '@flotilla/machinery';
import type { KindContext } from '../kinds/behaviour.ts';
import { groupResource, type ResourceDef } from '../resources/resource.ts';
import { type Tenant, WriteConflict } from '../storage/store.ts';
import type { Engine, UserInfo } from './engine.ts';
import {
  dedupOwners,
  fillSystemFields,
  generateName,
  matchNamespace,
  wipeSystemFields,
} from './metadata.ts';
import { findStored, type Stored, writeObject } from './stored.ts';
import { validateNew } from './validate.ts';

/** A create, from a request or from one of our own controllers. */
export interface Create {
  readonly tenant: Tenant;
  readonly def: ResourceDef;
  readonly namespace: string;
  /** Canonical; changed in place. */
  readonly object: KubeObject;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly warn: (message: string) => void;
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
  const { def, object } = create;
  // What is no number counts as none, as it does upstream.
  if (/^0*[1-9]\d*$/.test(object.metadata.resourceVersion ?? '')) {
    throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
  }
  wipeSystemFields(object.metadata);
  matchNamespace(def, object.metadata, create.namespace);
  def.behaviour.defaults?.(object);
  dedupOwners(object, create.warn);
  await engine.admit({
    ...create,
    operation: 'CREATE',
    subresource: '',
    name: object.metadata.name ?? '',
    old: undefined,
  });

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
  const release = engine.reserve({
    ...create,
    operation: 'CREATE',
    subresource: '',
    name,
    old: undefined,
  });
  let written = false;
  try {
    const object = prepared(engine, create);
    if (create.dryRun) {
      const existing = findStored(engine, target);
      if (existing !== undefined) throw taken(def, name, existing.object);
      delete object.metadata.resourceVersion;
      return { object, revision: 0, bytes: Buffer.alloc(0) };
    }
    const stored = await writeObject(engine, target, { object, expect: 0 });
    written = true;
    return stored;
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    throw taken(def, name, findStored(engine, target)?.object);
  } finally {
    release?.(written);
  }
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

/** An object's status is reported by controllers through /status, never by whoever creates it. */
function resetStatus(object: KubeObject): void {
  if ('status' in object) object['status'] = {};
}
