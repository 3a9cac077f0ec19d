import { deepCopy, type KubeObject } from '@flotilla/machinery';
import type { Admission } from '../../objects/engine.ts';
import type { Registry } from '../../resources/registry.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import type { Asked } from './rules.ts';

/** A kind by its full name. */
export type Kind = NonNullable<Admission['kind']>;

/** Other resources under which the same objects are served: other versions, or the other home of Events. */
export function equivalentsOf(registry: Registry, def: ResourceDef): ResourceDef[] {
  return registry.groupVersions
    .map(({ group, version }) => registry.find(group, version, def.resource))
    .filter((each) => each !== undefined)
    .filter((each) => each.prefix === def.prefix && each.apiVersion !== def.apiVersion);
}

/** What rules see of a write under one of its resources. */
export function askedOf(admission: Admission, def: ResourceDef): Asked {
  const { operation, subresource, namespace } = admission;
  const { group, version, resource } = def;
  return { operation, group, version, resource, subresource, namespace };
}

/** The kind of the objects of a write under one of its resources. */
export function kindUnder(admission: Admission, def: ResourceDef): Kind {
  const { group, version, kind } = def;
  return admission.kind ?? { group, version, kind };
}

/** An object of one version in another; what has a kind of its own, such as Scale, is the same in all. */
export async function inVersion(
  object: KubeObject | undefined,
  admission: Admission,
  { from, to }: { from: ResourceDef; to: ResourceDef },
): Promise<KubeObject | undefined> {
  if (object === undefined || from === to || admission.kind !== undefined) return object;
  const converted = await fromStored(to, await toStored(from, deepCopy(object)));
  if (object.metadata.generation !== undefined) return converted;
  // Reading a stored object counts it as changed once; this one is not stored yet.
  const { generation: _generation, ...metadata } = converted.metadata;
  return { ...converted, metadata };
}

async function toStored({ conversion }: ResourceDef, object: KubeObject): Promise<KubeObject> {
  if (conversion === undefined) return object;
  return conversion.remote === undefined
    ? conversion.toStored(object)
    : conversion.remote.toStored(object);
}

async function fromStored({ conversion }: ResourceDef, object: KubeObject): Promise<KubeObject> {
  if (conversion === undefined) return object;
  if (conversion.remote === undefined) return conversion.fromStored(object);
  const [converted = object] = await conversion.remote.fromStored([object]);
  return converted;
}
