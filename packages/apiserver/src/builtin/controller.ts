import type { Change, Tenant } from '../storage/store.ts';

/** A piece of work is a key of a tenant: the body re-reads everything and is safe to repeat. */
export interface BuiltinController {
  readonly name: string;
  /** True when a kube-controller-manager does the same work, so that ours stands down while one runs. */
  readonly yields: boolean;
  /** The keys a change gives work for. */
  readonly concerns: (change: Change) => readonly string[];
  /** The keys to look at when a tenant is first served. */
  readonly initial: (tenant: Tenant) => readonly string[];
  /** Brings one key's world in order; a number asks for another look after so many milliseconds. */
  readonly sync: (tenant: Tenant, key: string) => Promise<number | undefined>;
}
