import type { Mount } from '@flotilla/apiserver';
import { DEFAULT_GATEWAY_NAMESPACE, mountGateway } from '@flotilla/hub';
import { systemClock } from '@flotilla/machinery';

/** What a hub of our own serves beside the kinds of Kubernetes: the gateway to its members. */
export function hubMounts(): readonly Mount[] {
  return [mountGateway({ namespace: DEFAULT_GATEWAY_NAMESPACE, clock: systemClock })];
}
