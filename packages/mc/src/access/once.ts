/** Does something the first time it is asked for, and gives everyone the same. */
export function once<T>(run: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: run() };
    return result.value;
  };
}
