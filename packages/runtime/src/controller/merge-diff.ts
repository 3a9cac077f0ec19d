import { deepEqual, type Json } from '@flotilla/machinery';

/** The JSON merge patch that makes `to` of `from`; undefined when they mean the same. Lists are replaced as a whole. */
export function mergeDiff(from: Json, to: Json): Json | undefined {
  const members: [string, unknown][] = [];
  for (const key of Object.keys(to)) {
    const change = changeOf(own(from, key), to[key]);
    if (change !== undefined) members.push([key, change]);
  }
  for (const key of Object.keys(from)) {
    if (!Object.hasOwn(to, key) && !isNothing(from[key])) members.push([key, null]);
  }
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** What a merge patch says to change a value; undefined says nothing. */
export function changeOf(from: unknown, to: unknown): unknown {
  if (isNothing(to)) return isNothing(from) ? undefined : null;
  if (isObject(from) && isObject(to)) return mergeDiff(from, to);
  if (from === to) return undefined;
  // Absent and empty lists are alike to Kubernetes, but an empty object is a statement.
  return deepEqual(from, to) ? undefined : to;
}

function own(object: Json, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
