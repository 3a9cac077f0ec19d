import type { OwnerReference } from '@flotilla/machinery';
import { keyOf, type ResourceDef } from '../../resources/resource.ts';
import type { Store, Tenant } from '../../storage/store.ts';
import type { KindLookup } from '../kind-lookup.ts';
import { readOwnership, readUid } from './metadata-scan.ts';
import { FOREGROUND } from './ownership-graph.ts';

/** What the owners of an object turned out to be. */
export interface Classified {
  /** They exist and stay. */
  readonly solid: readonly OwnerReference[];
  /** They do not exist, or another object has their name by now. */
  readonly dangling: readonly OwnerReference[];
  /** They exist, but only until their dependents are gone. */
  readonly waiting: readonly OwnerReference[];
}

/** The kind of an owner is not served, now or ever: nothing can be said about the owner. */
export class UnknownOwnerKind extends Error {
  constructor({ apiVersion, kind }: { apiVersion: string; kind: string }) {
    super(`unable to get REST mapping for ${apiVersion}/${kind}.`);
    this.name = 'UnknownOwnerKind';
  }
}

/** A cluster-wide object names an owner that lives in some namespace, which nobody can look up. */
export class NamespacedOwner extends Error {
  readonly reference: OwnerReference;
  constructor(reference: OwnerReference) {
    super('cluster-scoped objects cannot refer to namespaced owners');
    this.name = 'NamespacedOwner';
    this.reference = reference;
  }
}

/** Where owners are looked up. */
export interface Place {
  readonly store: Store;
  readonly lookup: KindLookup;
  readonly tenant: Tenant;
  /** The namespace of the dependent. */
  readonly namespace: string;
}

/** Looks every owner up by kind, name and namespace, and believes only in the one with the right uid. */
export function classify(
  place: Place,
  references: readonly OwnerReference[],
  found: (reference: OwnerReference, home: string) => void,
): Classified {
  const solid: OwnerReference[] = [];
  const dangling: OwnerReference[] = [];
  const waiting: OwnerReference[] = [];
  for (const reference of references) {
    const def = ownerKind(place, reference);
    if (def.namespaced && place.namespace === '') throw new NamespacedOwner(reference);
    const entry = place.store.read(place.tenant, keyOf(def, place.namespace, reference.name));
    const owner = entry === undefined ? undefined : readOwnership(entry.value);
    if (owner === undefined || owner.uid !== reference.uid) dangling.push(reference);
    else {
      found(reference, def.namespaced ? place.namespace : '');
      const waits = owner.isDeleting && owner.finalizers.includes(FOREGROUND);
      (waits ? waiting : solid).push(reference);
    }
  }
  return { solid, dangling, waiting };
}

function ownerKind({ lookup, tenant }: Place, reference: OwnerReference): ResourceDef {
  const def = lookup.byKind(tenant, reference.apiVersion, reference.kind);
  if (def === undefined) throw new UnknownOwnerKind(reference);
  return def;
}

/** True when the owner lives in another namespace than its dependent: a mistake worth telling people about. */
export function livesElsewhere(
  place: Place,
  reference: OwnerReference,
  namespaces: readonly string[],
): boolean {
  const def = place.lookup.byKind(place.tenant, reference.apiVersion, reference.kind);
  if (def === undefined || !def.namespaced) return false;
  return namespaces.some((namespace) => {
    if (namespace === place.namespace) return false;
    const entry = place.store.read(place.tenant, keyOf(def, namespace, reference.name));
    return entry !== undefined && readUid(entry.value) === reference.uid;
  });
}
