import {
  badRequest,
  encodeJson,
  invalid,
  invalidObject,
  type Json,
  jsonPatch,
  type KubeObject,
  mergePatch,
  parseJson,
  unsupportedMediaType,
} from '@flotilla/machinery';
import type { ApiResponse } from '../http/exchange.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { updateObject } from '../objects/update-object.ts';
import { MAX_BODY } from './body.ts';
import { negotiate } from './negotiate.ts';
import { type WriteOptions, writeOptions } from './options.ts';
import { checkName } from './update.ts';
import { written } from './written.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';
const APPLY_PATCH = 'application/apply-patch+yaml';

/** PATCH of one object or of a subresource that writes it. */
export async function patch(engine: Engine, scope: Scope): Promise<ApiResponse> {
  const { request, def, info, tenant, user } = scope;
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
  const supported = def.builtIn
    ? [JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH, APPLY_PATCH]
    : [JSON_PATCH, MERGE_PATCH, APPLY_PATCH];
  if (!supported.includes(mediaType)) {
    throw unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: ${supported.join(', ')}`,
    );
  }
  negotiate(request.headers['accept'], ['object', 'Table', 'PartialObjectMetadata']);
  const body = await request.body(MAX_BODY);
  const options = writeOptions(request.query, 'PatchOptions');
  if (options.force) {
    throw invalidObject({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
      {
        type: 'FieldValueForbidden',
        field: 'force',
        message: 'Forbidden: may not be specified for non-apply patch',
      },
    ]);
  }
  const apply = patcher(mediaType, body, scope);
  const stored = await updateObject(engine, {
    tenant,
    def,
    namespace: info.namespace,
    name: info.name,
    subresource: info.subresource,
    change: (current) => {
      // Upstream patches the versioned object as a client would have read it.
      const next = decodePatched(apply(current), { scope, body, options });
      checkName(next, scope);
      return next;
    },
    user,
    dryRun: options.dryRun,
    warn: (message) => scope.warnings.push(message),
  });
  return written(engine, scope, { status: 200, stored });
}

type Patcher = (current: KubeObject) => unknown;

function patcher(mediaType: string, body: Buffer, scope: Scope): Patcher {
  switch (mediaType) {
    case JSON_PATCH: {
      const operations = parsePatch(body, scope);
      return (current) => jsonPatch(current, operations);
    }
    case MERGE_PATCH: {
      const changes = parsePatch(body, scope);
      return (current) => mergePatch(current, changes);
    }
    case STRATEGIC_PATCH: {
      const changes = parsePatch(body, scope);
      if (typeof changes !== 'object' || changes === null || Array.isArray(changes)) {
        throw badRequest('error decoding patch: json: cannot unmarshal into map[string]interface {}');
      }
      return (current) => scope.def.strategicMerge(current, changes as Json);
    }
    default:
      throw unsupportedMediaType('Cannot apply server-side: this server does not do it yet');
  }
}

function parsePatch(body: Buffer, scope: Scope): unknown {
  try {
    const { value, duplicates } = parseJson(body, { strict: true });
    scope.warnings.push(...duplicates);
    return value;
  } catch (error) {
    throw badRequest(`error decoding patch: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What a patch made of the object must still be an object of its kind. */
function decodePatched(
  patched: unknown,
  { scope, body, options }: { scope: Scope; body: Buffer; options: WriteOptions },
): KubeObject {
  const { def } = scope;
  const refuse = (message: string) =>
    invalidObject({ group: '', kind: '' }, '', [
      invalid('patch', body.toString(), message),
    ]);
  if (typeof patched !== 'object' || patched === null || Array.isArray(patched)) {
    throw refuse(`json: cannot unmarshal into Go value of type v1.${def.kind}`);
  }
  const unknown: string[] = [];
  let next: KubeObject;
  try {
    next = def.decode(patched as KubeObject, (message) => unknown.push(message));
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : encodeJson(error));
  }
  if (options.fieldValidation === 'Strict' && unknown.length > 0) {
    throw refuse(`strict decoding error: ${unknown.join(', ')}`);
  }
  if (options.fieldValidation === 'Warn') scope.warnings.push(...unknown);
  def.behaviour.defaults?.(next);
  return next;
}
