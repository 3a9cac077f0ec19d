import type { Store } from '../storage/store.ts';
import { type Authorizer, createAuthorizer } from './rbac.ts';

/** Everyone may do everything, as `--authorization-mode=AlwaysAllow` has it. */
export function createAlwaysAllow(store: Store): Authorizer {
  const rbac = createAuthorizer(store);
  return {
    ...rbac,
    decide: () => ({ allowed: true, reason: '' }),
    rulesFor: () => ({
      rules: [
        { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
        { verbs: ['*'], nonResourceURLs: ['*'] },
      ],
      missing: [],
    }),
    [Symbol.dispose]: () => rbac[Symbol.dispose](),
  };
}
