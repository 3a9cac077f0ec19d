import { badRequest } from '../status-errors.ts';
import { deepCopy } from '../values/deep-copy.ts';
import { goJsonKind, isJsonObject } from '../values/json-kind.ts';
import { getOwn, setOwn } from '../values/own-key.ts';

/**
 * Applies a JSON merge patch (RFC 7386) and returns the result; neither argument is changed. As upstream, nulls are
 * also dropped from objects inside lists that the patch brings in. A patch that is no object is refused with 400.
 */
export function mergePatch<T>(target: T, patch: unknown): T {
  if (patch === null || patch === undefined) throw badRequest('Invalid JSON Patch');
  if (!isJsonObject(patch)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${goJsonKind(patch)} into Go value of type map[string]interface {}`,
    );
  }
  const result: unknown = isJsonObject(target) ? deepCopy(target) : {};
  // A stack of our own: nesting may be thousands deep.
  const pending = [{ into: result as Record<string, unknown>, from: patch }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { into, from } = next;
    for (const [key, change] of Object.entries(from)) {
      const current = getOwn(into, key);
      if (change === null) delete into[key];
      else if (isJsonObject(current) && isJsonObject(change)) {
        pending.push({ into: current, from: change });
      } else {
        setOwn(into, key, isJsonObject(current) ? deepCopy(change) : withoutNulls(change));
      }
    }
  }
  return result as T;
}

/** A copy in which no object has a null; nulls that are elements of lists stay. */
function withoutNulls(value: unknown): unknown {
  const copy = deepCopy(value);
  const pending = [copy];
  while (pending.length > 0) {
    const next = pending.pop();
    if (Array.isArray(next)) {
      for (const item of next) pending.push(item);
    } else if (isJsonObject(next)) {
      for (const [key, member] of Object.entries(next)) {
        if (member === null) delete next[key];
        else pending.push(member);
      }
    }
  }
  return copy;
}
