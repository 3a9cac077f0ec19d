import {
  conflict,
  deepCopy,
  invalid,
  invalidObject,
  type Json,
  type KubeObject,
  mergePatch,
  notAcceptable,
  notFound,
} from '@flotilla/machinery';
import { decodePatched } from '../codec/patched.ts';
import { typeTables } from '../codec/type-tables.ts';
import { APPLY_PATCH, applyOptions, readConfiguration, sayStrictly } from '../handlers/apply.ts';
import { MAX_BODY, readObject } from '../handlers/body.ts';
import { negotiate } from '../handlers/negotiate.ts';
import { type WriteOptions, writeOptions } from '../handlers/options.ts';
import { originOf } from '../handlers/origin.ts';
import { partialMetadata } from '../handlers/partial-metadata.ts';
import { patchOptions, patchType, preparePatch } from '../handlers/patch.ts';
import { respond } from '../handlers/respond.ts';
import { age, includeObject } from '../handlers/table.ts';
import { patchTypeUnsupported } from '../handlers/unsupported.ts';
import { checkName } from '../handlers/update.ts';
import type { ApiResponse } from '../http/exchange.ts';
import { applyConfiguration } from '../managed-fields/apply-configuration.ts';
import { managerName } from '../managed-fields/manager-name.ts';
import { otherKind } from '../managed-fields/other-kind.ts';
import { addScaleEntries, takeScaleEntries } from '../managed-fields/scale-fields.ts';
import { trackUpdate } from '../managed-fields/track.ts';
import type { Admission, Engine, Scope } from '../objects/engine.ts';
import { matchNamespace } from '../objects/metadata.ts';
import { loadStored, MODIFIED } from '../objects/stored.ts';
import { updateObject } from '../objects/update-object.ts';
import { groupResource } from '../resources/resource.ts';

/** GET, PUT and PATCH of /scale: replicas through one small kind, whatever the workload. */
export async function scale(engine: Engine, scope: Scope): Promise<ApiResponse> {
  const { def, info, tenant, user } = scope;
  const view = def.behaviour.scale;
  if (view === undefined) throw notFound(groupResource(def), info.name);
  const target = { tenant, def, namespace: info.namespace, name: info.name };
  if (info.verb === 'get') {
    const found = await loadStored(engine, target);
    if (found === undefined) throw notFound(groupResource(def), info.name);
    const missing = view.missing?.(found.object, true);
    if (missing !== undefined) throw missing;
    return shown(engine, scope, scaleOf(found.object, scope));
  }
  const options = optionsOf(scope);
  const wanted = await wantedScale(engine, scope, options);
  const admission: Omit<Admission, 'object' | 'old'> = {
    ...target,
    operation: 'UPDATE',
    subresource: 'scale',
    kind: SCALE,
    user,
    dryRun: options.dryRun,
    warn: (message) => scope.warnings.push(message),
    origin: originOf(scope, 'UpdateOptions'),
  };
  const { stored } = await updateObject(engine, {
    ...admission,
    isTracked: true,
    admittedAs: { kind: SCALE, of: (object) => scaleOf(object, scope) },
    change: async (current) => {
      const old = scaleOf(current, scope);
      const live = { ...old, metadata: { ...old.metadata } };
      addScaleEntries(def, current, live);
      const sent = await wanted(live);
      const isUnset = (sent['spec'] as { replicas?: number } | undefined)?.replicas === undefined;
      const missing = isUnset && info.verb === 'patch' ? view.missing?.(current, false) : undefined;
      if (missing !== undefined) throw missing;
      checkName(sent, scope);
      matchNamespace(def, sent.metadata, info.namespace);
      await engine.admit({ ...admission, object: sent, old });
      check(sent, current, scope);
      const next = deepCopy(current);
      view.setReplicas(next, replicasOf(sent));
      takeScaleEntries(def, next, sent);
      return next;
    },
  });
  return shown(engine, scope, scaleOf(stored.object, scope));
}

function shown(engine: Engine, { request, def }: Scope, object: KubeObject): ApiResponse {
  const accepted = negotiate(request.headers['accept']);
  if (accepted.view === 'PartialObjectMetadata') {
    return respond(200, partialMetadata(def, object, accepted.viewVersion), accepted.format);
  }
  if (accepted.view === 'PartialObjectMetadataList') {
    const type = def.builtIn ? '*autoscaling.Scale' : '*v1.Scale';
    throw notAcceptable(
      `you requested PartialObjectMetadataList, but the requested object is not a list (${type})`,
    );
  }
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
      type: columnType(name, def.builtIn),
      format: name === 'Name' && !def.builtIn ? 'name' : '',
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
              : partialMetadata(def, object, accepted.viewVersion),
      },
    ],
  });
}

/** The table of a custom kind's scale is made like those of custom kinds. */
function columnType(name: string, isBuiltIn: boolean): string {
  if (name === 'Desired' || name === 'Available') return 'integer';
  return name === 'Age' && !isBuiltIn ? 'date' : 'string';
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

function optionsOf({ request, info }: Scope): WriteOptions {
  if (info.verb !== 'patch') return writeOptions(request.query, 'UpdateOptions');
  const isApply = patchType(request.headers['content-type']) === APPLY_PATCH;
  return isApply ? applyOptions(request.query) : patchOptions(request.query);
}

/** Makes of the present Scale, with its managers, the wanted one. */
type ChangeScale = (live: KubeObject) => KubeObject | Promise<KubeObject>;

async function wantedScale(
  engine: Engine,
  scope: Scope,
  options: WriteOptions,
): Promise<ChangeScale> {
  const { request, info, def } = scope;
  if (patchType(request.headers['content-type']) === APPLY_PATCH && info.verb === 'patch') {
    return appliedScale(engine, scope, options);
  }
  const change = await changedScale(scope, options);
  const manager = managerName(options.fieldManager, request.headers['user-agent']);
  const kind = otherKind(def, SCALE);
  return async (live) => {
    const next = deepCopy(await change(live));
    await trackUpdate({ def: kind, subresource: 'scale', manager, now: engine.now() }, live, next);
    return next;
  };
}

/** A Scale that is applied. */
async function appliedScale(
  engine: Engine,
  { request, def, warnings }: Scope,
  options: WriteOptions,
): Promise<ChangeScale> {
  const body = await request.body(MAX_BODY);
  return async (live) => {
    const { applied, strictError } = readConfiguration(body);
    const object = await applyConfiguration(
      {
        def: otherKind(def, SCALE),
        subresource: 'scale',
        manager: options.fieldManager,
        now: engine.now(),
        applied,
        force: options.force,
        restore: (merged) =>
          decodePatched({
            type: typeTables().struct('autoscaling/v1.Scale'),
            expected: SCALE,
            result: merged,
            fieldValidation: 'Ignore',
            wasApplied: true,
          }).object,
      },
      live,
    );
    sayStrictly(strictError, { options, warnings });
    return object;
  };
}

async function changedScale(scope: Scope, options: WriteOptions): Promise<ChangeScale> {
  const { request, info } = scope;
  const { fieldValidation } = options;
  if (info.verb === 'update') {
    const sent = await readObject(scope, { fieldValidation, kind: SCALE });
    return () => sent;
  }
  const mediaType = patchType(request.headers['content-type']);
  const isStrategic = mediaType === 'application/strategic-merge-patch+json';
  if (!PATCH_TYPES.has(mediaType) || (isStrategic && !scope.def.builtIn)) {
    throw patchTypeUnsupported(scope.def);
  }
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
  // What a custom kind may hold is for its schema to say.
  if (replicas < 0 && def.builtIn) {
    throw invalidObject({ group: 'autoscaling', kind: 'Scale' }, info.name, [
      invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const asked = sent.metadata.resourceVersion ?? '';
  if (asked !== '' && asked !== current.metadata.resourceVersion) {
    throw conflict(groupResource(def), info.name, MODIFIED);
  }
}
