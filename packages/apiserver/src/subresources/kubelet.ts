import {
  badRequest,
  type FieldError,
  invalid,
  invalidObject,
  type KubeObject,
  StatusError,
} from '@flotilla/machinery';
import { integerParameter } from '../handlers/options.ts';
import type { ApiResponse } from '../http/exchange.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { requireStored } from '../objects/stored.ts';

/** Subresources that a node would answer. */
export const KUBELET_SUBRESOURCES: ReadonlySet<string> = new Set([
  'log',
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
  const object = requireStored(engine, target).object;
  if (def.kind !== 'Pod') throw badRequest('address not allowed');
  if (info.subresource === 'log') {
    const errors = logOptionErrors(request.query);
    if (errors.length > 0) {
      throw invalidObject({ group: '', kind: 'PodLogOptions' }, info.name, errors);
    }
  }
  if (info.subresource === 'proxy') throw badRequest('address not allowed');
  if (info.subresource !== 'portforward') checkContainer(object, request.query.get('container'));
  const node = (object['spec'] as { nodeName?: string } | undefined)?.nodeName ?? '';
  if (node !== '') {
    throw new StatusError(
      500,
      '',
      `Cannot reach the kubelet of node "${node}": it is not connected`,
    );
  }
  if (info.subresource === 'log') {
    return { status: 204, headers: {}, body: Buffer.alloc(0) };
  }
  throw badRequest(`pod ${info.name} does not have a host assigned`);
}

const LOG_NUMBERS = ['sinceSeconds', 'tailLines', 'limitBytes'] as const;

function logOptionErrors(query: URLSearchParams): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of LOG_NUMBERS) {
    const value = integerParameter(query, name);
    if (value === undefined) continue;
    if (name === 'tailLines' && value < 0) {
      errors.push(invalid(name, value, 'must be greater than or equal to 0'));
    } else if (name !== 'tailLines' && value < 1) {
      errors.push(invalid(name, value, 'must be greater than 0'));
    }
  }
  return errors;
}

interface PodContainers {
  readonly containers?: readonly { readonly name: string }[];
  readonly initContainers?: readonly { readonly name: string }[];
  readonly ephemeralContainers?: readonly { readonly name: string }[];
}

function checkContainer(pod: KubeObject, wanted: string | null): void {
  const {
    containers = [],
    initContainers = [],
    ephemeralContainers = [],
  } = (pod['spec'] ?? {}) as PodContainers;
  const podName = pod.metadata.name ?? '';
  if (wanted !== null && wanted !== '') {
    const known = [...containers, ...initContainers, ...ephemeralContainers];
    if (known.some(({ name }) => name === wanted)) return;
    throw badRequest(`container ${wanted} is not valid for pod ${podName}`);
  }
  if (containers.length === 1) return;
  const names = (list: readonly { readonly name: string }[]): string =>
    list.map(({ name }) => name).join(' ');
  const parts = [`choose one of: [${names(containers)}]`];
  if (initContainers.length > 0) {
    parts.push(`or one of the init containers: [${names(initContainers)}]`);
  }
  if (ephemeralContainers.length > 0) {
    parts.push(`or one of the ephemeral containers: [${names(ephemeralContainers)}]`);
  }
  const choice = parts.length === 1 ? `, ${parts[0] ?? ''}` : `, ${parts.join(' ')}`;
  throw badRequest(`a container name must be specified for pod ${podName}${choice}`);
}
