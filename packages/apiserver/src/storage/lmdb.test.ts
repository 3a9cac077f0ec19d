import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLmdbStore } from './lmdb.ts';
import { storageCases } from './storage.cases.ts';

storageCases('lmdb', async (options) => {
  const dir = mkdtempSync(join(tmpdir(), 'flotilla-store-'));
  let store = await openLmdbStore({ ...options, dir });
  return {
    get store() {
      return store;
    },
    async reopen() {
      await store[Symbol.asyncDispose]();
      store = await openLmdbStore({ ...options, dir });
      return store;
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      rmSync(dir, { recursive: true, force: true });
    },
  };
});
