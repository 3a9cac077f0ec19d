import { decodeDeleteOptions } from '../codec/decode.ts';
import type { ApiResponse } from '../http/exchange.ts';
import { type DeleteOptions, deleteObject } from '../objects/delete-object.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import type { ResourceDef } from '../resources/resource.ts';
import { MAX_BODY } from './body.ts';
import { negotiate } from './negotiate.ts';
import { booleanParameter, integerParameter } from './options.ts';
import { originOfDelete } from './origin.ts';
import { respond } from './respond.ts';
import { show } from './show.ts';

/** DELETE of one object. */
export async function remove(engine: Engine, scope: Scope): Promise<ApiResponse> {
  const { request, def, info, tenant, user } = scope;
  const accepted = negotiate(request.headers['accept']);
  const options = await deleteOptions(scope);
  warnOfDefaults(scope, options);
  const { object, gone } = await deleteObject(engine, {
    tenant,
    def,
    namespace: info.namespace,
    name: info.name,
    options,
    user,
    warn: (message) => scope.warnings.push(message),
    origin: originOfDelete(scope, options),
  });
  const status = !gone && options.orphanDependents === false ? 202 : 200;
  if (!gone || def.behaviour.returnsDeletedObject === true) {
    return show(engine, scope, { status, object });
  }
  return respond(status, deletedStatus(def, object.metadata), accepted.format);
}

/** Some kinds leave their dependents behind unless told otherwise, which surprises people. */
export function warnOfDefaults({ def, warnings }: Scope, options: DeleteOptions): void {
  const { deleteWarning } = def.behaviour;
  if (deleteWarning === undefined) return;
  if (options.propagationPolicy === undefined && options.orphanDependents === undefined) {
    warnings.push(deleteWarning);
  }
}

/** Options come in the body or, without one, in the query. */
export async function deleteOptions({ request }: Scope): Promise<DeleteOptions> {
  const body = await request.body(MAX_BODY);
  if (body.length > 0) {
    return decodeDeleteOptions({
      contentType: request.headers['content-type'],
      body,
    }) as DeleteOptions;
  }
  const { query } = request;
  const grace = integerParameter(query, 'gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  const orphan = booleanParameter(query, 'orphanDependents');
  const dryRun = query.getAll('dryRun');
  return {
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(orphan === undefined ? {} : { orphanDependents: orphan }),
    ...(dryRun.length === 0 ? {} : { dryRun }),
  };
}

function deletedStatus(
  def: ResourceDef,
  meta: { name?: string; uid?: string },
): Record<string, unknown> {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: meta.name,
      ...(def.group === '' ? {} : { group: def.group }),
      kind: def.resource,
      uid: meta.uid,
    },
  };
}
