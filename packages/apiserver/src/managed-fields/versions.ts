import { type KubeObject, StatusError } from '@flotilla/machinery';
import {
  DEDUCED,
  type ManagersDeps,
  type Typed,
  TypedError,
  validateTyped,
} from '@flotilla/machinery/apply';
import type { Conversion, ResourceDef } from '../resources/resource.ts';
import { resetFilter } from './reset-fields.ts';

/** An object with its kind's merge schema. */
export function typedObject(def: ResourceDef, object: unknown): Typed {
  return { value: object, schema: def.mergeSchema?.() ?? DEDUCED, version: def.apiVersion };
}

/** A new or changed object as upstream records it, which is after it went through the stored version and back. */
export function trackedForm(def: ResourceDef, object: KubeObject): KubeObject {
  const { conversion, behaviour } = def;
  const converted =
    def.builtIn && conversion !== undefined
      ? def.canonicalize(conversion.fromStored(conversion.toStored(object)))
      : object;
  return behaviour.asTracked?.(converted) ?? converted;
}

/** An object of the kind with nothing in it, which is what a new one is compared with. */
export function emptyObject(def: ResourceDef): KubeObject {
  return def.emptyObject?.() ?? ({ apiVersion: def.apiVersion, kind: def.kind } as KubeObject);
}

/** What the managers' algorithm must know about a kind, for writes to one of its subresources. */
export function managersDeps(def: ResourceDef, subresource: string): ManagersDeps {
  const filter = resetFilter(def, subresource);
  return {
    convert: async ({ value }, version) => {
      const other = def.inVersion?.(version);
      const between = def.conversion?.between;
      if (between !== undefined) {
        const to = { other, version, between };
        return convertedCustom(value as KubeObject, def, to);
      }
      if (other === undefined) return undefined;
      return typedObject(other, await converted(value as KubeObject, other, def));
    },
    filter: (version) => (version === def.apiVersion || def.builtIn ? filter : undefined),
  };
}

/**
 * A custom object in another version, by way of the one the request speaks. Upstream does not prune it, so that it may
 * not fit the other version's schema; then, and when it cannot be had at all, nobody is said to own anything any more.
 */
async function convertedCustom(
  object: KubeObject,
  { apiVersion }: ResourceDef,
  { other, version, between }: CustomTarget,
): Promise<Typed> {
  if (other === undefined) {
    throw untyped(`request to convert CR to an invalid group/version: ${version}`);
  }
  const typed = typedObject(
    other,
    await between(object, apiVersion)
      .then((hub) => between(hub, version))
      .catch((error: unknown) => {
        if (!(error instanceof StatusError)) throw error;
        throw untyped(error.message.replace(/^Internal error occurred: /, ''));
      }),
  );
  validateTyped(typed.schema, typed.value);
  return typed;
}

interface CustomTarget {
  readonly other: ResourceDef | undefined;
  readonly version: string;
  readonly between: NonNullable<Conversion['between']>;
}

function untyped(message: string): TypedError {
  return new TypedError([{ path: '', message }]);
}

async function converted(
  object: KubeObject,
  to: ResourceDef,
  requested: ResourceDef,
): Promise<KubeObject> {
  if (object.apiVersion === to.apiVersion) return object;
  const from =
    object.apiVersion === requested.apiVersion
      ? requested
      : (requested.inVersion?.(object.apiVersion) ?? requested);
  // What is left of an object may lack what every object of its type has; a copy, because reading may change it.
  const stored = await toStored(from.canonicalize(object), from);
  return to.canonicalize(await fromStored(stored, to));
}

async function toStored(object: KubeObject, { conversion }: ResourceDef): Promise<KubeObject> {
  if (conversion === undefined) return object;
  return conversion.remote === undefined
    ? conversion.toStored(object)
    : conversion.remote.toStored(object);
}

async function fromStored(stored: KubeObject, { conversion }: ResourceDef): Promise<KubeObject> {
  if (conversion === undefined) return stored;
  return conversion.remote === undefined
    ? conversion.fromStored(stored)
    : ((await conversion.remote.fromStored([stored]))[0] ?? stored);
}
