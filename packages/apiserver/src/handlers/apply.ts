import {
  badRequest,
  conflict,
  type KubeObject,
  ParseError,
  parseYaml,
  required,
  StatusError,
} from '@flotilla/machinery';
import type { Authorizer } from '../authz/rbac.ts';
import { warningsOf } from '../codec/decode.ts';
import { typeTables } from '../codec/type-tables.ts';
import { explainMisfit } from '../codec/unstructured.ts';
import type { ApiResponse } from '../http/exchange.ts';
import {
  applyConfiguration,
  type Configuration,
  kindText,
  placeOf,
} from '../managed-fields/apply-configuration.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { updateObject } from '../objects/update-object.ts';
import { groupResource } from '../resources/resource.ts';
import { MAX_BODY } from './body.ts';
import { negotiate } from './negotiate.ts';
import { type WriteOptions, writeOptions } from './options.ts';
import { originOf } from './origin.ts';
import { checkName, mayCreate } from './update.ts';
import { written } from './written.ts';

/** The media type of a configuration that is applied; JSON is YAML too. */
export const APPLY_PATCH = 'application/apply-patch+yaml';

/** PATCH that applies a configuration to an object, or makes one of it. */
export async function apply(
  { engine, authorizer }: { engine: Engine; authorizer: Authorizer },
  scope: Scope,
): Promise<ApiResponse> {
  const { request, def, info, tenant, user } = scope;
  negotiate(request.headers['accept']);
  const body = await request.body(MAX_BODY);
  const options = applyOptions(request.query);
  const merge = async (live?: KubeObject): Promise<KubeObject> => {
    const { applied, strictError } = readConfiguration(body);
    const object = await applyConfiguration(
      configurationOf(engine, scope, { applied, options }),
      live,
    );
    sayStrictly(strictError, { options, warnings: scope.warnings });
    return object;
  };
  const { stored, created } = await updateObject(engine, {
    tenant,
    def,
    namespace: info.namespace,
    name: info.name,
    subresource: info.subresource,
    isTracked: true,
    change: async (live) => {
      const object = await merge(live);
      checkName(object, scope);
      return object;
    },
    ...(info.subresource === ''
      ? {
          create: async () => {
            const object = await merge();
            checkNew(object, scope);
            checkName(object, scope);
            mayCreate(authorizer, scope);
            // A version is of no account where there is no object to have it.
            delete object.metadata.resourceVersion;
            return object;
          },
        }
      : {}),
    user,
    dryRun: options.dryRun,
    warn: (message) => scope.warnings.push(message),
    origin: originOf(scope, 'UpdateOptions'),
  });
  return written(engine, scope, { status: created ? 201 : 200, stored });
}

/** The options of an apply, which must say who applies. */
export function applyOptions(query: URLSearchParams): WriteOptions {
  return writeOptions(query, 'PatchOptions', (fieldManager) =>
    fieldManager === '' ? [required('fieldManager', 'is required for apply patch')] : [],
  );
}

/** Reads the configuration; what is wrong with it in strict mode is told only once it was applied, as upstream does. */
export function readConfiguration(body: Buffer): {
  applied: KubeObject;
  strictError: string | undefined;
} {
  try {
    const { value, strictError } = parseYaml(body);
    if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
      throw new ParseError(
        `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`,
      );
    }
    return { applied: (value ?? {}) as KubeObject, strictError };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw badRequest(`error decoding YAML: ${error.message}`);
  }
}

function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      return 'number';
  }
}

/** Tells of keys that stand twice, or refuses them. */
export function sayStrictly(
  strictError: string | undefined,
  { options, warnings }: { options: WriteOptions; warnings: string[] },
): void {
  if (strictError === undefined || options.fieldValidation === 'Ignore') return;
  if (options.fieldValidation === 'Strict') {
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${strictError}`);
  }
  warnings.push(...warningsOf(strictError));
}

function configurationOf(
  engine: Engine,
  { def, info }: Scope,
  { applied, options }: { applied: KubeObject; options: WriteOptions },
): Configuration {
  return {
    def,
    subresource: info.subresource,
    manager: options.fieldManager,
    now: engine.now(),
    applied,
    force: options.force,
    restore: (merged) => {
      const { object } = restored(def, merged as KubeObject, applied);
      def.behaviour.defaults?.(object);
      return object;
    },
  };
}

/** Reads merged data back into the form of its kind, with the error upstream gives here. */
function restored(
  def: Scope['def'],
  merged: KubeObject,
  applied: KubeObject,
): { object: KubeObject } {
  try {
    return def.decodePatched({
      result: merged,
      fieldValidation: 'Ignore',
      strict: [],
      wasApplied: true,
    });
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 422) throw error;
    const type = def.builtIn ? typeTables().kind(def) : undefined;
    const reason = (type && explainMisfit(type, merged)) ?? error.message;
    throw new StatusError(
      500,
      '',
      `failed to convert new object (${placeOf(applied)}) to proper version: unable to convert unstructured object to ${kindText(def.apiVersion, def.kind)}: ${reason}`,
    );
  }
}

/** A new object cannot be one that exists already. */
function checkNew(object: KubeObject, { def, info }: Scope): void {
  const uid = object.metadata.uid ?? '';
  if (uid === '') return;
  throw conflict(
    groupResource(def),
    info.name,
    `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  );
}
