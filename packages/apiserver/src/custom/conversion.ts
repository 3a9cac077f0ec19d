import { internalError, type KubeObject } from '@flotilla/machinery';
import type { Conversion } from '../resources/resource.ts';
import { type CustomResourceDefinition, storageVersion } from './crd.ts';
import type { ObjectShape } from './object-shape.ts';

/** Asks a webhook for objects in another version; as many as were given, in their order. */
export type ConvertRemotely = (
  objects: readonly KubeObject[],
  desired: string,
) => Promise<KubeObject[]>;

/** What converting between the versions of one CRD takes. */
export interface ConversionDeps {
  readonly crd: CustomResourceDefinition;
  /** Undefined for versions the CRD no longer has. */
  readonly shape: (version: string) => ObjectShape | undefined;
  /** Bytes of writes after this revision are as the present schema of the stored version leaves them. */
  readonly freshAfter: () => number;
  readonly written: (revision: number) => void;
  readonly remote: ConvertRemotely | undefined;
}

/** How objects of a custom kind are read and written in one of its versions. */
export function customConversion(deps: ConversionDeps, version: string): Conversion {
  const { crd, freshAfter, written } = deps;
  const { group } = crd.spec;
  const apiVersion = `${group}/${version}`;
  const stored = storageVersion(crd);
  const storedApiVersion = `${group}/${stored}`;
  const isStored = version === stored;

  /** As the schema of the object's own version leaves it. */
  const refreshed = (object: KubeObject): KubeObject => {
    if (object.apiVersion === storedApiVersion && revisionOf(object) > freshAfter()) return object;
    return shapeOf(deps, object.apiVersion).refresh(object);
  };
  const coerced = (object: KubeObject, to: string): KubeObject => shapeOf(deps, to).coerce(object);
  /** Conversion strategy None: nothing but the apiVersion differs. */
  const renamed = (object: KubeObject, to: string): KubeObject =>
    object.apiVersion === to ? object : coerced({ ...object, apiVersion: to }, to);

  /**
   * As readers of the stored version would find it anyway, so that its bytes can be served: without what that version
   * does not know, and with its defaults, also for what was dropped since the object came in (such as a status).
   */
  const forStorage = (object: KubeObject): KubeObject =>
    shapeOf(deps, storedApiVersion).settle({ ...object });

  const { remote } = deps;
  const fresh = isStored ? { freshAfter, written } : { written };
  const between = async (object: KubeObject, to: string): Promise<KubeObject> => {
    if (object.apiVersion === to) return object;
    if (remote === undefined) return { ...object, apiVersion: to };
    return (await remote([object], to))[0] ?? object;
  };
  // While everything is stored in one version there is nothing to ask anyone about.
  const hasOthers = (crd.status?.storedVersions ?? []).some((name) => name !== stored);
  if (remote === undefined || (isStored && !hasOthers)) {
    return {
      ...fresh,
      between,
      fromStored: (object) => renamed(refreshed(object), apiVersion),
      toStored: (object) => forStorage(renamed(object, storedApiVersion)),
    };
  }
  const unasked = (): never => {
    throw internalError(`Cannot convert "${crd.metadata.name ?? ''}" without its webhook`);
  };
  const convert = async (objects: readonly KubeObject[], to: string): Promise<KubeObject[]> => {
    const others = objects.filter((object) => object.apiVersion !== to);
    if (others.length === 0) return [...objects];
    const answers = (await remote(others, to))[Symbol.iterator]();
    return objects.map((object) =>
      object.apiVersion === to ? object : coerced(answers.next().value as KubeObject, to),
    );
  };
  return {
    written,
    between,
    fromStored: (object) => {
      const own = refreshed(object);
      return own.apiVersion === apiVersion ? own : unasked();
    },
    toStored: (object) => (object.apiVersion === storedApiVersion ? object : unasked()),
    remote: {
      fromStored: (objects) => convert(objects.map(refreshed), apiVersion),
      toStored: async (object) =>
        forStorage((await convert([object], storedApiVersion))[0] ?? object),
    },
  };
}

function shapeOf({ crd, shape }: ConversionDeps, apiVersion: string): ObjectShape {
  const { group } = crd.spec;
  const found = apiVersion.startsWith(`${group}/`)
    ? shape(apiVersion.slice(group.length + 1))
    : undefined;
  if (found === undefined) {
    throw internalError(`request to convert CR from an invalid group/version: ${apiVersion}`);
  }
  return found;
}

function revisionOf(object: KubeObject): number {
  return Number(object.metadata.resourceVersion ?? 0);
}
