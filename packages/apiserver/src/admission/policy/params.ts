import {
  type KubeObject,
  labelSelectorAsSelector,
  matchesLabels,
  parseGroupVersion,
} from '@flotilla/machinery';
import type { Engine } from '../../objects/engine.ts';
import { decodeAll, loadStored } from '../../objects/stored.ts';
import type { Registry } from '../../resources/registry.ts';
import { type ResourceDef, rangePrefix } from '../../resources/resource.ts';
import type { Tenant } from '../../storage/store.ts';
import type { ParamRef, Policy } from './policy-types.ts';

/** A policy or binding asks for what is not there; its failure policy decides what that means. */
export class ConfigurationError extends Error {}

/** The resource that parameters are of; undefined when the policy takes none. */
export function paramResource(
  registry: Registry,
  paramKind: Policy['spec']['paramKind'],
): ResourceDef | undefined {
  if (paramKind === undefined) return undefined;
  const { apiVersion = '', kind = '' } = paramKind;
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
  const served = registry.groupVersions.find((gv) => gv.group === group && gv.version === version);
  const data = served?.resources.find((each) => each.kind === kind && !each.name.includes('/'));
  const def = data && registry.find(group, version, data.name);
  if (def !== undefined) return def;
  throw new ConfigurationError(
    `failed to find resource referenced by paramKind: '${group}/${version}, Kind=${kind}'`,
  );
}

/** Parameters to evaluate a policy with, each on its own; one undefined where there are none to take. */
export async function collectParams(
  engine: Engine,
  { def, ref }: { def: ResourceDef | undefined; ref: ParamRef | undefined },
  { tenant, namespace }: { tenant: Tenant; namespace: string },
): Promise<(KubeObject | undefined)[]> {
  if (def === undefined || ref === undefined) return [undefined];
  if (!def.namespaced && (ref.namespace ?? '') !== '') {
    throw new ConfigurationError(
      'paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
    );
  }
  const place = ref.namespace || namespace;
  if (def.namespaced && place === '') {
    throw new ConfigurationError(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    );
  }
  const where = { tenant, def, namespace: def.namespaced ? place : '' };
  const found =
    ref.name === undefined || ref.name === ''
      ? await selected(engine, where, ref)
      : await named(engine, where, ref.name);
  if (found.length === 0 && ref.parameterNotFoundAction === 'Deny') {
    throw new ConfigurationError(
      'no params found for policy binding with `Deny` parameterNotFoundAction',
    );
  }
  return found;
}

interface Place {
  readonly tenant: Tenant;
  readonly def: ResourceDef;
  readonly namespace: string;
}

async function named(engine: Engine, place: Place, name: string): Promise<KubeObject[]> {
  const found = await loadStored(engine, { ...place, name });
  return found === undefined ? [] : [found.object];
}

async function selected(engine: Engine, place: Place, ref: ParamRef): Promise<KubeObject[]> {
  const selector = labelSelectorAsSelector(ref.selector ?? {});
  const objects = await decodeAll(place.def, valuesIn(engine, place));
  return objects.filter(({ metadata }) => matchesLabels(selector, metadata.labels ?? {}));
}

/** Read at once: a snapshot must not stay open while others convert. */
function valuesIn(engine: Engine, { tenant, def, namespace }: Place): Buffer[] {
  using snapshot = engine.store.snapshot(tenant);
  const limit = Number.MAX_SAFE_INTEGER;
  return snapshot.range(rangePrefix(def, namespace), { limit }).map(({ value }) => value);
}
