import { isNotFound, type KubeObject } from '@flotilla/machinery';
import type { ApiResponse } from '../http/exchange.ts';
import { checkOptions, deleteObject } from '../objects/delete-object.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { decodeAll } from '../objects/stored.ts';
import { rangePrefix } from '../resources/resource.ts';
import { deleteOptions, warnOfDefaults } from './delete.ts';
import { negotiate } from './negotiate.ts';
import { listOptions } from './options.ts';
import { originOfDelete } from './origin.ts';
import { respond } from './respond.ts';
import { namespaceToRead, selection } from './selection.ts';

/** Objects deleted between two turns of the event loop. */
const SLICE = 50;
const READ_SLICE = 250;

/** DELETE of a collection: each object as if deleted alone; what is gone already does not matter. */
export async function removeCollection(engine: Engine, scope: Scope): Promise<ApiResponse> {
  const { request, def, info, tenant, user } = scope;
  const accepted = negotiate(request.headers['accept'], 'list');
  const selectors = listOptions(request.query, false);
  const wanted = selection(def, selectors, info.name);
  const options = await deleteOptions(scope);
  checkOptions(options);
  warnOfDefaults(scope, options);

  const prefix = rangePrefix(def, namespaceToRead(info.namespace, wanted));
  const { objects, revision } = await matching(engine, scope, {
    prefix,
    wanted,
    limit: selectors.limit,
  });
  for (let start = 0; start < objects.length; start += SLICE) {
    await Promise.all(
      objects.slice(start, start + SLICE).map(async ({ metadata }) => {
        try {
          await deleteObject(engine, {
            tenant,
            def,
            namespace: metadata.namespace ?? '',
            name: metadata.name ?? '',
            options,
            user,
            warn: (message) => scope.warnings.push(message),
            origin: originOfDelete(scope, options),
            ofCollection: true,
          });
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
      }),
    );
  }
  return respond(
    200,
    {
      kind: def.listKind,
      apiVersion: def.apiVersion,
      metadata: {
        ...(def.builtIn ? {} : { continue: '' }),
        resourceVersion: String(revision),
      },
      items: def.builtIn
        ? objects.map(({ kind: _kind, apiVersion: _apiVersion, ...item }) => item)
        : objects,
    },
    accepted.format,
  );
}

/** Reads a little at a time, so that other requests get their turns. */
async function matching(
  engine: Engine,
  { def, tenant, request }: Scope,
  query: { prefix: string; wanted: ReturnType<typeof selection>; limit: number },
): Promise<{ objects: KubeObject[]; revision: number }> {
  using snapshot = engine.store.snapshot(tenant);
  const limit = query.limit > 0 ? query.limit : Number.POSITIVE_INFINITY;
  const objects: KubeObject[] = [];
  let after: string | undefined;
  for (;;) {
    const slice = snapshot.range(query.prefix, {
      ...(after === undefined ? {} : { after }),
      limit: READ_SLICE,
    });
    after = slice.at(-1)?.key;
    const decoded = await decodeAll(
      def,
      slice.map(({ value }) => value),
    );
    for (const object of decoded) {
      if (query.wanted.matches(object) && objects.length < limit) objects.push(object);
    }
    if (slice.length < READ_SLICE || objects.length >= limit) {
      return { objects, revision: snapshot.revision };
    }
    await new Promise((resolve) => setImmediate(resolve));
    request.signal.throwIfAborted();
  }
}
