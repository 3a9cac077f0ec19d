import { badRequest, deepCopy, type KubeObject } from '@flotilla/machinery';
import { attributesOf, forbiddenFor } from '../authz/attributes.ts';
import type { Authorizer } from '../authz/rbac.ts';
import type { ApiResponse } from '../http/exchange.ts';
import { managerName } from '../managed-fields/manager-name.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { updateObject } from '../objects/update-object.ts';
import { readObject } from './body.ts';
import { negotiate } from './negotiate.ts';
import { writeOptions } from './options.ts';
import { originOf } from './origin.ts';
import { written } from './written.ts';

/** PUT of one object or of its status. */
export async function update(
  { engine, authorizer }: { engine: Engine; authorizer: Authorizer },
  scope: Scope,
): Promise<ApiResponse> {
  const { request, def, info, tenant, user } = scope;
  negotiate(request.headers['accept']);
  const options = writeOptions(request.query, 'UpdateOptions');
  const sent = await readObject(scope, options);
  checkName(sent, scope);
  def.behaviour.defaults?.(sent);
  const { stored, created } = await updateObject(engine, {
    tenant,
    def,
    namespace: info.namespace,
    name: info.name,
    subresource: info.subresource,
    uidMustMatch: true,
    // A copy each time: a retry must start from what the client sent.
    change: () => deepCopy(sent),
    ...(def.behaviour.createOnUpdate === true && info.subresource === ''
      ? {
          create: () => {
            mayCreate(authorizer, scope);
            return deepCopy(sent);
          },
        }
      : {}),
    user,
    dryRun: options.dryRun,
    warn: (message) => scope.warnings.push(message),
    origin: originOf(scope, 'UpdateOptions'),
    manager: managerName(options.fieldManager, request.headers['user-agent']),
  });
  return written(engine, scope, { status: created ? 201 : 200, stored });
}

/** The request was authorized as an update; that it creates turned out only now, and takes a right of its own. */
export function mayCreate(authorizer: Authorizer, { tenant, user, info }: Scope): void {
  const asked = attributesOf(user, { ...info, verb: 'create' });
  const decision = authorizer.decide(tenant, asked);
  if (!decision.allowed) throw forbiddenFor(asked, decision.reason);
}

/** The object must be the one the URL names. */
export function checkName(object: KubeObject, { info }: Scope): void {
  const { name = '', namespace = '' } = object.metadata;
  if (info.namespace !== '' && namespace !== '' && namespace !== info.namespace) {
    if (info.resource === 'namespaces') return;
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
  if (name === '') {
    throw badRequest(
      `the name of the object (${info.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (name !== info.name) {
    throw badRequest(
      `the name of the object (${name}) does not match the name on the URL (${info.name})`,
    );
  }
}
