import type { Informer } from '@flotilla/client';
import { formatKey, type KubeObject, keyOfObject, type ObjectKey } from '@flotilla/machinery';

/**
 * What a server has of one kind, never older than our own writes. A watch takes a while to bring back what was just
 * written; until then the answer to the write stands in, or the next pass would make the same pods once more.
 */
export interface Cache<T extends KubeObject> {
  readonly get: (key: ObjectKey) => T | undefined;
  readonly list: (namespace?: string) => T[];
  /** What has this object as its controller. */
  readonly ownedBy: (uid: string | undefined) => T[];
  /** Remembers the server's answer to a write. */
  readonly wrote: (object: T) => void;
  /** Remembers that the server has deleted an object. */
  readonly deleted: (object: KubeObject) => void;
  /** The writes have been refused as outdated: only the watch tells what is there. */
  readonly forget: (key: ObjectKey) => void;
}

const BY_CONTROLLER = 'controller';

interface Write<T> {
  /** Undefined when it was deleted. */
  readonly object: T | undefined;
  readonly uid: string | undefined;
}

/** Lays our writes over an informer. */
export function createCache<T extends KubeObject>(informer: Informer<T>): Cache<T> {
  const writes = new Map<string, Write<T>>();
  informer.addIndex(BY_CONTROLLER, controllersOf);

  /** A write counts for as long as the watch has not come as far. */
  function standing(id: string, write: Write<T>, key: ObjectKey): boolean {
    const known = informer.get(key);
    const isBehind =
      write.object === undefined
        ? known !== undefined && known.metadata.uid === write.uid
        : isNewer(write.object.metadata.resourceVersion, informer.lastResourceVersion);
    if (!isBehind) writes.delete(id);
    return isBehind;
  }

  function laidOver(found: T[], isWanted: (object: T) => boolean): T[] {
    if (writes.size === 0) return found;
    const current = new Map(found.map((object) => [formatKey(keyOfObject(object)), object]));
    for (const [id, write] of [...writes]) {
      if (!standing(id, write, keyOf(id))) continue;
      if (write.object === undefined || !isWanted(write.object)) current.delete(id);
      else current.set(id, write.object);
    }
    return [...current.values()];
  }

  return {
    get: (key) => {
      const id = formatKey(key);
      const write = writes.get(id);
      return write !== undefined && standing(id, write, key) ? write.object : informer.get(key);
    },
    list: (namespace) =>
      laidOver(
        informer.list(namespace),
        ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
      ),
    ownedBy: (uid) =>
      uid === undefined
        ? []
        : laidOver(informer.byIndex(BY_CONTROLLER, uid), (object) =>
            controllersOf(object).includes(uid),
          ),
    wrote: (object) => {
      writes.set(formatKey(keyOfObject(object)), { object, uid: object.metadata.uid });
    },
    deleted: (object) => {
      writes.set(formatKey(keyOfObject(object)), { object: undefined, uid: object.metadata.uid });
    },
    forget: (key) => void writes.delete(formatKey(key)),
  };
}

/** The uid of an object's controller; undefined for what has none. */
export function controllerOf({ metadata }: KubeObject): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
}

function controllersOf(object: KubeObject): readonly string[] {
  const uid = controllerOf(object);
  return uid === undefined ? [] : [uid];
}

function keyOf(id: string): ObjectKey {
  const [namespace = '', name] = id.split('/');
  return name === undefined ? { name: namespace } : { namespace, name };
}

const DIGITS = /^(0|[1-9][0-9]*)$/;

/** Versions that are no numbers say nothing about age: then the watch is believed. */
function isNewer(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || one === other) return false;
  if (!DIGITS.test(one) || !DIGITS.test(other)) return false;
  return one.length === other.length ? one > other : one.length > other.length;
}
