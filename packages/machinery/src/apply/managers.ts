import { type Comparison, compareTyped, filterComparison } from './compare-typed.ts';
import type { FieldFilter } from './field-filter.ts';
import {
  difference,
  EMPTY_SET,
  type FieldSet,
  intersection,
  isEmptySet,
  pathsOf,
  union,
} from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import type { MergeSchema } from './merge-schema.ts';
import { mergeTyped } from './merge-typed.ts';
import type { PathElement } from './path-element.ts';
import { removeItems } from './remove-items.ts';
import { reconcileSet, withNamedFields } from './schema-changes.ts';
import { sameValue } from './values.ts';

/** What one manager owns, in the version it spoke. */
export interface OwnedFields {
  readonly fields: FieldSet;
  readonly version: string;
  /** Whether the fields were applied; only those are removed when they are applied no longer. */
  readonly applied: boolean;
}

/** Who owns what, by the managers' identifiers. */
export type Managers = ReadonlyMap<string, OwnedFields>;

/** A value with its type and the version that type belongs to. */
export interface Typed {
  readonly value: unknown;
  readonly schema: MergeSchema;
  readonly version: string;
}

/** What the algorithm needs to know about the kind. */
export interface ManagersDeps {
  /** The value in another version; undefined when there is no such version any more. */
  readonly convert: (
    typed: Typed,
    version: string,
  ) => Typed | undefined | Promise<Typed | undefined>;
  /** Takes away, for a version, what this request cannot change and so nobody comes to own through it. */
  readonly filter?: (version: string) => FieldFilter | undefined;
}

/** One field that someone else owns with another value. */
export interface Conflict {
  readonly manager: string;
  readonly path: readonly PathElement[];
}

/** An apply would change what others own. */
export class ApplyConflicts extends Error {
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(`Cannot apply: ${conflicts.length} fields are owned by others`);
    this.name = 'ApplyConflicts';
    this.conflicts = conflicts;
  }
}

/** A change that was made by other means than applying. */
export interface ManagersUpdate {
  readonly live: Typed;
  readonly next: Typed;
  readonly managers: Managers;
  readonly manager: string;
  /** Whether sets may stem from another schema than today's. @default true */
  readonly mayBeStale?: boolean;
}

/** Gives the manager of an update what it changed, and takes that from everyone else. */
export async function updateManagers(
  { live, next, managers, manager, mayBeStale = true }: ManagersUpdate,
  deps: ManagersDeps,
): Promise<Managers> {
  const { version } = next;
  const current = mayBeStale ? await reconciled(live, managers, deps) : managers;
  const { kept, comparison } = await settleOwners(
    { live, next, managers: current, manager, force: true },
    deps,
  );
  const own = kept.get(manager)?.fields ?? EMPTY_SET;
  const taken = union(
    union(difference(own, comparison.removed), comparison.modified),
    comparison.added,
  );
  const fields = filtered(taken, version, deps);
  if (isEmptySet(fields)) kept.delete(manager);
  else kept.set(manager, { fields, version, applied: false });
  return kept;
}

/** A configuration that is applied. */
export interface ManagersApply {
  readonly live: Typed;
  readonly applied: Typed;
  readonly managers: Managers;
  readonly manager: string;
  readonly force: boolean;
}

/** The outcome of an apply. */
export interface Applied {
  /** The merged object; undefined when it is the live one. */
  readonly object: unknown;
  readonly managers: Managers;
}

/**
 * Merges a configuration into an object: what the manager applied before and no longer does is removed unless others
 * own it. Throws ApplyConflicts when others own what it would change and it is not forced.
 */
export async function applyManaged(
  { live, applied, managers, manager, force }: ManagersApply,
  deps: ManagersDeps,
): Promise<Applied> {
  const { version, schema } = applied;
  const current = new Map(await reconciled(live, managers, deps));
  const merged = mergeTyped(schema, live.value, applied.value);
  const last = current.get(manager);
  const fields = filtered(fieldSetOf(schema, applied.value), version, deps);
  current.set(manager, { fields, version, applied: true });
  const next = await pruned({ value: merged, schema, version }, { last, managers: current }, deps);
  const { kept } = await settleOwners({ live, next, managers: current, manager, force }, deps);
  return {
    object: sameValue(live.value, next.value) ? undefined : next.value,
    managers: kept,
  };
}

async function reconciled(live: Typed, managers: Managers, deps: ManagersDeps): Promise<Managers> {
  const out = new Map<string, OwnedFields>();
  for (const [manager, owned] of managers) {
    const typed = await inVersion(live, owned.version, deps);
    if (typed === undefined) continue;
    const fields = reconcileSet(typed.schema, owned.fields);
    out.set(manager, fields === owned.fields ? owned : { ...owned, fields });
  }
  return out;
}

async function inVersion(
  typed: Typed,
  version: string,
  deps: ManagersDeps,
): Promise<Typed | undefined> {
  return typed.version === version ? typed : deps.convert(typed, version);
}

interface Settling {
  readonly live: Typed;
  readonly next: Typed;
  readonly managers: Managers;
  readonly manager: string;
  readonly force: boolean;
}

/** Takes what changed from all managers but the one that changes it; without force, that is a conflict instead. */
async function settleOwners(
  { live, next, managers, manager, force }: Settling,
  deps: ManagersDeps,
): Promise<{ kept: Map<string, OwnedFields>; comparison: Comparison }> {
  const comparison = compared(live, next, deps);
  const byVersion = new Map<string, Comparison>([[next.version, comparison]]);
  const kept = new Map<string, OwnedFields>();
  const conflicts: Conflict[] = [];
  for (const [name, owned] of managers) {
    if (name === manager) {
      if (!isEmptySet(owned.fields)) kept.set(name, owned);
      continue;
    }
    let seen = byVersion.get(owned.version);
    if (seen === undefined) {
      const before = await inVersion(live, owned.version, deps);
      const after = before && (await inVersion(next, owned.version, deps));
      // A version that is gone takes its entries with it.
      if (before === undefined || after === undefined) continue;
      seen = compared(before, after, deps);
      byVersion.set(owned.version, seen);
    }
    const lost = union(
      intersection(owned.fields, seen.modified),
      intersection(owned.fields, seen.added),
    );
    for (const path of pathsOf(lost)) conflicts.push({ manager: name, path });
    const fields = difference(difference(owned.fields, lost), seen.removed);
    if (!isEmptySet(fields)) kept.set(name, fields === owned.fields ? owned : { ...owned, fields });
  }
  if (!force && conflicts.length > 0) throw new ApplyConflicts(conflicts);
  return { kept, comparison };
}

function compared(before: Typed, after: Typed, deps: ManagersDeps): Comparison {
  const comparison = compareTyped(after.schema, before.value, after.value);
  const filter = deps.filter?.(after.version);
  return filter === undefined ? comparison : filterComparison(comparison, filter);
}

function filtered(set: FieldSet, version: string, deps: ManagersDeps): FieldSet {
  return deps.filter?.(version)?.(set) ?? set;
}

interface Pruning {
  /** What the manager applied last time. */
  readonly last: OwnedFields | undefined;
  readonly managers: Managers;
}

/** The merged object without what its manager applied before and does no longer, unless someone owns it. */
async function pruned(
  merged: Typed,
  { last, managers }: Pruning,
  deps: ManagersDeps,
): Promise<Typed> {
  if (last === undefined || isEmptySet(last.fields)) return merged;
  const before = await inVersion(merged, last.version, deps);
  if (before === undefined) return merged;
  const lastFields = withNamedFields(before.schema, last.fields);
  const stripped = { ...before, value: removeItems(before.schema, before.value, lastFields) };
  const owned = await addBackOwned(before, stripped, { managers, deps });
  const whole = await addBackDangling(before, owned, { last, deps });
  return (await inVersion(whole, merged.version, deps)) ?? merged;
}

/** Puts back what any manager owns; the version of the last apply first, because conversion may need its fields. */
async function addBackOwned(
  merged: Typed,
  stripped: Typed,
  { managers, deps }: { managers: Managers; deps: ManagersDeps },
): Promise<Typed> {
  const byVersion = new Map<string, FieldSet>([[stripped.version, EMPTY_SET]]);
  for (const { version, fields } of managers.values()) {
    byVersion.set(version, union(byVersion.get(version) ?? EMPTY_SET, fields));
  }
  let whole = merged;
  let left = stripped;
  for (const [version, fields] of byVersion) {
    if (isEmptySet(fields)) continue;
    const wholeThere = await inVersion(whole, version, deps);
    const leftThere = wholeThere && (await inVersion(left, version, deps));
    if (wholeThere === undefined || leftThere === undefined) continue;
    const { schema } = wholeThere;
    const all = withNamedFields(schema, fieldSetOf(schema, wholeThere.value));
    const present = withNamedFields(schema, fieldSetOf(schema, leftThere.value));
    const gone = difference(all, union(present, withNamedFields(schema, fields)));
    whole = wholeThere;
    left = { ...wholeThere, value: removeItems(schema, wholeThere.value, gone) };
  }
  return left;
}

/** Puts back what went along with a removed parent although its manager never applied it. */
async function addBackDangling(
  merged: Typed,
  left: Typed,
  { last, deps }: { last: OwnedFields; deps: ManagersDeps },
): Promise<Typed> {
  const there = await inVersion(left, last.version, deps);
  if (there === undefined) return merged;
  const { schema } = merged;
  const present = withNamedFields(schema, fieldSetOf(schema, there.value));
  const all = withNamedFields(schema, fieldSetOf(schema, merged.value));
  const gone = intersection(difference(all, present), withNamedFields(schema, last.fields));
  return { ...merged, value: removeItems(schema, merged.value, gone) };
}
