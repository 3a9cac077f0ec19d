import type { ApiResponse } from '../http/exchange.ts';
import { managerName } from '../managed-fields/manager-name.ts';
import { createObject } from '../objects/create-object.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { readObject } from './body.ts';
import { negotiate } from './negotiate.ts';
import { writeOptions } from './options.ts';
import { originOf } from './origin.ts';
import { written } from './written.ts';

/** POST to a collection. */
export async function create(engine: Engine, scope: Scope): Promise<ApiResponse> {
  const { request, def, info, tenant, user } = scope;
  // Before the body: a client that cannot read the answer must not have written anything.
  negotiate(request.headers['accept']);
  const options = writeOptions(request.query, 'CreateOptions');
  const object = await readObject(scope, options);
  const stored = await createObject(engine, {
    tenant,
    def,
    namespace: info.namespace,
    object,
    user,
    dryRun: options.dryRun,
    warn: (message) => scope.warnings.push(message),
    origin: originOf(scope, 'CreateOptions'),
    manager: managerName(options.fieldManager, request.headers['user-agent']),
  });
  return written(engine, scope, { status: 201, stored });
}
