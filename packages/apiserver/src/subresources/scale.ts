import {
  conflict,
  deepCopy,
  invalid,
  invalidObject,
  type Json,
  type KubeObject,
  mergePatch,
  notFound,
} from '@flotilla/machinery';
import { decodePatched } from '../codec/patched.ts';
import { typeTables } from '../codec/type-tables.ts';
import { MAX_BODY, readObject } from '../handlers/body.ts';
import { negotiate } from '../handlers/negotiate.ts';
import { type WriteOptions, writeOptions } from '../handlers/options.ts';
import { partialMetadata } from '../handlers/partial-metadata.ts';
import { patchType, preparePatch } from '../handlers/patch.ts';
import { respond } from '../handlers/respond.ts';
import { age, includeObject } from '../handlers/table.ts';
import { patchTypeUnsupported } from '../handlers/unsupported.ts';
import { checkName } from '../handlers/update.ts';
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
    return shown(engine, scope, scaleOf(requireStored(engine, target).object, scope));
  }
  const options = writeOptions(
    request.query,
    info.verb === 'patch' ? 'PatchOptions' : 'UpdateOptions',
  );
  const wanted = await wantedScale(scope, options);
  const { stored } = await updateObject(engine, {
    ...target,
    subresource: 'scale',
    change: (current) => {
      const sent = wanted(scaleOf(current, scope));
      checkName(sent, scope);
      check(sent, current, scope);
      const next = deepCopy(current);
      view.setReplicas(next, replicasOf(sent));
      return next;
    },
    user,
    dryRun: options.dryRun,
    warn: (message) => scope.warnings.push(message),
  });
  return shown(engine, scope, scaleOf(stored.object, scope));
}

function shown(engine: Engine, { request }: Scope, object: KubeObject): ApiResponse {
  const accepted = negotiate(request.headers['accept']);
  if (accepted.view !== 'Table') return respond(200, object, accepted.format);
  const include = includeObject(request.query);
  const { replicas = 0 } = object['spec'] as { replicas?: number };
  const { replicas: available = 0 } = object['status'] as { replicas?: number };
  return respond(200, {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${accepted.viewVersion}`,
    metadata: { resourceVersion: object.metadata.resourceVersion },
    columnDefinitions: COLUMNS.map((name) => ({
      name,
      type: name === 'Desired' || name === 'Available' ? 'integer' : 'string',
      format: '',
      description: '',
      priority: 0,
    })),
    rows: [
      {
        cells: [
          object.metadata.name,
          replicas,
          available,
          age(object.metadata.creationTimestamp, engine.now()),
        ],
        object:
          include === 'None'
            ? null
            : include === 'Object'
              ? object
              : partialMetadata(object, accepted.viewVersion),
      },
    ],
  });
}

const COLUMNS = ['Name', 'Desired', 'Available', 'Age'];

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
  options: WriteOptions,
): Promise<(current: KubeObject) => KubeObject> {
  const { request, info } = scope;
  const { fieldValidation } = options;
  if (info.verb === 'update') {
    const sent = await readObject(scope, { fieldValidation, kind: SCALE });
    return () => sent;
  }
  const mediaType = patchType(request.headers['content-type']);
  if (!PATCH_TYPES.has(mediaType)) throw patchTypeUnsupported();
  const { apply, ...prepared } = preparePatch(mediaType, await request.body(MAX_BODY), {
    options,
    // Scale has no lists, so a strategic merge is a plain one.
    def: { strategicMerge: (object, patch) => mergePatch(object, patch) as Json },
  });
  return (current) => {
    const { object, warnings } = decodePatched({
      type: typeTables().struct('autoscaling/v1.Scale'),
      expected: SCALE,
      result: apply(current),
      fieldValidation,
      ...prepared,
    });
    scope.warnings.push(...warnings);
    return object;
  };
}

const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

const PATCH_TYPES = new Set([
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
]);

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
