import { forbiddenError } from '@flotilla/machinery';
import type { BuiltinController } from '../builtin/controller.ts';
import type { Admission, Engine } from '../objects/engine.ts';
import type { Registry } from '../resources/registry.ts';
import { groupResource, type ResourceDef } from '../resources/resource.ts';
import { apiServicesController } from './api-services-controller.ts';
import { crdCleanupController } from './cleanup-controller.ts';
import { crdConditionsController } from './conditions-controller.ts';
import type { CrdIndex } from './crd-index.ts';

/** The controllers that an API server runs for its CRDs. */
export function crdControllers(deps: {
  engine: Engine;
  registry: Registry;
  crds: CrdIndex;
}): BuiltinController[] {
  const { engine, registry, crds } = deps;
  const crdDef = withoutChecks(need(registry, 'apiextensions.k8s.io', 'customresourcedefinitions'));
  const apiServices = need(registry, 'apiregistration.k8s.io', 'apiservices');
  return [
    crdConditionsController({ engine, crdDef, crds }),
    crdCleanupController({ engine, crdDef, crds, builtin: registry }),
    apiServicesController({ engine, apiServices, crds }),
  ];
}

/** While a CRD is going away nothing is added to what it waits for. */
export function refuseWhileTerminating({ operation, subresource, def, name }: Admission): void {
  if (operation !== 'CREATE' || subresource !== '' || def.isTerminating !== true) return;
  throw forbiddenError(
    groupResource(def),
    name,
    'create not allowed while custom resource definition is terminating',
  );
}

/** What is wrong with a CRD must not keep it from telling its state, nor from being deleted. */
function withoutChecks(def: ResourceDef): ResourceDef {
  const {
    validate: _validate,
    validateUpdate: _validateUpdate,
    validateStatusUpdate: _validateStatusUpdate,
    warnings: _warnings,
    ...behaviour
  } = def.behaviour;
  return { ...def, behaviour };
}

function need(registry: Registry, group: string, resource: string): ResourceDef {
  const def = registry.find(group, 'v1', resource);
  if (def === undefined) throw new Error(`Cannot start without "${resource}": no such resource`);
  return def;
}
