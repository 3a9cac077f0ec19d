import { createHash } from 'node:crypto';
import { encodeJson } from '@flotilla/machinery';
import type { Credential } from '../access.ts';

/** Credentials by what they are made from, so that contexts with one user run one plugin. */
export interface CredentialPool {
  /** The credential made from `recipe` before, else a new one. */
  readonly share: (recipe: unknown, make: () => Credential) => Credential;
}

/** Starts an empty pool. Use one per machine and policy, for as long as its credentials may be kept. */
export function createCredentialPool(): CredentialPool {
  const pool = new Map<string, Credential>();
  return {
    share: (recipe, make) => {
      // A recipe may hold secrets, in arguments and variables; its digest does not.
      const key = createHash('sha256').update(encodeJson(recipe)).digest('base64');
      const known = pool.get(key);
      if (known !== undefined) return known;
      const made = make();
      pool.set(key, made);
      return made;
    },
  };
}
