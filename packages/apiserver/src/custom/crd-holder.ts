import type { KubeObject } from '@flotilla/machinery';
import { sameJson } from '../objects/same-json.ts';
import type { ResourceDef } from '../resources/resource.ts';
import { type ConvertRemotely, customConversion } from './conversion.ts';
import { type CustomResourceDefinition, hasCondition, isServed } from './crd.ts';
import { customResource } from './custom-resource.ts';
import { type ObjectShape, objectShape } from './object-shape.ts';

/** One CRD of one tenant, and what is served because of it. */
export interface CrdHolder {
  readonly crd: () => CustomResourceDefinition;
  /** The revision that last changed the spec, as far as is known. */
  readonly changedAt: () => number;
  /** Undefined when the version is not served. */
  readonly find: (version: string) => ResourceDef | undefined;
  /** The stored version, whether it is served or not: for our own controllers, which read and delete. */
  readonly stored: () => ResourceDef | undefined;
  /** Creates under way. */
  readonly creating: () => number;
  /** Takes in a newer state of the CRD. */
  readonly update: (crd: CustomResourceDefinition, revision: number) => void;
  /** The CRD is gone. */
  readonly remove: () => void;
}

/** What has to be done anew when the CRD changes. */
interface Serving {
  readonly defs: Map<string, ResourceDef>;
  readonly listeners: Set<() => void>;
  isOver: boolean;
}

/** Makes definitions when they are first asked for, and new ones when the CRD changes what is served. */
export function holdCrd(
  first: CustomResourceDefinition,
  revision: number,
  converter: (crd: CustomResourceDefinition) => ConvertRemotely | undefined,
): CrdHolder {
  let crd = first;
  let freshAfter = revision;
  let changedAt = revision;
  let serving = newServing();
  let creating = 0;

  const end = (): void => {
    const ended = serving;
    serving = newServing();
    ended.isOver = true;
    for (const listener of [...ended.listeners]) listener();
  };

  const define = (name: string): ResourceDef | undefined => {
    const known = serving.defs.get(name);
    if (known !== undefined) return known;
    const version = crd.spec.versions.find((each) => each.name === name);
    if (version === undefined) return undefined;
    const mine = serving;
    const present = crd;
    const shapes = new Map<string, ObjectShape>();
    const shape = (of: string): ObjectShape | undefined => {
      const found = present.spec.versions.find((each) => each.name === of);
      if (found === undefined) return undefined;
      let made = shapes.get(of);
      if (made === undefined) {
        made = objectShape(present, found);
        shapes.set(of, made);
      }
      return made;
    };
    const current = shape(name);
    if (current === undefined) return undefined;
    const conversion = customConversion(
      {
        crd: present,
        shape,
        freshAfter: () => freshAfter,
        written: (at) => {
          // Made under an older schema and stored after the newer one: to be looked at when it is read.
          if (mine.isOver) freshAfter = Math.max(freshAfter, at);
        },
        remote: converter(present),
      },
      name,
    );
    const def: ResourceDef = {
      ...customResource(present, version, { shape: current, conversion }),
      inVersion: (apiVersion) =>
        apiVersion.startsWith(`${present.spec.group}/`)
          ? define(apiVersion.slice(present.spec.group.length + 1))
          : undefined,
      get isTerminating() {
        return hasCondition(crd, 'Terminating');
      },
      beginCreate: () => {
        creating += 1;
        return () => {
          creating -= 1;
        };
      },
      onReplaced: (listener) => {
        if (mine.isOver) setImmediate(listener);
        mine.listeners.add(listener);
        return () => mine.listeners.delete(listener);
      },
    };
    serving.defs.set(name, def);
    return def;
  };

  return {
    crd: () => crd,
    changedAt: () => changedAt,
    find: (name) => {
      const version = crd.spec.versions.find((each) => each.name === name);
      return version?.served === true && isServed(crd) ? define(name) : undefined;
    },
    stored: () => {
      const version = crd.spec.versions.find(({ storage }) => storage);
      const def = version && define(version.name);
      return def?.conversion?.remote === undefined ? def : withoutConverting(def);
    },
    creating: () => creating,
    update: (next, at) => {
      const before = crd;
      crd = next;
      if (before.metadata.uid !== next.metadata.uid || !sameJson(before.spec, next.spec)) {
        freshAfter = at;
        changedAt = at;
      } else if (sameServing(before, next)) return;
      end();
    },
    remove: end,
  };
}

/** Metadata is the same in all versions: who deletes or collects objects needs no webhook to be there. */
function withoutConverting(def: ResourceDef): ResourceDef {
  const {
    validate: _validate,
    validateUpdate: _validateUpdate,
    validateStatusUpdate: _validateStatusUpdate,
    ...behaviour
  } = def.behaviour;
  const asStored = (object: KubeObject): KubeObject => object;
  return { ...def, behaviour, conversion: { fromStored: asStored, toStored: asStored } };
}

function newServing(): Serving {
  return { defs: new Map(), listeners: new Set(), isOver: false };
}

/** Whether nothing that a definition is made of has changed; conditions are looked at when they matter. */
function sameServing(before: CustomResourceDefinition, next: CustomResourceDefinition): boolean {
  return (
    isServed(before) === isServed(next) &&
    sameJson(before.status?.acceptedNames, next.status?.acceptedNames) &&
    sameJson(before.status?.storedVersions ?? [], next.status?.storedVersions ?? [])
  );
}
