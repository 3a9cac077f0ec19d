import { isAlreadyExists, isForbidden, isNotFound, type KubeObject } from '@flotilla/machinery';
import { createObject } from '../objects/create-object.ts';
import type { Engine } from '../objects/engine.ts';
import { findStored } from '../objects/stored.ts';
import { updateObject } from '../objects/update-object.ts';
import { keyOf, type ResourceDef } from '../resources/resource.ts';
import type { Change, Tenant } from '../storage/store.ts';
import type { BuiltinController } from './controller.ts';
import { noWarnings, SYSTEM_USER } from './system-user.ts';

/** What every namespace must contain, and how to tell whether it is right. */
export interface NamespaceContent {
  readonly controller: string;
  readonly def: ResourceDef;
  readonly name: string;
  readonly make: (tenant: Tenant) => KubeObject;
  /** True when the existing object needs no repair. */
  readonly isRight: (tenant: Tenant, object: KubeObject) => boolean;
}

/** Keeps one object in every namespace: the default ServiceAccount, the bundle of CAs. */
export function namespaceContentController(
  engine: Engine,
  namespaces: ResourceDef,
  content: NamespaceContent,
): BuiltinController {
  const { def, name } = content;
  return {
    name: content.controller,
    yields: true,
    initial: (tenant) => namesOf(engine, namespaces, tenant),
    concerns: (change) => concerned(change, { namespaces, content }),
    sync: async (tenant, namespace) => {
      const parent = findStored(engine, {
        tenant,
        def: namespaces,
        namespace: '',
        name: namespace,
      });
      if (parent === undefined || parent.object.metadata.deletionTimestamp !== undefined) return;
      const target = { tenant, def, namespace, name };
      const existing = findStored(engine, target);
      if (existing !== undefined && content.isRight(tenant, existing.object)) return;
      const common = { user: SYSTEM_USER, dryRun: false, warn: noWarnings };
      try {
        if (existing === undefined) {
          await createObject(engine, { ...target, ...common, object: content.make(tenant) });
        } else {
          await updateObject(engine, {
            ...target,
            ...common,
            subresource: '',
            change: (current) => ({ ...content.make(tenant), metadata: current.metadata }),
          });
        }
      } catch (error) {
        // Someone else made it, or the namespace is going: either way there is nothing left to do here.
        if (!isAlreadyExists(error) && !isNotFound(error) && !isForbidden(error)) throw error;
      }
      return;
    },
  };
}

/** The names of all namespaces of a tenant. */
export function namesOf(engine: Engine, namespaces: ResourceDef, tenant: Tenant): string[] {
  using snapshot = engine.store.snapshot(tenant);
  return snapshot
    .range(namespaces.prefix, { limit: Number.MAX_SAFE_INTEGER })
    .map(({ key }) => key.slice(namespaces.prefix.length));
}

function concerned(
  change: Change,
  { namespaces, content }: { namespaces: ResourceDef; content: NamespaceContent },
): string[] {
  if (change.key.startsWith(namespaces.prefix)) {
    return change.value === undefined ? [] : [change.key.slice(namespaces.prefix.length)];
  }
  if (!change.key.startsWith(content.def.prefix) || change.previous === undefined) return [];
  const [namespace = '', name = ''] = change.key.slice(content.def.prefix.length).split('/');
  return change.key === keyOf(content.def, namespace, name) && name === content.name
    ? [namespace]
    : [];
}
