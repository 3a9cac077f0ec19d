import { setOwn } from '@flotilla/machinery';
import type { GoType, ListType, MapType, PointerType } from './go-type.ts';
import {
  describe,
  misfit,
  type Pass,
  pathOf,
  saveError,
  strictError,
  type Trace,
  typeError,
} from './pass.ts';

const isNull = (value: unknown): boolean => value === null;

/** A slice. */
export function listType(
  of: GoType,
  { goName = `[]${of.goName}`, wrapper = false } = {},
): ListType {
  const type: ListType = {
    form: 'list',
    goName,
    of,
    wrapper,
    decode: (value, pass) => {
      if (Array.isArray(value)) return decodeItems(value, of, pass);
      return value === null ? null : misfit(pass, value, type);
    },
    zero: () => null,
    isEmpty: (value) => value === null || (Array.isArray(value) && value.length === 0),
    isZero: isNull,
  };
  return type;
}

function decodeItems(items: readonly unknown[], of: GoType, pass: Pass): unknown[] {
  const out: unknown[] = [];
  const path = pass.trace?.path;
  for (let i = 0; i < items.length; i += 1) {
    path?.push(`[${i}]`);
    out.push(of.decode(items[i], pass));
    path?.pop();
  }
  return out;
}

/** A map with string keys; Go writes them sorted. */
export function mapType(of: GoType, goName = `map[string]${of.goName}`): MapType {
  const type: MapType = {
    form: 'map',
    goName,
    of,
    decode: (value, pass) => {
      if (value === null) return null;
      if (typeof value !== 'object' || Array.isArray(value)) return misfit(pass, value, type);
      return decodeEntries(value as Record<string, unknown>, of, pass);
    },
    zero: () => null,
    isEmpty: (value) => value === null || isEmptyObject(value),
    isZero: isNull,
  };
  return type;
}

function isEmptyObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  for (const _ in value) return false;
  return true;
}

function decodeEntries(entries: Record<string, unknown>, of: GoType, pass: Pass): unknown {
  const trace = pass.trace;
  const out: Record<string, unknown> = {};
  let last = '';
  let sorted = true;
  for (const key in entries) {
    if (trace !== undefined) enterKey(trace, key);
    setOwn(out, key, of.decode(entries[key], pass));
    trace?.path.pop();
    if (key < last) sorted = false;
    last = key;
  }
  return sorted ? out : sortKeys(out);
}

/** Notes a key given twice, and steps into it. */
export function enterKey(trace: Trace, key: string): void {
  if (trace.duplicates?.has(pathOf(trace, key)) === true) strictError(trace, 'duplicate', key);
  trace.path.push(trace.path.length === 0 ? key : `.${key}`);
}

function sortKeys(entries: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const key of Object.keys(entries).sort()) setOwn(out, key, entries[key]);
  return out;
}

/** A pointer; nil is null. */
export function pointerType(to: GoType): PointerType {
  return {
    form: 'pointer',
    goName: `*${to.goName}`,
    to,
    decode: (value, pass) => (value === null ? null : to.decode(value, pass)),
    zero: () => null,
    isEmpty: isNull,
    isZero: isNull,
  };
}

/** An interface with methods: Go's decoder puts nothing but null into it. */
export function objectType(goName: string): GoType {
  return {
    form: 'any',
    goName,
    decode: (value, pass) => {
      if (value !== null) saveError(pass, typeError(pass, describe(value), goName));
      return null;
    },
    zero: () => null,
    isEmpty: isNull,
    isZero: isNull,
  };
}
