import { badRequest, StatusError } from '@flotilla/machinery';
import type { ApiResponse } from '../http/exchange.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { requireStored } from '../objects/stored.ts';
import { chosenContainer } from './pod-containers.ts';
import { nodeOf } from './pod-log.ts';

/** Subresources that open a connection to a node. */
export const KUBELET_SUBRESOURCES: ReadonlySet<string> = new Set([
  'exec',
  'attach',
  'portforward',
  'proxy',
]);

/**
 * What upstream says of a pod that no node runs: everything about the request is checked as if one did, then
 * there is nobody to ask.
 */
export function askKubelet(engine: Engine, scope: Scope): ApiResponse {
  const { def, info, tenant, request } = scope;
  const target = { tenant, def, namespace: info.namespace, name: info.name };
  const pod = requireStored(engine, target).object;
  if (def.kind !== 'Pod' || info.subresource === 'proxy') throw badRequest('address not allowed');
  if (info.subresource !== 'portforward') {
    chosenContainer(pod, request.query.get('container') ?? '');
  }
  const node = nodeOf(pod);
  if (node === '') throw badRequest(`pod ${info.name} does not have a host assigned`);
  throw new StatusError(500, '', `Cannot reach the kubelet of node "${node}": it is not connected`);
}
