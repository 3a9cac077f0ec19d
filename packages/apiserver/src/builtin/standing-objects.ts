import { isAlreadyExists, isForbidden, isNotFound, type KubeObject } from '@flotilla/machinery';
import { API_SERVER } from '../managed-fields/manager-name.ts';
import { createObject } from '../objects/create-object.ts';
import type { Engine } from '../objects/engine.ts';
import { findStored, type Target } from '../objects/stored.ts';
import { keyOf, type ResourceDef } from '../resources/resource.ts';
import type { BuiltinController } from './controller.ts';
import { noWarnings, SYSTEM_USER } from './system-user.ts';

/** An object that is made anew when someone deletes it. */
export interface StandingObject {
  readonly def: ResourceDef;
  readonly object: KubeObject;
}

/** A namespace that is still going away is looked at again after this time. */
const RECHECK_MS = 1_000;

/** Brings back what a cluster cannot be without: its system namespaces, and the Service that leads to the server. */
export function standingObjectsController(
  engine: Engine,
  standing: readonly StandingObject[],
): BuiltinController {
  const byKey = new Map(
    standing.map(({ def, object }) => {
      const { namespace = '', name = '' } = object.metadata;
      return [keyOf(def, namespace, name), { def, object, namespace, name }] as const;
    }),
  );
  return {
    name: 'standing-objects',
    // The API server itself does this upstream, not the controller manager.
    yields: false,
    initial: () => [...byKey.keys()],
    concerns: ({ key, value }) => (value === undefined && byKey.has(key) ? [key] : []),
    sync: async (tenant, key) => {
      const wanted = byKey.get(key);
      if (wanted === undefined) return undefined;
      const { def, object, namespace, name } = wanted;
      const target: Target = { tenant, def, namespace, name };
      if (findStored(engine, target) !== undefined) return undefined;
      try {
        await createObject(engine, {
          ...target,
          object: structuredClone(object),
          user: SYSTEM_USER,
          manager: API_SERVER,
          dryRun: false,
          warn: noWarnings,
        });
      } catch (error) {
        if (isAlreadyExists(error)) return undefined;
        if (isNotFound(error) || isForbidden(error)) return RECHECK_MS;
        throw error;
      }
      return undefined;
    },
  };
}
