import {
  apiVersionOf,
  isJsonObject,
  type Json,
  type Kind,
  type KubeObject,
} from '@flotilla/machinery';
import type { ObjectList } from '../client.ts';
import { TransportError } from '../transport-error.ts';

/** An object, whatever it is; throws when the answer is none. */
export function asObject<T extends KubeObject>(value: unknown, kind: Kind<T>): T {
  if (!isJsonObject(value)) throw unexpected(kind, 'an object');
  return value as unknown as T;
}

/** The metadata of an object, in the object's own kind: what the server calls it says nothing about it. */
export function asPartial<T extends KubeObject>(value: unknown, kind: Kind<T>): T {
  const { metadata } = asObject(value, kind) as unknown as Json;
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: metadata ?? {},
  } as unknown as T;
}

/** A list as it came, except that items say what they are: servers leave it out of typed lists. */
export function asList<T extends KubeObject>(value: unknown, kind: Kind<T>): ObjectList<T> {
  const { items, list } = readList(value, kind);
  const apiVersion = apiVersionOf(kind);
  for (const item of items) {
    item.apiVersion ??= apiVersion;
    item.kind ??= kind.kind;
  }
  return Object.assign(list, { items: items as T[] });
}

/** A list of metadata alone. */
export function asPartialList<T extends KubeObject>(value: unknown, kind: Kind<T>): ObjectList<T> {
  const { items, list } = readList(value, kind);
  return { metadata: list.metadata, items: items.map((item) => asPartial(item, kind)) };
}

function readList(
  value: unknown,
  kind: Kind,
): { readonly items: KubeObject[]; readonly list: Omit<ObjectList, 'items'> } {
  if (!isJsonObject(value)) throw unexpected(kind, 'a list');
  const { items, metadata } = value;
  // Go writes an empty list as null where nobody made one.
  if (items !== undefined && items !== null && !Array.isArray(items)) {
    throw unexpected(kind, 'a list');
  }
  const list = Object.assign(value, { metadata: isJsonObject(metadata) ? metadata : {} });
  return { items: (items ?? []) as KubeObject[], list };
}

function unexpected(kind: Kind, wanted: string): TransportError {
  return new TransportError(
    'malformed',
    `Cannot read "${kind.plural}": the server did not send ${wanted}`,
  );
}
