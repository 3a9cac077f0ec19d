import type { Client } from '@flotilla/client';
import { defineKind, isNotFound, isValidLabelValue, type KubeObject } from '@flotilla/machinery';
import { fieldOf, shortText } from '../inventory/fields.ts';
import { hubsOf } from '../inventory/hub.ts';
import { HubError } from '../inventory/hub-error.ts';
import type { InventoryDeps } from '../inventory/inventory-deps.ts';
import { withHub } from '../inventory/with-hub.ts';
import { UsageError } from '../usage-error.ts';

const PlacementDecisions = defineKind<KubeObject>({
  group: 'multicluster.x-k8s.io',
  version: 'v1alpha1',
  kind: 'PlacementDecision',
  plural: 'placementdecisions',
  namespaced: true,
});

const DECISION_KEY = 'multicluster.x-k8s.io/decision-key';
const DECISION_INDEX = 'multicluster.x-k8s.io/decision-index';
const PLACEMENT_KEY = 'multicluster.x-k8s.io/placement-key';
const MAX_NAME = 253;

/** One slice of a decision. */
export interface DecisionSlice {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** `namespace/name` of profiles. */
  readonly places: readonly string[];
}

/**
 * The profiles that a placement has decided for, as `namespace/name` in the order of its slices. `reference` is a decision
 * key, a placement key or the name of a slice, with a namespace before it where several have one of that name.
 */
export async function placementOf(
  reference: string,
  deps: InventoryDeps,
): Promise<readonly string[]> {
  const cut = reference.indexOf('/');
  const namespace = cut < 0 ? undefined : reference.slice(0, cut);
  const key = reference.slice(cut + 1);
  if (key === '') throw new UsageError(`Cannot read --placement "${reference}": it has no name`);
  for (const hub of await hubsOf(deps)) {
    const slices = await withHub(hub, deps, async ({ client }) => {
      try {
        return await findSlices(client, { namespace, key, signal: deps.io.signal });
      } catch (error) {
        if (!isNotFound(error)) throw error;
        throw new HubError(
          `the hub has no PlacementDecision API (multicluster.x-k8s.io/v1alpha1), which --placement needs (${hub.title})`,
          { cause: error },
        );
      }
    });
    if (slices.length > 0) return placesOf(slices, reference);
  }
  throw new UsageError(`Cannot find placement "${reference}" on the hub`);
}

interface Wanted {
  readonly namespace: string | undefined;
  readonly key: string;
  readonly signal: AbortSignal;
}

/** The label finds the slices at once; other names cost a look at all of them. */
async function findSlices(
  client: Client,
  { namespace, key, signal }: Wanted,
): Promise<DecisionSlice[]> {
  if (isValidLabelValue(key).length === 0) {
    const labelSelector = `${DECISION_KEY}=${key}`;
    const { items } = await client.list(PlacementDecisions, { namespace, labelSelector, signal });
    if (items.length > 0) return items.map(readSlice);
  }
  const { items } = await client.list(PlacementDecisions, { namespace, signal });
  const slices = items.map(readSlice);
  const ofPlacement = slices.filter(({ labels }) => labels[PLACEMENT_KEY] === key);
  return ofPlacement.length > 0 ? ofPlacement : slices.filter(({ name }) => name === key);
}

function readSlice(item: KubeObject): DecisionSlice {
  const namespace = item.metadata.namespace ?? '';
  const decisions = fieldOf(item, 'decisions');
  const places = (Array.isArray(decisions) ? (decisions as unknown[]) : []).flatMap((each) => {
    const ref = fieldOf(each, 'clusterProfileRef');
    const name = shortText(fieldOf(ref, 'name'), MAX_NAME);
    if (name === undefined) return [];
    return [`${shortText(fieldOf(ref, 'namespace'), MAX_NAME) ?? namespace}/${name}`];
  });
  return { namespace, name: item.metadata.name ?? '', labels: item.metadata.labels ?? {}, places };
}

/** Slices in their order, each place once. Decisions of two namespaces, or of two keys, are not one. */
export function placesOf(slices: readonly DecisionSlice[], reference: string): string[] {
  const origins = new Set(slices.map(({ namespace }) => namespace));
  if (origins.size > 1) {
    const names = [...origins].map((each) => `${each}/${reference}`).join(', ');
    throw new UsageError(`placement "${reference}" is ambiguous: it may be ${names}`);
  }
  const sorted = [...slices].sort(
    (a, b) => indexOf(a) - indexOf(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
  return [...new Set(sorted.flatMap(({ places }) => places))];
}

function indexOf({ labels }: DecisionSlice): number {
  const index = labels[DECISION_INDEX] ?? '';
  return /^\d{1,9}$/.test(index) ? Number(index) : Number.MAX_SAFE_INTEGER;
}
