import {
  badRequest,
  conflict,
  goQuote,
  invalidObject,
  type KubeObject,
  notFound,
  parseJson,
  StatusError,
} from '@flotilla/machinery';
import { prepareObject } from '../codec/encode.ts';
import { groupResource, keyOf, type ResourceDef } from '../resources/resource.ts';
import { isTooLong } from '../storage/keys.ts';
import { type Entry, type Tenant, WriteConflict } from '../storage/store.ts';
import type { Engine } from './engine.ts';

/** An object of ours as it stands in the store, with the revision to compare a write against. */
export interface Stored {
  readonly object: KubeObject;
  readonly revision: number;
  readonly bytes: Buffer;
}

/** Which object an operation is about. */
export interface Target {
  readonly tenant: Tenant;
  readonly def: ResourceDef;
  readonly namespace: string;
  readonly name: string;
}

/** What another writer's success looks like to the loser. */
export const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

/** Decodes stored bytes into the version the request speaks. */
export function decodeStored(def: ResourceDef, bytes: Buffer): KubeObject {
  const object = parseJson(bytes, { strict: false }).value as KubeObject;
  return def.conversion === undefined ? object : def.conversion.fromStored(object);
}

/** The object in whatever version it is stored in: for those who ask whether it is there, and about its metadata. */
export function peekStored(engine: Engine, target: Target): KubeObject | undefined {
  const { tenant, def, namespace, name } = target;
  const entry = engine.store.read(tenant, keyOf(def, namespace, name));
  return entry && (parseJson(entry.value, { strict: false }).value as KubeObject);
}

/** Whether stored bytes are what clients of the version read, so that nothing has to be decoded. */
export function isServable(def: ResourceDef, { revision }: { revision: number }): boolean {
  const { conversion } = def;
  if (conversion === undefined) return true;
  return conversion.freshAfter !== undefined && revision > conversion.freshAfter();
}

/** Decodes many stored objects; where somebody else converts them they are asked once for all. */
export async function decodeAll(
  def: ResourceDef,
  values: readonly Buffer[],
): Promise<KubeObject[]> {
  const remote = def.conversion?.remote;
  if (remote === undefined) return values.map((value) => decodeStored(def, value));
  return remote.fromStored(
    values.map((value) => parseJson(value, { strict: false }).value as KubeObject),
  );
}

/** As `findStored`, for kinds that somebody else may have to convert. */
export async function loadStored(engine: Engine, target: Target): Promise<Stored | undefined> {
  const { tenant, def, namespace, name } = target;
  if (def.conversion?.remote === undefined) return findStored(engine, target);
  const entry = engine.store.read(tenant, keyOf(def, namespace, name));
  if (entry === undefined) return undefined;
  const [object] = await decodeAll(def, [entry.value]);
  return object && { object, revision: entry.revision, bytes: entry.value };
}

/** The object, or undefined when there is none. */
export function findStored(engine: Engine, target: Target): Stored | undefined {
  const { tenant, def, namespace, name } = target;
  const entry = engine.store.read(tenant, keyOf(def, namespace, name));
  if (entry === undefined) return undefined;
  return { object: decodeStored(def, entry.value), revision: entry.revision, bytes: entry.value };
}

/** The object; NotFound when there is none. */
export function requireStored(engine: Engine, target: Target): Stored {
  const stored = findStored(engine, target);
  if (stored === undefined) throw notFound(groupResource(target.def), target.name);
  return stored;
}

/** What a dry run answers with: the object as it would be read back, had it been stored. */
export async function asReadBack(
  def: ResourceDef,
  object: KubeObject,
  revision: number,
): Promise<Stored> {
  const { conversion } = def;
  const bytes = Buffer.alloc(0);
  if (conversion === undefined) return { object, revision, bytes };
  const { remote } = conversion;
  const read =
    remote === undefined
      ? conversion.fromStored(conversion.toStored(object))
      : (await remote.fromStored([await remote.toStored(object)]))[0];
  return { object: def.canonicalize(read ?? object), revision, bytes };
}

/** Writes an object as the next revision of its key and returns what clients will read. */
export async function writeObject(
  engine: Engine,
  target: Target,
  write: { object: KubeObject; expect: number; mayForgetManagers?: boolean },
): Promise<Stored> {
  const { def, tenant, namespace, name } = target;
  const { conversion } = def;
  const stored =
    conversion?.remote === undefined
      ? (conversion?.toStored(write.object) ?? write.object)
      : await conversion.remote.toStored(write.object);
  if (isTooLong(tenant, keyOf(def, namespace, name))) throw tooLongToStore(target);
  // Encoded before the store takes the write, so that all it has to do in its turn is to add the revision.
  let prepared = prepareObject(stored);
  if (prepared.size > MAX_OBJECT) {
    if (write.mayForgetManagers !== true) throw tooLargeToStore();
    // Who owns what can be said again; what was sent cannot.
    const { managedFields: _managedFields, ...metadata } = stored.metadata;
    prepared = prepareObject({ ...stored, metadata });
    if (prepared.size > MAX_OBJECT) throw tooLargeToStore();
  }
  const written = conversion?.written;
  const entry = await engine.store.write(tenant, {
    key: keyOf(def, namespace, name),
    expect: write.expect,
    value:
      written === undefined
        ? prepared.at
        : (revision) => {
            written(revision);
            return prepared.at(revision);
          },
  });
  if (conversion?.remote === undefined) return storedOf(def, entry);
  // Read back as anyone would read it: on its way to the store, the object may have lost what was asked for.
  const [object] = await decodeAll(def, [entry.value]);
  return { object: object ?? stored, revision: entry.revision, bytes: entry.value };
}

/** Upstream's limit on what is stored, and the words its clients know it by. */
const MAX_OBJECT = 1.5 * 1024 * 1024;

function tooLargeToStore(): StatusError {
  return new StatusError(500, '', 'etcdserver: request is too large');
}

/** Kinds whose names have no limit of their own have the store's. */
function tooLongToStore({ def, name }: Target): StatusError {
  return invalidObject(def.errorKind, name, [
    {
      type: 'FieldValueTooLong',
      field: 'metadata.name',
      message: 'Too long: it does not fit into a key',
    },
  ]);
}

/** Removes the object; the store's own conflict error tells when it is no longer as expected. */
export async function removeObject(
  engine: Engine,
  target: Target,
  expect: number,
): Promise<number> {
  const { def, tenant, namespace, name } = target;
  const entry = await engine.store.write(tenant, {
    key: keyOf(def, namespace, name),
    expect,
    value: undefined,
  });
  return entry.revision;
}

/** Runs a read-modify-write until it is not overtaken by another writer. */
export async function retryOnConflict<T>(target: Target, attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      if (tries >= MAX_ATTEMPTS) throw conflict(groupResource(target.def), target.name, MODIFIED);
    }
  }
}

const MAX_ATTEMPTS = 100;

/** Most writes are answered with the bytes, so the object is decoded only for those who look into it. */
function storedOf(def: ResourceDef, entry: Entry): Stored {
  let object: KubeObject | undefined;
  return {
    get object() {
      object ??= decodeStored(def, entry.value);
      return object;
    },
    revision: entry.revision,
    bytes: entry.value,
  };
}

/**
 * A resourceVersion as a number; 0 when empty. Upstream words and codes the refusal by where the text stood: in an
 * object, in the query of a get or watch, or in that of a list.
 */
export function parseResourceVersion(
  text: string | undefined,
  where: 'object' | 'parameter' | 'list' = 'object',
): number {
  if (text === undefined || text === '') return 0;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  const problem = /^\d+$/.test(text) ? 'value out of range' : 'invalid syntax';
  const parse = `strconv.ParseUint: parsing ${goQuote(text)}: ${problem}`;
  if (where === 'object') throw new StatusError(500, '', parse);
  const field = `resourceVersion: Invalid value: ${goQuote(text)}: ${parse}`;
  if (where === 'parameter') throw new StatusError(500, '', field);
  throw badRequest(`invalid resource version: ${field}`);
}
