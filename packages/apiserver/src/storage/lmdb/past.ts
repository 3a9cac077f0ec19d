import type { LoggedChange } from '../engine.ts';
import type { Entry, Tenant } from '../store.ts';
import type { Generation } from './generation.ts';
import { forEachLogged, readLogged, type Span } from './log.ts';

/** Which keys changed since a revision, and how they were before. */
export interface Past {
  keys(): string[];
  has(key: string): boolean;
  /** The key as it was; undefined when it did not exist. */
  before(key: string, generation: Generation): Entry | undefined;
}

/** The past as far as it is in memory. */
export function rememberedPast(since: readonly LoggedChange[]): Past {
  const first = new Map<string, LoggedChange>();
  for (const change of since) if (!first.has(change.key)) first.set(change.key, change);
  return {
    keys: () => [...first.keys()],
    has: (key) => first.has(key),
    before(key) {
      const change = first.get(key);
      return change && previousEntry(change);
    },
  };
}

interface Scanned {
  readonly tenant: Tenant;
  readonly after: number;
  through: number;
  /** Per key, the revision of its first change. */
  readonly first: Map<string, number>;
}

const MAX_CACHED = 4;

/**
 * The past as the log has it. Every page of a long list asks for the same revision again, each time
 * with a little more log to look at: what was found before is kept and extended.
 */
export class PastCache {
  /** The last used is the last. */
  #cached: Scanned[] = [];

  find(generation: Generation, span: Span & { tenant: Tenant }): Past {
    const { tenant, after, through } = span;
    const known = this.#cached.find((past) => past.tenant === tenant && past.after === after);
    const scanned = known ?? { tenant, after, through: after, first: new Map<string, number>() };
    const { first } = scanned;
    const unseen = { tenant, after: scanned.through, through };
    forEachLogged(generation, unseen, ({ key, revision }) => {
      if (!first.has(key)) first.set(key, revision);
    });
    scanned.through = through;
    const others = this.#cached.filter((past) => past !== scanned);
    this.#cached = [...others, scanned].slice(-MAX_CACHED);
    // The map may grow later, for snapshots of later data: what is beyond is not ours.
    const changeOf = (key: string) => {
      const revision = first.get(key);
      return revision !== undefined && revision <= through ? revision : undefined;
    };
    return {
      keys: () => [...first.keys()].filter((key) => changeOf(key) !== undefined),
      has: (key) => changeOf(key) !== undefined,
      before(key, current) {
        const revision = changeOf(key);
        return revision === undefined
          ? undefined
          : previousEntry(readLogged(current, tenant, revision));
      },
    };
  }

  clear(): void {
    this.#cached = [];
  }
}

function previousEntry(
  change: Pick<LoggedChange, 'key' | 'previous' | 'previousRevision'>,
): Entry | undefined {
  const { key, previous, previousRevision } = change;
  return previous && { key, value: previous, revision: previousRevision };
}
