import type { Column } from './table-part.ts';

/** Columns of several servers as one list. */
export interface MergedColumns {
  readonly columns: readonly Column[];
  /** For each of the lists, in their order, where in it each of the columns is; -1 where it has none. */
  readonly places: readonly (readonly number[])[];
}

/**
 * Puts the columns of servers of different versions together: those of one name are one column, and each stands behind
 * the one it stands behind at its own server.
 */
export function mergeColumns(lists: readonly (readonly Column[])[]): MergedColumns {
  const merged: { readonly key: string; column: Column }[] = [];
  const keys = lists.map(keysOf);
  for (const [index, list] of lists.entries()) {
    let at = 0;
    for (const [place, column] of list.entries()) {
      const key = keys[index]?.[place] ?? '';
      const known = merged.findIndex((each) => each.key === key);
      const entry = merged[known];
      if (entry === undefined) {
        merged.splice(at, 0, { key, column });
        at += 1;
      } else {
        entry.column = both(entry.column, column);
        at = known + 1;
      }
    }
  }
  return {
    columns: merged.map(({ column }) => column),
    places: keys.map((own) => merged.map(({ key }) => own.indexOf(key))),
  };
}

/** Two columns of one table may have one name; then the second is another column than the first. */
function keysOf(list: readonly Column[]): string[] {
  const seen = new Map<string, number>();
  return list.map(({ name }) => {
    const upper = name.toUpperCase();
    const count = (seen.get(upper) ?? 0) + 1;
    seen.set(upper, count);
    return `${count} ${upper}`;
  });
}

/** What one server always shows is shown for all of them. */
function both(one: Column, other: Column): Column {
  const isName = one.isName || other.isName;
  const priority = Math.min(one.priority, other.priority);
  return isName === one.isName && priority === one.priority ? one : { ...one, isName, priority };
}
