import { setOwn } from './own-key.ts';

/** Below this depth plain recursion is safe on any stack and several times faster. */
const RECURSION_LIMIT = 500;

/** Copies JSON data, so that changing the copy leaves the original alone. Members that are undefined are left out. */
export function deepCopy<T>(value: T): T {
  return copy(value, 0) as T;
}

function copy(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > RECURSION_LIMIT) return copyIteratively(value);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (let i = 0; i < value.length; i++) items.push(copy(value[i], depth + 1));
    return items;
  }
  const members: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) setOwn(members, key, copy(member, depth + 1));
  }
  return members;
}

function copyIteratively(value: object): unknown {
  const root = emptyLike(value);
  const pending: { from: object; to: object }[] = [{ from: value, to: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { from, to } = next;
    for (const [key, member] of Object.entries(from)) {
      if (member === undefined) continue;
      if (typeof member !== 'object' || member === null) {
        setOwn(to as Record<string, unknown>, key, member);
        continue;
      }
      const below = emptyLike(member);
      setOwn(to as Record<string, unknown>, key, below);
      pending.push({ from: member, to: below });
    }
  }
  return root;
}

function emptyLike(value: object): object {
  return Array.isArray(value) ? [] : {};
}
