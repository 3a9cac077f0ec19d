import { invalidObject, type KubeObject } from '@flotilla/machinery';
import type { ApiResponse } from '../http/exchange.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { requireStored } from '../objects/stored.ts';
import type { ResourceDef } from '../resources/resource.ts';
import { forwarded, type KubeletClient, refusalText } from './kubelet-client.ts';
import { kubeletLocation } from './kubelet-location.ts';
import { kubeletRefusal } from './kubelet-refusal.ts';
import { logOptions } from './log-options.ts';
import { chosenContainer } from './pod-containers.ts';

/** What reading a log needs beside the request. */
export interface PodLogDeps {
  readonly engine: Engine;
  readonly kubelets: KubeletClient;
  readonly nodes: ResourceDef;
}

/** GET pods/NAME/log: what the kubelet of the pod's node says, as it says it. */
export async function podLog(deps: PodLogDeps, scope: Scope): Promise<ApiResponse> {
  const { def, info, tenant, request } = scope;
  const { engine, kubelets } = deps;
  const options = logOptions(request.query);
  if (options.errors.length > 0) {
    throw invalidObject({ group: '', kind: 'PodLogOptions' }, info.name, options.errors);
  }
  const target = { tenant, def, namespace: info.namespace, name: info.name };
  const pod = requireStored(engine, target).object;
  const container = chosenContainer(pod, options.container);
  const node = nodeOf(pod);
  // Nobody runs it, so it has said nothing yet.
  if (node === '') return { status: 204, headers: {}, body: Buffer.alloc(0) };

  const location = kubeletLocation(engine, { tenant, nodes: deps.nodes, name: node }, kubelets);
  const query = options.query.size === 0 ? '' : `?${options.query.toString()}`;
  const path = ['containerLogs', info.namespace, info.name, container].map(encodeURIComponent);
  const answer = await kubelets.get({
    location,
    path: `/${path.join('/')}${query}`,
    skipsVerification: options.skipsVerification,
    signal: request.signal,
  });
  const { statusCode = 0 } = answer;
  if (statusCode < 200 || statusCode > 206) {
    const resource = { group: '', resource: 'pods/log' };
    throw kubeletRefusal(statusCode, await refusalText(answer), { resource, name: info.name });
  }
  return {
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: forwarded(answer, options),
  };
}

/** The node a pod is on; empty when it is on none. */
export function nodeOf(pod: KubeObject): string {
  return (pod['spec'] as { nodeName?: string } | undefined)?.nodeName ?? '';
}
