import { type KubeObject, notFound, StatusError } from '@flotilla/machinery';
import type { Engine } from '../objects/engine.ts';
import { findStored } from '../objects/stored.ts';
import type { ResourceDef } from '../resources/resource.ts';
import type { Tenant } from '../storage/store.ts';

/** Where a kubelet listens. */
export interface KubeletLocation {
  readonly host: string;
  readonly port: number;
}

/** Which of a node's addresses to try, and the port of nodes that name none. */
export interface LocationChoice {
  readonly addressTypes: readonly string[];
  readonly port: number;
}

/** Upstream's order of preference. */
export const ADDRESS_TYPES: readonly string[] = [
  'Hostname',
  'InternalDNS',
  'InternalIP',
  'ExternalDNS',
  'ExternalIP',
];

/** The port kubelets have by default. */
export const KUBELET_PORT = 10_250;

interface NodeStatus {
  readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  readonly daemonEndpoints?: { readonly kubeletEndpoint?: { readonly Port?: number } };
}

/** Looks up where the kubelet of a node is. Nothing but the Node's own status decides that. */
export function kubeletLocation(
  engine: Engine,
  node: { readonly tenant: Tenant; readonly nodes: ResourceDef; readonly name: string },
  choice: LocationChoice,
): KubeletLocation {
  const { tenant, nodes, name } = node;
  const stored = findStored(engine, { tenant, def: nodes, namespace: '', name });
  // Upstream names the resource of the request here, not the one it missed.
  if (stored === undefined) throw notFound({ group: '', resource: 'pods' }, name);
  return { host: addressOf(stored.object, choice), port: portOf(stored.object, choice) };
}

function addressOf(node: KubeObject, { addressTypes }: LocationChoice): string {
  const { addresses = [] } = (node['status'] ?? {}) as NodeStatus;
  for (const wanted of addressTypes) {
    const found = addresses.find(({ type }) => type === wanted);
    if (found !== undefined) return found.address;
  }
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
  throw new StatusError(500, '', `no preferred addresses found; known addresses: [${known}]`);
}

function portOf(node: KubeObject, choice: LocationChoice): number {
  const { daemonEndpoints } = (node['status'] ?? {}) as NodeStatus;
  const port = Number(daemonEndpoints?.kubeletEndpoint?.Port ?? 0);
  return port > 0 ? port : choice.port;
}
