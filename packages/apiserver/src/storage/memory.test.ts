import { createMemoryStore } from './memory.ts';
import { storageCases } from './storage.cases.ts';

storageCases('memory', async (options) => {
  const store = createMemoryStore(options);
  return { store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
});
