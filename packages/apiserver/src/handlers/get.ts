import { notFound } from '@flotilla/machinery';
import type { ApiResponse } from '../http/exchange.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { decodeAll, isServable, parseResourceVersion } from '../objects/stored.ts';
import { groupResource, keyOf } from '../resources/resource.ts';
import { tooLargeRevision } from './list-snapshot.ts';
import { negotiate } from './negotiate.ts';
import { jsonBytes } from './respond.ts';
import { show } from './show.ts';

/** GET of one object: the stored bytes are the answer. */
export async function get(engine: Engine, scope: Scope): Promise<ApiResponse> {
  const { request, def, tenant, info } = scope;
  const accepted = negotiate(request.headers['accept']);
  const asked = parseResourceVersion(request.query.get('resourceVersion') ?? '', 'parameter');
  if (asked > engine.store.revision(tenant)) {
    throw tooLargeRevision(asked, engine.store.revision(tenant));
  }
  const entry = engine.store.read(tenant, keyOf(def, info.namespace, info.name));
  if (entry === undefined) throw notFound(groupResource(def), info.name);
  if (accepted.view === 'object' && accepted.format === 'json' && isServable(def, entry)) {
    return jsonBytes(200, entry.value);
  }
  const [object] = await decodeAll(def, [entry.value]);
  if (object === undefined) throw notFound(groupResource(def), info.name);
  return show(engine, scope, { status: 200, object });
}
