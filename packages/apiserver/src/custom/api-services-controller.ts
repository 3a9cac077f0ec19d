import {
  deepCopy,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  parseJson,
} from '@flotilla/machinery';
import type { BuiltinController } from '../builtin/controller.ts';
import { noWarnings, SYSTEM_USER } from '../builtin/system-user.ts';
import { API_SERVER } from '../managed-fields/manager-name.ts';
import { createObject } from '../objects/create-object.ts';
import { deleteObject } from '../objects/delete-object.ts';
import type { Engine } from '../objects/engine.ts';
import { sameJson } from '../objects/same-json.ts';
import { findStored } from '../objects/stored.ts';
import { updateObject } from '../objects/update-object.ts';
import { keyOf, type ResourceDef } from '../resources/resource.ts';
import type { Tenant } from '../storage/store.ts';
import { CRD_PREFIX, type CustomResourceDefinition } from './crd.ts';
import type { CrdIndex } from './crd-index.ts';

const LABEL = 'kube-aggregator.kubernetes.io/automanaged';
/** All custom groups come after Kubernetes' own, and versions sort by their names. */
const GROUP_PRIORITY = 1000;
const VERSION_PRIORITY = 100;

/** What keeping APIServices takes. */
export interface ApiServicesDeps {
  readonly engine: Engine;
  readonly apiServices: ResourceDef;
  readonly crds: CrdIndex;
}

/** Keeps an APIService for every group version that a CRD serves. */
export function apiServicesController(deps: ApiServicesDeps): BuiltinController {
  const { engine, apiServices, crds } = deps;
  return {
    name: 'crd-autoregister',
    yields: false,
    initial: (tenant) => missingNames(deps, tenant),
    concerns: ({ tenant, key, value, previous }) => {
      if (key.startsWith(CRD_PREFIX)) {
        const names = [...namesIn(value), ...namesIn(previous)];
        // Conditions change more often than versions do.
        return value !== undefined &&
          previous !== undefined &&
          sameJson(namesIn(value), namesIn(previous))
          ? names.filter((name) => !exists(deps, tenant, name))
          : names;
      }
      if (!key.startsWith(apiServices.prefix)) return [];
      const name = key.slice(apiServices.prefix.length);
      return isServed(crds, tenant, name) || value?.includes(LABEL) === true ? [name] : [];
    },
    sync: async (tenant, name) => {
      const target = { tenant, def: apiServices, namespace: '', name };
      const common = {
        user: SYSTEM_USER,
        manager: API_SERVER,
        dryRun: false,
        warn: noWarnings,
      };
      const existing = findStored(engine, target)?.object;
      try {
        if (!isServed(crds, tenant, name)) {
          if (existing?.metadata.labels?.[LABEL] !== 'true') return undefined;
          await deleteObject(engine, { ...target, ...common, options: {} });
        } else if (existing === undefined) {
          await createObject(engine, { ...target, ...common, object: apiService(name) });
        } else if (existing.metadata.labels?.[LABEL] === 'true') {
          await updateObject(engine, {
            ...target,
            ...common,
            subresource: '',
            change: (current) => ({ ...deepCopy(current), spec: apiService(name)['spec'] }),
          });
        }
      } catch (error) {
        if (!isAlreadyExists(error) && !isNotFound(error)) throw error;
      }
      return undefined;
    },
  };
}

function apiService(name: string): KubeObject {
  const dot = name.indexOf('.');
  return {
    kind: 'APIService',
    apiVersion: 'apiregistration.k8s.io/v1',
    metadata: { name, labels: { [LABEL]: 'true' } },
    spec: {
      group: name.slice(dot + 1),
      version: name.slice(0, dot),
      groupPriorityMinimum: GROUP_PRIORITY,
      versionPriority: VERSION_PRIORITY,
    },
  };
}

function isServed(crds: CrdIndex, tenant: Tenant, name: string): boolean {
  const dot = name.indexOf('.');
  return crds
    .ofGroup(tenant, name.slice(dot + 1))
    .flatMap((holder) => holder.crd().spec.versions)
    .some((version) => version.served && version.name === name.slice(0, dot));
}

function exists({ engine, apiServices }: ApiServicesDeps, tenant: Tenant, name: string): boolean {
  return engine.store.read(tenant, keyOf(apiServices, '', name)) !== undefined;
}

function namesIn(value: Buffer | undefined): string[] {
  if (value === undefined) return [];
  const { spec } = parseJson(value, { strict: false }).value as CustomResourceDefinition;
  return spec.versions
    .filter(({ served }) => served)
    .map((version) => `${version.name}.${spec.group}`);
}

/** At the start, what a crash left undone: CRDs of groups that have no APIService. The others are not even read. */
function missingNames({ engine, apiServices }: ApiServicesDeps, tenant: Tenant): string[] {
  using snapshot = engine.store.snapshot(tenant);
  const limit = Number.MAX_SAFE_INTEGER;
  const crds = snapshot.range(CRD_PREFIX, { limit });
  if (crds.length === 0) return [];
  const known = new Set(
    snapshot
      .range(apiServices.prefix, { limit })
      .map(({ key }) => key.slice(key.indexOf('.', apiServices.prefix.length) + 1)),
  );
  return crds
    .filter(({ key }) => !known.has(key.slice(key.indexOf('.', CRD_PREFIX.length) + 1)))
    .flatMap(({ value }) => namesIn(value));
}
