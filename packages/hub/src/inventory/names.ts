import { OUR_PREFIX } from '../cluster-secret/names.ts';

/** Where profiles are unless the hub's configuration says otherwise. */
export const DEFAULT_INVENTORY_NAMESPACE = 'flotilla-inventory';

/** What upstream calls the cluster manager: whose profiles they are. */
export const MANAGER_NAME = 'flotilla';

/** As whom we write: by it the server tells our fields of a profile from those of others. */
export const FIELD_MANAGER = 'flotilla-inventory';

/** Repeats the manager's name, so that consumers can select by it. Upstream requires it. */
export const CLUSTER_MANAGER_LABEL = 'x-k8s.io/cluster-manager';

/** The set that a cluster belongs to. */
export const CLUSTER_SET_LABEL = 'multicluster.x-k8s.io/clusterset';

/** What a profile was made from: `registration NAMESPACE/NAME`, `secret NAMESPACE/NAME` or `hub`. */
export const SOURCE_ANNOTATION = 'inventory.flotilla.dev/source';

/** `true` on the profile of a cluster that no registration looks after. */
export const UNMANAGED_ANNOTATION = 'inventory.flotilla.dev/unmanaged';

/** The vendor labels without which nobody can be told how to sign in. */
export const MISSING_LABELS_ANNOTATION = 'inventory.flotilla.dev/missing-labels';

/** Prefix of the labels and annotations that say where a cluster runs. */
export const VENDOR_PREFIX = `${OUR_PREFIX}/`;

/** Where profiles go whose place in the inventory another manager's profile has. */
export function overflowNamespace(namespace: string): string {
  return `${namespace}-own`;
}
