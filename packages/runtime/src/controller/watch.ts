import type { InformerChoice } from '@flotilla/client';
import {
  apiVersionOf,
  formatKey,
  type Kind,
  type KubeObject,
  keyOfObject,
  type ObjectKey,
  parseGroupVersion,
} from '@flotilla/machinery';
import type { Predicate } from './predicates.ts';

/** What a mapping may ask to find the objects that a change concerns. */
export interface Lookup {
  readonly kind: Kind;
  /** The keys of the controller's own objects under a value of one of its indexes. */
  readonly byIndex: (index: string, value: string) => ObjectKey[];
}

/** Names the controller's objects that a change of another object concerns. */
export type Mapping<W extends KubeObject = KubeObject> = (
  object: W,
  lookup: Lookup,
) => Iterable<ObjectKey>;

/** How to watch. */
export interface WatchChoice<W extends KubeObject> extends InformerChoice<W> {
  /** Which changes count; each must agree. @default all */
  readonly predicates?: readonly Predicate<W>[];
}

/** Another kind whose changes call for passes. */
export interface Watch {
  readonly kind: Kind;
  readonly choice: InformerChoice<KubeObject>;
  readonly predicates: readonly Predicate[];
  readonly map: Mapping;
}

/**
 * Watches another kind: `map` says which of the controller's objects a change concerns. Of a change it is asked about
 * both states, so that an object which moves from one owner to another reaches both.
 */
export function watch<W extends KubeObject>(
  kind: Kind<W>,
  map: Mapping<W>,
  choice: WatchChoice<W> = {},
): Watch {
  const { predicates = [], ...informerChoice } = choice;
  // Whoever runs it gives it objects of this kind only.
  return { kind, choice: informerChoice, predicates, map } as unknown as Watch;
}

/** Watches a kind whose objects belong to the controller's, by their owner references. */
export function owns<W extends KubeObject>(kind: Kind<W>, choice: WatchChoice<W> = {}): Watch {
  return watch(kind, ownersOf, choice);
}

/**
 * Watches a kind whose objects are named by the controller's, in one of its indexes: by default under
 * `namespace/name`.
 */
export function watchIndexed<W extends KubeObject>(
  kind: Kind<W>,
  how: { readonly index: string; readonly valueIn?: (object: W) => string },
  choice: WatchChoice<W> = {},
): Watch {
  const { index, valueIn = (object: W) => formatKey(keyOfObject(object)) } = how;
  return watch(kind, (object, { byIndex }) => byIndex(index, valueIn(object)), choice);
}

/** The controller's objects that own an object and control it. Their version does not matter, their group does. */
export const ownersOf: Mapping = (object, { kind }) => {
  const { namespace } = keyOfObject(object);
  return (object.metadata.ownerReferences ?? [])
    .filter(
      (owner) =>
        owner.controller === true &&
        owner.kind === kind.kind &&
        parseGroupVersion(owner.apiVersion)?.group === kind.group,
    )
    .map(({ name }) => (kind.namespaced ? { namespace, name } : { name }));
};

/** The owner reference that makes `owns` find the owner, and the server delete the object with it. */
export function controllerReference(
  kind: Kind,
  owner: KubeObject,
): NonNullable<KubeObject['metadata']['ownerReferences']>[number] {
  const { name = '', uid = '' } = owner.metadata;
  const apiVersion = apiVersionOf(kind);
  return {
    apiVersion,
    kind: kind.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}
