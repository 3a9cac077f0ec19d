import {
  badRequest,
  deepEqual,
  formatTime,
  type KubeObject,
  type ObjectMeta,
  type OwnerReference,
} from '@flotilla/machinery';
import type { ResourceDef } from '../resources/resource.ts';
import type { Engine } from './engine.ts';

/** Room for the random suffix in a 63-character name. */
const MAX_GENERATED_PREFIX = 58;

/** A name from generateName: its first 58 characters and five random ones. */
export function generateName(prefix: string, engine: Engine): string {
  return `${prefix.slice(0, MAX_GENERATED_PREFIX)}${engine.nameSuffix()}`;
}

/** Drops what only the server may say, whatever the caller of a create sent. */
export function wipeSystemFields(meta: ObjectMeta): void {
  delete meta.creationTimestamp;
  delete meta.uid;
  delete meta.deletionTimestamp;
  delete meta.deletionGracePeriodSeconds;
  delete (meta as { selfLink?: string }).selfLink;
}

/** Gives a new object its identity. */
export function fillSystemFields(meta: ObjectMeta, engine: Engine): void {
  meta.creationTimestamp = formatTime(engine.now());
  meta.uid = engine.newUid();
}

/** An object without a namespace takes the request's; a contradiction is refused. */
export function matchNamespace(def: ResourceDef, meta: ObjectMeta, namespace: string): void {
  const expected = def.namespaced ? namespace : '';
  const actual = meta.namespace ?? '';
  if (actual === expected) return;
  if (expected === '') {
    delete meta.namespace;
    return;
  }
  if (actual !== '') {
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
  meta.namespace = expected;
}

/** True when everything but metadata and status is the same. */
export function sameSpec(a: KubeObject, b: KubeObject): boolean {
  const { metadata: _am, status: _as, ...left } = a;
  const { metadata: _bm, status: _bs, ...right } = b;
  return deepEqual(left, right);
}

/** Every field of a reference, so that thousands can be told apart without comparing each with each. */
function ownerText(owner: OwnerReference): string {
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = owner;
  return JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
}

/** Drops repeated owner references, as upstream does with a warning; before mutating admission, and after it. */
export function dedupOwners(
  object: KubeObject,
  warn: (message: string) => void,
  when: 'as sent' | 'after mutating admission' = 'as sent',
): void {
  const owners = object.metadata.ownerReferences;
  if (owners === undefined || owners.length < 2) return;
  const unique = new Map<string, OwnerReference>();
  const repeated: string[] = [];
  for (const owner of owners) {
    const text = ownerText(owner);
    if (unique.has(text)) repeated.push(owner.uid);
    else unique.set(text, owner);
  }
  if (repeated.length === 0) return;
  object.metadata.ownerReferences = [...unique.values()];
  const happened = when === 'as sent' ? '' : ' after mutating admission happens';
  warn(
    `.metadata.ownerReferences contains duplicate entries${happened}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(', ')}`,
  );
}
