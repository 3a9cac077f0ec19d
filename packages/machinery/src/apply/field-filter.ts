import {
  type FieldSet,
  isEmptySet,
  isMember,
  type MutableFieldSet,
  recursiveDifference,
  SELF,
  withSelf,
} from './field-set.ts';

/** Takes from a set what a request cannot change. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** Fields by element, `*` for any; a path that ends in `true` stands for all below it. */
export interface FieldPattern {
  readonly [element: string]: FieldPattern | true;
}

/** Leaves out these fields and all below them. */
export function exceptFields(fields: FieldSet): FieldFilter {
  return (set) => recursiveDifference(set, fields);
}

/** Keeps only what matches, and the members on the way to it. */
export function onlyMatching(pattern: FieldPattern): FieldFilter {
  return (set) => matching(set, pattern);
}

function matching(set: FieldSet, pattern: FieldPattern): FieldSet {
  const out: MutableFieldSet = {};
  for (const element in set) {
    const inner = pattern['*'] ?? pattern[element];
    if (inner === undefined || element === SELF) continue;
    const node = set[element] as FieldSet;
    if (inner === true) {
      out[element] = node;
      continue;
    }
    const kept = matching(node, inner);
    if (isMember(node)) out[element] = withSelf(kept);
    else if (!isEmptySet(kept)) out[element] = kept;
  }
  return out as FieldSet;
}
