import { isNotFound, type KubeObject, parseJson } from '@flotilla/machinery';
import {
  type CelSchema,
  celTypeOfSchema,
  type DeclType,
  nameType,
  objectDecl,
} from '@flotilla/machinery/cel';
import type { BuiltinController } from '../../builtin/controller.ts';
import { noWarnings, SYSTEM_USER } from '../../builtin/system-user.ts';
import { typeTables } from '../../codec/type-tables.ts';
import { applyConfiguration } from '../../managed-fields/apply-configuration.ts';
import type { Engine } from '../../objects/engine.ts';
import { findStored } from '../../objects/stored.ts';
import { updateObject } from '../../objects/update-object.ts';
import type { Registry } from '../../resources/registry.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import type { Store, Tenant } from '../../storage/store.ts';
import { declTypeOfKind } from './go-decl-type.ts';
import type { Policy } from './policy-types.ts';
import { typeCheck } from './type-checking.ts';

/** Tells in a policy's status what is doubtful about its expressions. */
export function policyStatusController(
  engine: Engine,
  policies: ResourceDef,
  registryOf: (tenant: Tenant) => Registry,
): BuiltinController {
  const nameOf = (key: string): string => key.slice(policies.prefix.length);
  return {
    name: 'validatingadmissionpolicy-status-controller',
    yields: true,
    initial: (tenant) => {
      using snapshot = engine.store.snapshot(tenant);
      const all = snapshot.range(policies.prefix, { limit: Number.MAX_SAFE_INTEGER });
      return all.map(({ key }) => nameOf(key));
    },
    concerns: ({ key, value }) =>
      value !== undefined && key.startsWith(policies.prefix) ? [nameOf(key)] : [],
    sync: async (tenant, name) => {
      const target = { tenant, def: policies, namespace: '', name };
      const found = findStored(engine, target);
      if (found === undefined || isObserved(found.object as Policy)) return undefined;
      const registry = registryOf(tenant);
      try {
        await updateObject(engine, {
          ...target,
          subresource: 'status',
          change: (current) =>
            observed(engine, policies, { policy: current as Policy, tenant, registry }),
          isTracked: true,
          user: SYSTEM_USER,
          dryRun: false,
          warn: noWarnings,
        });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      return undefined;
    },
  };
}

function isObserved({ metadata, status }: Policy): boolean {
  const { observedGeneration = 0 } = (status ?? {}) as { observedGeneration?: number };
  return (metadata.generation ?? 0) <= observedGeneration;
}

/** The policy with its status applied, as upstream's controller does it. */
function observed(
  engine: Engine,
  def: ResourceDef,
  { policy, tenant, registry }: { policy: Policy; tenant: Tenant; registry: Registry },
): Promise<KubeObject> {
  const expressionWarnings = typeCheck(
    { registry, typeOf: (each) => typeOf(engine.store, tenant, each) },
    policy,
  );
  const { apiVersion, kind } = def;
  return applyConfiguration(
    {
      def,
      subresource: 'status',
      manager: 'validatingadmissionpolicy-status',
      now: engine.now(),
      applied: {
        apiVersion,
        kind,
        metadata: { name: policy.metadata.name ?? '' },
        status: {
          observedGeneration: policy.metadata.generation ?? 0,
          typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
        },
      },
      force: true,
      restore: (merged) => def.canonicalize(merged as KubeObject),
    },
    policy,
  );
}

/** Built-in kinds have Go's types, custom ones those of their schema as it is now. */
function typeOf(store: Store, tenant: Tenant, def: ResourceDef): DeclType | undefined {
  const { group, version, kind } = def;
  if (!def.builtIn) return typeOfCustom(store, tenant, def);
  const type = typeTables().kind({ group, version, kind });
  return type === undefined ? undefined : declTypeOfKind(type);
}

interface Definition {
  readonly spec: {
    readonly versions: readonly {
      readonly name: string;
      readonly schema?: { readonly openAPIV3Schema?: CelSchema };
    }[];
  };
}

function typeOfCustom(store: Store, tenant: Tenant, def: ResourceDef): DeclType | undefined {
  const key = `apiextensions.k8s.io/customresourcedefinitions/${def.resource}.${def.group}`;
  const entry = store.read(tenant, key);
  if (entry === undefined) return undefined;
  const { spec } = parseJson(entry.value, { strict: false }).value as unknown as Definition;
  const schema = spec.versions.find(({ name }) => name === def.version)?.schema?.openAPIV3Schema;
  const type = schema && celTypeOfSchema(schema, { root: true });
  if (type === undefined) return undefined;
  // Schemas say nothing of it, but it is served as everyone's is.
  const metadata = declTypeOfKind(typeTables().struct('meta/v1.ObjectMeta'));
  const { fields = new Map<string, DeclType>() } = nameType(type, def.kind);
  return objectDecl(def.kind, { ...Object.fromEntries(fields), metadata });
}
