import type { Engine } from '../../objects/engine.ts';
import { DamagedRecord, type Tenant } from '../../storage/store.ts';
import type { KindLookup } from '../kind-lookup.ts';
import { mayBeDeleting, mayHaveOwners, readOwnership } from './metadata-scan.ts';
import {
  type Dependent,
  isKnownFrom,
  type Link,
  namespaceOf,
  type Owner,
  type OwnershipGraph,
} from './ownership-graph.ts';
import { classify } from './references.ts';

/** Entries read between two turns of the event loop. */
const SLICE = 500;
const EVENTS = 'core/events/';

/** What building needs. */
export interface BuildDeps {
  readonly engine: Engine;
  readonly lookup: KindLookup;
  readonly tenant: Tenant;
  readonly graph: OwnershipGraph;
  readonly report: (error: unknown) => void;
}

/**
 * Takes in everything a tenant has stored, a slice at a time, while changes go on; returns the keys to look at.
 *
 * Each slice is read as of now and taken in at once, so it can never be older than what the changes have told.
 */
export async function buildGraph(deps: BuildDeps): Promise<string[]> {
  const { graph } = deps;
  let after: string | undefined;
  let limit = SLICE;
  for (;;) {
    try {
      const last = takeSlice(deps, { after, limit });
      if (last === undefined) break;
      after = last;
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      // One by one up to the record that cannot be read; what it owned stays, and the rest is not lost with it.
      if (limit === 1) {
        deps.report(error);
        after = error.key;
      }
      limit = limit === 1 ? SLICE : 1;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return [...graph.waiting(), ...unsure(deps)];
}

function takeSlice(
  { engine, tenant, graph }: BuildDeps,
  { after, limit }: { after: string | undefined; limit: number },
): string | undefined {
  using snapshot = engine.store.snapshot(tenant);
  const entries = snapshot.range('', { ...(after === undefined ? {} : { after }), limit });
  for (const { key, value } of entries) {
    if (key.startsWith(EVENTS)) continue;
    if (mayHaveOwners(value) || mayBeDeleting(value)) graph.set(key, readOwnership(value));
  }
  return entries.length < limit ? undefined : entries.at(-1)?.key;
}

/** Dependents of owners that cannot be found: each owner is looked up once, however many name it. */
function* unsure(deps: BuildDeps): Generator<string> {
  for (const owner of deps.graph.owners()) {
    const isWaiting = deps.graph.isWaiting(owner.uid);
    for (const dependent of owner.dependents.values()) {
      if (dependent.isDeleting) continue;
      if (isWaiting || !isFound(deps, owner, dependent)) yield dependent.key;
    }
  }
}

function isFound(deps: BuildDeps, owner: Owner, { key, links }: Dependent): boolean {
  const namespace = namespaceOf(key);
  return links.every(
    (link) => link.owner !== owner || isKnownFrom(link, namespace) || find(deps, link, namespace),
  );
}

function find({ engine, lookup, tenant }: BuildDeps, link: Link, namespace: string): boolean {
  const { apiVersion, kind, name, owner } = link;
  const place = { store: engine.store, lookup, tenant, namespace };
  try {
    const reference = { apiVersion, kind, name, uid: owner.uid };
    const { solid } = classify(place, [reference], (_reference, home) => {
      link.home = home;
    });
    return solid.length > 0;
  } catch {
    // A kind that is not served, or an owner out of reach: whoever looks at the dependent will say so.
    return false;
  }
}
