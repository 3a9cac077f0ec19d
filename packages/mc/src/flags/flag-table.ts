import type { FlagSpec } from './flag.ts';

/** The flags of one call, by everything they may be written as. */
export interface FlagTable {
  /** Each flag once, the verb's first. */
  readonly all: readonly FlagSpec[];
  readonly byName: ReadonlyMap<string, FlagSpec>;
  readonly byShort: ReadonlyMap<string, FlagSpec>;
}

/**
 * Puts tables over each other. What an earlier one calls its own is out of reach in the later ones: a verb with a
 * `--timeout` of its own leaves `--cluster-timeout` to be written out.
 */
export function flagTable(...tables: readonly (readonly FlagSpec[])[]): FlagTable {
  const all: FlagSpec[] = [];
  const byName = new Map<string, FlagSpec>();
  const byShort = new Map<string, FlagSpec>();
  for (const spec of tables.flat()) {
    if (byName.get(spec.name)?.name === spec.name) continue;
    all.push(spec);
    byName.set(spec.name, spec);
    if (spec.short !== undefined && !byShort.has(spec.short)) byShort.set(spec.short, spec);
  }
  for (const spec of all) {
    for (const alias of spec.aliases ?? []) if (!byName.has(alias)) byName.set(alias, spec);
  }
  return { all, byName, byShort };
}
