import { type Kind, type KubeObject, keyOfObject, type ObjectKey } from '@flotilla/machinery';
import type { Client, DeleteOptions, Selection, WriteOptions } from '../client.ts';
import type { Ask, Exchange } from './exchange.ts';
import { APPLY_TYPE, PATCH_TYPES } from './media-types.ts';
import { collectionPath, objectPath, type Query, withQuery } from './paths.ts';
import { asObject } from './shapes.ts';

/** The verbs that change something. */
export type Writes = Pick<
  Client,
  'create' | 'replace' | 'patch' | 'apply' | 'delete' | 'deleteCollection'
>;

/** Makes the verbs that change something. */
export function createWrites(exchange: Exchange): Writes {
  const write = async <T extends KubeObject>(kind: Kind<T>, ask: Ask): Promise<T> =>
    asObject(await exchange.ask(ask), kind);
  return {
    create: async (kind, object, options = {}) => {
      const { namespace, name } = keyOfObject(object);
      const isSubresource = options.subresource !== undefined;
      if (kind.namespaced && (namespace === undefined || namespace === '')) {
        throw new TypeError(`Cannot create one of "${kind.plural}": it has no namespace`);
      }
      const path = isSubresource
        ? objectPath(kind, { namespace, name, subresource: options.subresource })
        : collectionPath(kind, namespace);
      // client-go names only what the path names: a new object is not there yet.
      const about = isSubresource ? { name } : {};
      return write(kind, { ...sent(kind, path, options), ...about, method: 'POST', body: object });
    },
    replace: async (kind, object, options = {}) =>
      write(kind, {
        ...addressed(kind, keyOfObject(object), options),
        method: 'PUT',
        body: object,
      }),
    patch: async (kind, key, { type, body, ...options }) =>
      write(kind, {
        ...addressed(kind, key, options),
        method: 'PATCH',
        contentType: PATCH_TYPES[type],
        body,
      }),
    apply: async (kind, object, { force, ...options }) =>
      write(kind, {
        ...addressed(kind, keyOfObject(object), options, { force }),
        method: 'PATCH',
        contentType: APPLY_TYPE,
        body: object,
      }),
    delete: async (kind, key, options = {}) =>
      write(kind, { ...deletion(objectPathOf(kind, key, options), kind, options), name: key.name }),
    deleteCollection: async (kind, options) => {
      await exchange.ask(deletion(selectedPath(kind, options), kind, options));
    },
  };
}

function selectedPath(kind: Kind, { namespace, labelSelector, fieldSelector }: Selection): string {
  return withQuery(collectionPath(kind, namespace), { labelSelector, fieldSelector });
}

function objectPathOf(kind: Kind, key: ObjectKey, { subresource }: WriteOptions): string {
  return objectPath(kind, { ...key, subresource });
}

// oxlint-disable-next-line max-params -- one verb's own query beside what all writes have
function addressed(kind: Kind, key: ObjectKey, options: WriteOptions, query: Query = {}) {
  return { ...sent(kind, objectPathOf(kind, key, options), options, query), name: key.name };
}

// oxlint-disable-next-line max-params -- see above
function sent(kind: Kind, path: string, options: WriteOptions, query: Query = {}) {
  const { dryRun, fieldManager, fieldValidation } = options;
  return {
    ...call(kind, options),
    path: withQuery(path, {
      dryRun: dryRun === true ? 'All' : undefined,
      fieldManager,
      fieldValidation,
      ...query,
    }),
  };
}

/** What a delete should do travels in its body, so that servers and their admission see it whole. */
function deletion(path: string, kind: Kind, options: DeleteOptions): Ask {
  const { gracePeriodSeconds, propagationPolicy, preconditions, dryRun } = options;
  return {
    ...call(kind, options),
    method: 'DELETE',
    path,
    body: {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      gracePeriodSeconds,
      preconditions,
      propagationPolicy,
      dryRun: dryRun === true ? ['All'] : undefined,
    },
  };
}

function call(kind: Kind, { signal, timeoutMs }: WriteOptions) {
  return {
    signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    group: kind.group,
    resource: kind.plural,
  };
}
