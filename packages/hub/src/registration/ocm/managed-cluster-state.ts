import type { ManagedCluster } from './kinds.ts';

/** What the hub's conditions say about a member. */
export interface ManagedClusterState {
  readonly isAccepted: boolean;
  readonly isJoined: boolean;
  /** False also while nobody knows. */
  readonly isAvailable: boolean;
  /** Which of the steps is outstanding, or what is wrong. */
  readonly message: string;
}

/** Reads the three conditions in the order in which they come true. */
export function managedClusterState({
  metadata,
  spec,
  status,
}: ManagedCluster): ManagedClusterState {
  const { name = '' } = metadata;
  const find = (type: string) => status?.conditions?.find((one) => one.type === type);
  const isTrue = (type: string) => find(type)?.status === 'True';
  const isAccepted = spec?.hubAcceptsClient === true && isTrue('HubAcceptedManagedCluster');
  const isJoined = isAccepted && isTrue('ManagedClusterJoined');
  const available = find('ManagedClusterConditionAvailable');
  const isAvailable = isJoined && available?.status === 'True';
  const state = { isAccepted, isJoined, isAvailable };
  if (isAvailable) return { ...state, message: `ManagedCluster "${name}" joined and is available` };
  if (isJoined) {
    const why = available?.message ?? 'its agent has not reported yet';
    return { ...state, message: `ManagedCluster "${name}" joined, but is not available: ${why}` };
  }
  if (isAccepted)
    return { ...state, message: `ManagedCluster "${name}" is accepted, its agent has not joined` };
  return {
    ...state,
    message: `ManagedCluster "${name}" waits for Open Cluster Management on the hub to accept it`,
  };
}
