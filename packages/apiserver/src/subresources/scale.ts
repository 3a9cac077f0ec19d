import {
  conflict,
  deepCopy,
  invalid,
  invalidObject,
  jsonPatch,
  type KubeObject,
  mergePatch,
  notFound,
  parseJson,
  unsupportedMediaType,
} from '@flotilla/machinery';
import { MAX_BODY, readObject } from '../handlers/body.ts';
import { writeOptions } from '../handlers/options.ts';
import { respond } from '../handlers/respond.ts';
import type { ApiResponse } from '../http/exchange.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { MODIFIED, requireStored } from '../objects/stored.ts';
import { updateObject } from '../objects/update-object.ts';
import { groupResource } from '../resources/resource.ts';

/** GET, PUT and PATCH of /scale: replicas through one small kind, whatever the workload. */
export async function scale(engine: Engine, scope: Scope): Promise<ApiResponse> {
  const { def, info, tenant, request, user } = scope;
  const view = def.behaviour.scale;
  if (view === undefined) throw notFound(groupResource(def), info.name);
  const target = { tenant, def, namespace: info.namespace, name: info.name };
  if (info.verb === 'get') {
    return respond(200, scaleOf(requireStored(engine, target).object, scope));
  }
  const options = writeOptions(
    request.query,
    info.verb === 'patch' ? 'PatchOptions' : 'UpdateOptions',
  );
  const wanted = await wantedScale(scope, options.fieldValidation);
  const stored = await updateObject(engine, {
    ...target,
    subresource: 'scale',
    change: (current) => {
      const sent = wanted(scaleOf(current, scope));
      check(sent, current, scope);
      const next = deepCopy(current);
      view.setReplicas(next, replicasOf(sent));
      return next;
    },
    user,
    dryRun: options.dryRun,
    warn: (message) => scope.warnings.push(message),
  });
  return respond(200, scaleOf(stored.object, scope));
}

function scaleOf(object: KubeObject, { def }: Scope): KubeObject {
  const view = def.behaviour.scale;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = view?.replicas(object) ?? 0;
  const selector = view?.selector(object) ?? '';
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    // Go leaves zero out here.
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: view?.statusReplicas(object) ?? 0,
      ...(selector === '' ? {} : { selector }),
    },
  };
}

async function wantedScale(
  scope: Scope,
  fieldValidation: 'Ignore' | 'Warn' | 'Strict',
): Promise<(current: KubeObject) => KubeObject> {
  const { request, info } = scope;
  if (info.verb === 'update') {
    const sent = await readObject(scope, {
      fieldValidation,
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    });
    return () => sent;
  }
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
  const body = await request.body(MAX_BODY);
  const { value } = parseJson(body, {});
  switch (mediaType) {
    case 'application/json-patch+json':
      return (current) => jsonPatch(current, value) as KubeObject;
    // Scale has no lists, so a strategic merge is a plain one.
    case 'application/merge-patch+json':
    case 'application/strategic-merge-patch+json':
      return (current) => mergePatch(current, value) as KubeObject;
    default:
      throw unsupportedMediaType(
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml, application/strategic-merge-patch+json',
      );
  }
}

function replicasOf(sent: KubeObject): number {
  return Number((sent['spec'] as { replicas?: number } | undefined)?.replicas ?? 0);
}

function check(sent: KubeObject, current: KubeObject, { def, info }: Scope): void {
  const replicas = replicasOf(sent);
  if (replicas < 0) {
    throw invalidObject({ group: 'autoscaling', kind: 'Scale' }, info.name, [
      invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const asked = sent.metadata.resourceVersion ?? '';
  if (asked !== '' && asked !== current.metadata.resourceVersion) {
    throw conflict(groupResource(def), info.name, MODIFIED);
  }
}
