import type { OwnerReference } from '@flotilla/machinery';
import type { Ownership } from './metadata-scan.ts';

/** The finalizers that ask the collector to see to an object's dependents before it goes. */
export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

const SHARED_LINKS = 16;

/** One way in which dependents name an owner; dependents that name it alike share it. */
export interface Link {
  readonly owner: Owner;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly blocks: boolean;
  /** The namespace in which the owner was seen under this name, '' for a cluster-wide one; undefined until it was. */
  home: string | undefined;
}

/** A uid that others name as their owner, whether or not such an object exists. */
export interface Owner {
  readonly uid: string;
  readonly dependents: Map<string, Dependent>;
  readonly links: Link[];
  /** True once its deletion was seen; uids do not come back. */
  isGone: boolean;
}

/** An object that has owners. */
export interface Dependent {
  readonly key: string;
  uid: string;
  links: Link[];
  isDeleting: boolean;
}

/**
 * Who owns whom in one tenant, kept from its changes in their order. Objects without owners are not in it, and of an
 * owner only its uid is, so that it stays small.
 */
export class OwnershipGraph {
  readonly #dependents = new Map<string, Dependent>();
  readonly #owners = new Map<string, Owner>();
  /** Objects that wait for their dependents, by uid: their keys. */
  readonly #waiting = new Map<string, string>();

  /** True while nobody owns anything and nothing waits. */
  get isEmpty(): boolean {
    return this.#owners.size === 0 && this.#waiting.size === 0;
  }

  get size(): number {
    return this.#dependents.size;
  }

  dependent(key: string): Dependent | undefined {
    return this.#dependents.get(key);
  }

  owner(uid: string): Owner | undefined {
    return this.#owners.get(uid);
  }

  /** Objects that name this uid as an owner. */
  dependentsOf(uid: string): Dependent[] {
    return [...(this.#owners.get(uid)?.dependents.values() ?? [])];
  }

  /** True while the object waits for its dependents to be deleted or let go. */
  isWaiting(uid: string): boolean {
    return this.#waiting.has(uid);
  }

  owners(): Iterable<Owner> {
    return this.#owners.values();
  }

  waiting(): Iterable<string> {
    return this.#waiting.values();
  }

  /** Takes in an object as it is now; returns the keys of objects that are to be looked at because of it. */
  set(key: string, seen: Ownership): string[] {
    const look = new Set<string>();
    const before = this.#dependents.get(key);
    // The key's earlier object may have gone while nobody looked.
    if (before !== undefined && before.uid !== seen.uid) this.#drop(before, look);
    if (seen.owners.length > 0) this.#relate(key, seen, look);
    else if (before !== undefined && before.uid === seen.uid) this.#drop(before, look);

    const waits =
      seen.isDeleting && seen.finalizers.some((name) => name === ORPHAN || name === FOREGROUND);
    if (!waits) {
      this.#waiting.delete(seen.uid);
      return [...look];
    }
    look.add(key);
    if (this.#waiting.has(seen.uid)) return [...look];
    this.#waiting.set(seen.uid, key);
    for (const dependent of this.dependentsOf(seen.uid)) {
      if (!dependent.isDeleting) look.add(dependent.key);
    }
    return [...look];
  }

  /** Takes out an object that is gone; returns the keys of objects that are to be looked at because of it. */
  delete(key: string, uid: string): string[] {
    const look = new Set<string>();
    const dependent = this.#dependents.get(key);
    if (dependent !== undefined) this.#drop(dependent, look);
    this.#waiting.delete(uid);
    const owner = this.#owners.get(uid);
    if (owner !== undefined) {
      owner.isGone = true;
      for (const each of owner.dependents.keys()) look.add(each);
    }
    look.delete(key);
    return [...look];
  }

  #relate(key: string, seen: Ownership, look: Set<string>): void {
    const dependent = this.#dependents.get(key) ?? {
      key,
      uid: seen.uid,
      links: [],
      isDeleting: false,
    };
    const before = dependent.links;
    this.#dependents.set(key, dependent);
    dependent.isDeleting = seen.isDeleting;
    dependent.links = seen.owners.map((reference) => this.#link(reference));
    for (const link of dependent.links) link.owner.dependents.set(key, dependent);
    this.#unlink(dependent, before, look);

    const namespace = namespaceOf(key);
    const known = new Set(before);
    const isUnsure = dependent.links.some(
      (link) => !known.has(link) && !isKnownFrom(link, namespace),
    );
    const isDoomed = dependent.links.some(({ owner }) => this.#waiting.has(owner.uid));
    if (!dependent.isDeleting && (isUnsure || isDoomed)) look.add(key);
  }

  #drop(dependent: Dependent, look: Set<string>): void {
    const before = dependent.links;
    dependent.links = [];
    this.#unlink(dependent, before, look);
    this.#dependents.delete(dependent.key);
  }

  /** Forgets links a dependent no longer has; owners that waited for it may be able to go on. */
  #unlink(dependent: Dependent, before: readonly Link[], look: Set<string>): void {
    const links = new Set(dependent.links);
    const owners = new Set(dependent.links.map(({ owner }) => owner));
    for (const link of before) {
      if (links.has(link)) continue;
      const { owner } = link;
      const waitingKey = this.#waiting.get(owner.uid);
      if (waitingKey !== undefined) look.add(waitingKey);
      if (owners.has(owner)) continue;
      owner.dependents.delete(dependent.key);
      if (owner.dependents.size === 0) this.#owners.delete(owner.uid);
    }
  }

  #link(reference: OwnerReference): Link {
    const { uid, apiVersion, kind, name } = reference;
    const blocks = reference.blockOwnerDeletion === true;
    let owner = this.#owners.get(uid);
    if (owner === undefined) {
      owner = { uid, dependents: new Map(), links: [], isGone: false };
      this.#owners.set(uid, owner);
    }
    const known = owner.links.find(
      (link) =>
        link.name === name &&
        link.kind === kind &&
        link.apiVersion === apiVersion &&
        link.blocks === blocks,
    );
    if (known !== undefined) return known;
    const link: Link = { owner, apiVersion, kind, name, blocks, home: undefined };
    // Beyond a handful of spellings, sharing them would cost more than it saves.
    if (owner.links.length < SHARED_LINKS) owner.links.push(link);
    return link;
  }
}

/** True when the owner is known to exist for dependents of that namespace. */
export function isKnownFrom(link: Link, namespace: string): boolean {
  if (link.home === undefined || link.owner.isGone) return false;
  return link.home === '' || link.home === namespace;
}

/** The namespace of an object's key; '' when it is cluster-wide. */
export function namespaceOf(key: string): string {
  const parts = key.split('/');
  return parts.length > 3 ? (parts[2] ?? '') : '';
}
