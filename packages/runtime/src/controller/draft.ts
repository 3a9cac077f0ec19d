import { deepCopy, type Json, type KubeObject } from '@flotilla/machinery';
import { changeOf } from './merge-diff.ts';

/** What a pass changed, as merge patches; undefined where nothing. */
export interface Changes {
  /** Everything but the status. */
  readonly main: Json | undefined;
  readonly status: Json | undefined;
}

/** A private copy of a shared object that knows what became of it. */
export interface Draft<T extends KubeObject> {
  readonly object: T;
  readonly changes: () => Changes;
  /** Whether anybody has looked at a top-level member, and may so have changed it. */
  readonly isTouched: (key: string) => boolean;
}

/**
 * Copies an object part by part: a top-level member is copied when it is first touched, so that a pass pays neither for
 * copying nor for comparing what it never looks at. The status is always there to be written to.
 */
export function draftOf<T extends KubeObject>(base: T): Draft<T> {
  const draft: Json = {};
  for (const key of Object.keys(base)) {
    const value = base[key];
    if (typeof value === 'object' && value !== null)
      copyOnTouch(draft, key, () => partOf(base, key));
    else draft[key] = value;
  }
  if (base['status'] === undefined) copyOnTouch(draft, 'status', () => ({}));
  return {
    object: draft as T,
    isTouched: (key) => !isUntouched(draft, key),
    changes: () => {
      const main: Json = {};
      for (const key of new Set([...Object.keys(base), ...Object.keys(draft)])) {
        if (key === 'status' || isUntouched(draft, key)) continue;
        const change = changeOf(base[key], draft[key]);
        if (change !== undefined) main[key] = change;
      }
      return {
        main: Object.keys(main).length === 0 ? undefined : main,
        status: isUntouched(draft, 'status') ? undefined : statusChange(base, draft),
      };
    },
  };
}

/** A status that was made only to be looked at is no change. */
function statusChange(base: KubeObject, draft: Json): Json | undefined {
  const change = changeOf(base['status'], draft['status']) as Json | null | undefined;
  if (change === undefined) return undefined;
  if (change === null) return {};
  const isEmpty = base['status'] === undefined && Object.keys(change).length === 0;
  return isEmpty ? undefined : change;
}

/** managedFields are half of most objects and nobody's to change: they are shared. */
function partOf(base: KubeObject, key: string): unknown {
  if (key !== 'metadata') return deepCopy(base[key]);
  const { managedFields, ...rest } = base.metadata;
  const copy = deepCopy(rest);
  return managedFields === undefined ? copy : { ...copy, managedFields };
}

function copyOnTouch(target: Json, key: string, copy: () => unknown): void {
  const become = (value: unknown) => {
    Object.defineProperty(target, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
    return value;
  };
  Object.defineProperty(target, key, {
    get: () => become(copy()),
    set: become,
    enumerable: true,
    configurable: true,
  });
}

function isUntouched(draft: Json, key: string): boolean {
  return Object.getOwnPropertyDescriptor(draft, key)?.get !== undefined;
}
