import { setOwn } from '../values/own-key.ts';
import { ItemError, itemElement } from './list-items.ts';
import {
  type Form,
  formOf,
  type ListSchema,
  type MapSchema,
  type MergeSchema,
  memberSchema,
  settle,
} from './merge-schema.ts';
import { elementText, fieldElement, type PathElement, pathText } from './path-element.ts';
import { TypedError, type TypedProblem } from './typed-error.ts';
import { scalarProblem } from './validate-typed.ts';
import { isMap } from './values.ts';

/**
 * The live value with the applied one on top of it. Parts are shared with both, never changed. Throws TypedError when
 * the two cannot be merged.
 */
export function mergeTyped(schema: MergeSchema, live: unknown, applied: unknown): unknown {
  const walk: Walk = { path: [], problems: [] };
  const merged = merge(schema, { live, applied }, walk);
  if (walk.problems.length > 0) throw new TypedError(walk.problems);
  return merged;
}

interface Walk {
  readonly path: PathElement[];
  readonly problems: TypedProblem[];
}

/** Two values at one place; undefined where there is none. */
interface Pair {
  readonly live: unknown;
  readonly applied: unknown;
}

function merge(schema: MergeSchema, pair: Pair, walk: Walk): unknown {
  const left = formOf(schema, pair.live);
  if (pair.applied === undefined) return mergeAs(schema, pair, { form: left, walk });
  const right = formOf(schema, pair.applied);
  return mergeAs(schema, pair, { form: right, walk });
}

function mergeAs(
  schema: MergeSchema,
  pair: Pair,
  { form, walk }: { form: Form; walk: Walk },
): unknown {
  switch (settle(schema, form)) {
    case 'map':
      return mergeMaps(schema.map as MapSchema, pair, walk);
    case 'list':
      return mergeLists(schema.list as ListSchema, pair, walk);
    default:
      return mergeScalars(schema, pair, walk);
  }
}

function mergeLeaf({ live, applied }: Pair): unknown {
  return applied === undefined ? live : applied;
}

function mergeScalars(schema: MergeSchema, pair: Pair, walk: Walk): unknown {
  const scalar = schema.scalar ?? 'untyped';
  const live = scalarProblem(scalar, pair.live);
  const applied = scalarProblem(scalar, pair.applied);
  if (live !== undefined && applied !== undefined) {
    report(walk, `lhs: ${live}`);
    report(walk, `rhs: ${applied}`);
    return undefined;
  }
  return mergeLeaf(pair);
}

function report({ problems, path }: Walk, message: string): void {
  problems.push({ path: pathText(path), message });
}

function mergeMaps(map: MapSchema, pair: Pair, walk: Walk): unknown {
  const live = isMap(pair.live) ? pair.live : {};
  const applied = isMap(pair.applied) ? pair.applied : {};
  const names = [...new Set([...Object.keys(live), ...Object.keys(applied)])];
  if (map.atomic || names.length === 0) return mergeLeaf(pair);
  const out: Record<string, unknown> = {};
  for (const name of names) {
    walk.path.push(fieldElement(name));
    const schema = memberSchema(map, name);
    const member = {
      live: Object.hasOwn(live, name) ? live[name] : undefined,
      applied: Object.hasOwn(applied, name) ? applied[name] : undefined,
    };
    if (schema === undefined) report(walk, 'field not declared in schema');
    else {
      const value = merge(schema, member, walk);
      if (value !== undefined) setOwn(out, name, value);
    }
    walk.path.pop();
  }
  for (const _ in out) return out;
  return undefined;
}

function mergeLists(list: ListSchema, pair: Pair, walk: Walk): unknown {
  const live = Array.isArray(pair.live) ? pair.live : [];
  const applied = Array.isArray(pair.applied) ? pair.applied : [];
  if (list.atomic || (live.length === 0 && applied.length === 0)) return mergeLeaf(pair);
  const right = indexItems(list, applied, { allowDuplicates: false, walk });
  const left = indexItems(list, live, { allowDuplicates: true, walk });
  if (right.failed || left.failed) return undefined;
  const merged = mergeOrder(left, right).map(([element, place]) => {
    walk.path.push(element);
    const item = merge(
      list.items(),
      {
        live: place === undefined ? left.items.get(element) : live[place],
        applied: right.items.get(element),
      },
      walk,
    );
    walk.path.pop();
    return item;
  });
  const present = merged.filter((item) => item !== undefined);
  return present.length > 0 ? present : undefined;
}

interface Indexed {
  /** The element of each item, in the order of the list. */
  readonly order: readonly PathElement[];
  /** The item of each element; null where it stands twice, which merges with nothing. */
  readonly items: ReadonlyMap<PathElement, unknown>;
  readonly failed: boolean;
}

function indexItems(
  list: ListSchema,
  values: readonly unknown[],
  { allowDuplicates, walk }: { allowDuplicates: boolean; walk: Walk },
): Indexed {
  const order: PathElement[] = [];
  const items = new Map<PathElement, unknown>();
  let failed = false;
  for (const [index, value] of values.entries()) {
    let element: PathElement;
    try {
      element = itemElement(list, value);
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
      report(walk, `element ${index}: ${error.message}`);
      failed = true;
      continue;
    }
    if (items.has(element) && !allowDuplicates) {
      report(walk, `duplicate entries for key ${elementText(element)}`);
      failed = true;
      continue;
    }
    items.set(element, items.has(element) ? null : value);
    order.push(element);
  }
  return { order, items, failed };
}

/**
 * The order of the merged list: applied items in the order they were applied, live ones where they stood, as far as
 * both can be had. An item of the live list alone comes with its place there, because it may stand twice.
 */
function mergeOrder(
  left: Indexed,
  right: Indexed,
): readonly (readonly [element: PathElement, place: number | undefined])[] {
  const out: (readonly [PathElement, number | undefined])[] = [];
  const shared = right.order.filter((element) => left.items.has(element));
  const merged = new Set<PathElement>();
  let nextShared = 0;
  let l = 0;
  let r = 0;
  const take = (element: PathElement) => {
    merged.add(element);
    out.push([element, undefined]);
  };
  while (l < left.order.length || r < right.order.length) {
    const live = left.order[l];
    const applied = right.order[r];
    if (live !== undefined && applied !== undefined) {
      if (live === applied) {
        take(live);
        l += 1;
        r += 1;
        nextShared += 1;
        continue;
      }
      const wanted = shared[nextShared];
      if (right.items.has(live) && wanted !== undefined && wanted !== live) {
        // A shared item, but not the one whose turn it is.
        l += 1;
        continue;
      }
    }
    if (live !== undefined) {
      if (!right.items.has(live)) {
        out.push([live, l]);
        l += 1;
        continue;
      }
      if (merged.has(live)) l += 1;
    }
    if (applied !== undefined) {
      take(applied);
      r += 1;
      if (shared[nextShared] === applied) nextShared += 1;
    }
  }
  return out;
}
