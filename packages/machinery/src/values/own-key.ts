/**
 * Sets a member of a JSON object. A plain assignment to `__proto__` would change the prototype instead
 * of adding a key, and keys come from the network.
 */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    object[key] = value;
  }
}

/** Reads a member of a JSON object, never one inherited from a prototype. */
export function getOwn(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined;
}
