import {
  badRequest,
  duplicateFieldText,
  forbidden,
  type Json,
  jsonPatch,
  jsonPatchStrictErrors,
  type KubeObject,
  mergePatch,
  parseJson,
  StatusError,
} from '@flotilla/machinery';
import type { Authorizer } from '../authz/rbac.ts';
import type { ApiResponse } from '../http/exchange.ts';
import { managerName } from '../managed-fields/manager-name.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { updateObject } from '../objects/update-object.ts';
import { APPLY_PATCH, apply } from './apply.ts';
import { MAX_BODY } from './body.ts';
import { negotiate } from './negotiate.ts';
import { type WriteOptions, writeOptions } from './options.ts';
import { originOf } from './origin.ts';
import { orderJsonPatched, orderMerged } from './patched-order.ts';
import { patchTypeUnsupported } from './unsupported.ts';
import { checkName } from './update.ts';
import { written } from './written.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';

/** What a patch needs: one that is applied may create, which takes a right of its own. */
export interface PatchDeps {
  readonly engine: Engine;
  readonly authorizer: Authorizer;
}

/** PATCH of one object or of a subresource that writes it. */
export async function patch(deps: PatchDeps, scope: Scope): Promise<ApiResponse> {
  const { engine } = deps;
  const { request, def, info, tenant, user } = scope;
  const mediaType = patchType(request.headers['content-type']);
  if (mediaType === APPLY_PATCH) return apply(deps, scope);
  const supported = [JSON_PATCH, MERGE_PATCH, ...(def.builtIn ? [STRATEGIC_PATCH] : [])];
  if (!supported.includes(mediaType)) throw patchTypeUnsupported(def);
  negotiate(request.headers['accept']);
  const body = await request.body(MAX_BODY);
  const options = patchOptions(request.query);
  const prepared = preparePatch(mediaType, body, { options, def });
  const { stored } = await updateObject(engine, {
    tenant,
    def,
    namespace: info.namespace,
    name: info.name,
    subresource: info.subresource,
    change: (current) => {
      const { object, warnings } = def.decodePatched({
        result: prepared.apply(current),
        fieldValidation: options.fieldValidation,
        strict: prepared.strict,
        ...(prepared.strategicPatch === undefined
          ? {}
          : { strategicPatch: prepared.strategicPatch }),
      });
      scope.warnings.push(...warnings);
      def.behaviour.defaults?.(object);
      checkName(object, scope);
      return object;
    },
    user,
    dryRun: options.dryRun,
    warn: (message) => scope.warnings.push(message),
    origin: originOf(scope, 'UpdateOptions'),
    manager: managerName(options.fieldManager, request.headers['user-agent']),
  });
  return written(engine, scope, { status: 200, stored });
}

/** The options of a patch that is not applied. */
export function patchOptions(query: URLSearchParams): WriteOptions {
  return writeOptions(query, 'PatchOptions', () =>
    query.has('force') ? [forbidden('force', 'may not be specified for non-apply patch')] : [],
  );
}

/** The media type without its parameters. */
export function patchType(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim() ?? '';
}

/** A patch, read once and applied as often as other writers make it necessary. */
export interface PreparedPatch {
  readonly apply: (current: KubeObject) => unknown;
  /** What is wrong with the text of the patch itself when fields are checked. */
  readonly strict: readonly string[];
  readonly strategicPatch?: Json;
}

/** Reads a patch of one of the supported media types. */
export function preparePatch(
  mediaType: string,
  body: Buffer,
  { options, def }: { options: WriteOptions; def: Pick<Scope['def'], 'strategicMerge'> },
): PreparedPatch {
  const checked = options.fieldValidation !== 'Ignore';
  // Upstream reads strategic patches and unchecked ones without saying what it was doing.
  const bare = mediaType === STRATEGIC_PATCH || !checked;
  const { value, duplicates } = readPatch(body, bare);
  const strict = duplicates.map(duplicateFieldText);
  if (mediaType === JSON_PATCH) {
    return {
      apply: (current) => orderJsonPatched(jsonPatch(current, value), value),
      strict: checked
        ? [
            ...jsonPatchStrictErrors(value),
            ...duplicates.map((path) => `json patch ${duplicateFieldText(path)}`),
          ]
        : [],
    };
  }
  if (mediaType === MERGE_PATCH) {
    return { apply: (current) => orderMerged(mergePatch(current, value), value), strict };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest(
      `json: cannot unmarshal ${goKind(value)} into Go value of type map[string]interface {}`,
    );
  }
  const changes = value as Json;
  return {
    apply: (current) => def.strategicMerge(current, changes),
    strict,
    strategicPatch: changes,
  };
}

function readPatch(body: Buffer, bare: boolean): ReturnType<typeof parseJson> {
  try {
    return parseJson(body, { strict: true });
  } catch (error) {
    if (error instanceof StatusError) throw error;
    const text = error instanceof Error ? error.message : String(error);
    throw badRequest(bare ? text : `error decoding patch: ${text}`);
  }
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return value === null ? 'null' : typeof value === 'bigint' ? 'number' : typeof value;
}
