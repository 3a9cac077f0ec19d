import {
  deepCopy,
  deepEqual,
  formatTime,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
} from '@flotilla/machinery';
import type { BuiltinController } from '../builtin/controller.ts';
import { noWarnings, SYSTEM_USER } from '../builtin/system-user.ts';
import { API_SERVER } from '../managed-fields/manager-name.ts';
import { createObject } from '../objects/create-object.ts';
import { deleteObject } from '../objects/delete-object.ts';
import type { Engine } from '../objects/engine.ts';
import { findStored } from '../objects/stored.ts';
import { updateObject } from '../objects/update-object.ts';
import type { Registry } from '../resources/registry.ts';
import type { ResourceDef } from '../resources/resource.ts';
import type { Tenant } from '../storage/store.ts';
import type { Mount } from './mount.ts';

/** Ours to make and remove; upstream marks the groups built into a server this way. */
const LABEL = 'kube-aggregator.kubernetes.io/automanaged';
const MARK = 'onstart';

/** What keeping APIServices of mounted groups takes. */
export interface MountedServicesDeps {
  readonly engine: Engine;
  /** The kinds of Kubernetes itself. */
  readonly registry: Registry;
  readonly mounts: readonly Mount[];
}

/** Keeps an APIService that says Available for every group mounted on a tenant, and removes it with the group. */
export function mountedServicesController(deps: MountedServicesDeps): BuiltinController {
  const apiServices = definition(deps);
  const byName = new Map(deps.mounts.map((mount) => [`${mount.version}.${mount.group}`, mount]));
  const keyed = (name: string): boolean => byName.has(name);
  return {
    name: 'mounted-groups',
    yields: false,
    initial: () => [...byName.keys()],
    concerns: ({ key }) => {
      if (!key.startsWith(apiServices.prefix)) return [];
      return [key.slice(apiServices.prefix.length)].filter(keyed);
    },
    sync: async (tenant, name) => {
      const mount = byName.get(name);
      if (mount === undefined) return undefined;
      try {
        await settle(deps, tenant, mount);
      } catch (error) {
        // Someone else was faster; their change brings us back.
        if (!isAlreadyExists(error) && !isNotFound(error)) throw error;
      }
      return undefined;
    },
  };
}

function definition({ registry }: MountedServicesDeps): ResourceDef {
  const def = registry.find('apiregistration.k8s.io', 'v1', 'apiservices');
  if (def === undefined) throw new Error('Cannot mount groups: there are no APIServices');
  return def;
}

async function settle(deps: MountedServicesDeps, tenant: Tenant, mount: Mount): Promise<void> {
  const { engine } = deps;
  const name = `${mount.version}.${mount.group}`;
  const target = { tenant, def: definition(deps), namespace: '', name };
  const common = {
    user: SYSTEM_USER,
    manager: API_SERVER,
    dryRun: false,
    warn: noWarnings,
  };
  const existing = findStored(engine, target)?.object;
  const isServed = mount.isServedFor?.(tenant) ?? true;
  if (!isServed) {
    if (existing?.metadata.labels?.[LABEL] !== MARK) return;
    await deleteObject(engine, { ...target, ...common, options: {} });
    return;
  }
  if (existing === undefined) {
    await createObject(engine, { ...target, ...common, object: apiService(name, mount) });
  }
  if (existing !== undefined && !namesService(existing, mount)) {
    await updateObject(engine, {
      ...target,
      ...common,
      subresource: '',
      change: (current) => ({ ...deepCopy(current), spec: apiService(name, mount)['spec'] }),
    });
  }
  if (existing !== undefined && isAvailable(existing)) return;
  const since = formatTime(engine.now());
  await updateObject(engine, {
    ...target,
    ...common,
    subresource: 'status',
    change: (current) => ({
      ...deepCopy(current),
      status: { conditions: [available(since, mount)] },
    }),
  });
}

/** Somebody else's APIService of the group is theirs to write; of our own it was perhaps an older version that wrote it. */
function namesService(existing: KubeObject, { service }: Mount): boolean {
  if (existing.metadata.labels?.[LABEL] !== MARK) return true;
  return deepEqual((existing['spec'] as { service?: unknown }).service, service);
}

function apiService(name: string, { group, version, service }: Mount): KubeObject {
  return {
    kind: 'APIService',
    apiVersion: 'apiregistration.k8s.io/v1',
    metadata: { name, labels: { [LABEL]: MARK } },
    spec: {
      group,
      version,
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      ...(service === undefined ? {} : { service: { ...service }, insecureSkipTLSVerify: true }),
    },
  };
}

function available(lastTransitionTime: string, { service }: Mount): Record<string, string> {
  const condition = { type: 'Available', status: 'True', lastTransitionTime };
  return service === undefined
    ? { ...condition, reason: 'Local', message: 'Local APIServices are always available' }
    : { ...condition, reason: 'Passed', message: 'all checks passed' };
}

function isAvailable(service: KubeObject): boolean {
  const { conditions = [] } = (service['status'] ?? {}) as {
    conditions?: readonly { type: string; status: string }[];
  };
  return conditions.some(({ type, status }) => type === 'Available' && status === 'True');
}
