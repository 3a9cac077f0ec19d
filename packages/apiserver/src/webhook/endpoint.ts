import { posix } from 'node:path';
import { parseJson } from '@flotilla/machinery';
import type { Store, Tenant } from '../storage/store.ts';
import { WebhookFailure } from './failure.ts';

/** How a webhook is reached, as admission configurations and CRDs say it. */
export interface WebhookTarget {
  readonly url?: string | undefined;
  readonly service?:
    | {
        readonly namespace: string;
        readonly name: string;
        readonly path?: string | undefined;
        readonly port?: number | undefined;
      }
    | undefined;
  /** PEM in base64. */
  readonly caBundle?: string | undefined;
}

/** Where to connect to, and how to speak there. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** The name the certificate must be for. Empty for the host itself. */
  readonly serverName: string;
  /** `Host` header, and the host in messages. */
  readonly authority: string;
  readonly path: string;
}

/** What messages call it, and what a service-less connection needs. */
export function addressOf(target: WebhookTarget): Omit<Endpoint, 'host' | 'port'> {
  const { service } = target;
  if (service !== undefined) {
    const serverName = `${service.name}.${service.namespace}.svc`;
    return {
      serverName,
      authority: `${serverName}:${service.port ?? 443}`,
      path: cleanPath(service.path ?? ''),
    };
  }
  const url = parsed(target);
  return { serverName: '', authority: url.host, path: cleanPath(url.pathname) };
}

/** Finds the endpoint of a webhook; services are looked up every time, because they come and go. */
export function endpointOf(store: Store, tenant: Tenant, target: WebhookTarget): Endpoint {
  const address = addressOf(target);
  const { service } = target;
  if (service === undefined) {
    const url = parsed(target);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return { ...address, host, port: url.port === '' ? 443 : Number(url.port) };
  }
  return { ...address, ...resolve(store, tenant, { ...service, port: service.port ?? 443 }) };
}

function parsed({ url = '' }: WebhookTarget): URL {
  if (url === '') {
    throw new WebhookFailure('client', 'webhook configuration must have either service or URL');
  }
  try {
    return new URL(url);
  } catch (cause) {
    throw new WebhookFailure('client', 'Unparsable URL', { cause });
  }
}

function cleanPath(path: string): string {
  const joined = posix.join('/', path);
  return joined.length > 1 ? joined.replace(/\/+$/, '') : joined;
}

interface Service {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly externalName?: string;
    readonly ports?: readonly { readonly port: number }[];
  };
}

/** Upstream's routing without an aggregator: a Service is its cluster IP, whatever stands behind it. */
function resolve(
  store: Store,
  tenant: Tenant,
  { namespace, name, port }: { namespace: string; name: string; port: number },
): { host: string; port: number } {
  const entry = store.read(tenant, `core/services/${namespace}/${name}`);
  if (entry === undefined) throw new WebhookFailure('call', `service "${name}" not found`);
  const { spec = {} } = parseJson(entry.value, { strict: false }).value as unknown as Service;
  if (spec.type === 'ExternalName') return { host: spec.externalName ?? '', port };
  if (spec.clusterIP === 'None' || spec.clusterIP === undefined || spec.clusterIP === '') {
    throw new WebhookFailure('call', 'cannot route to service with ClusterIP "None"');
  }
  if (!(spec.ports ?? []).some((each) => each.port === port)) {
    throw new WebhookFailure('call', `no service port ${port} found for service "${name}"`);
  }
  return { host: spec.clusterIP, port };
}
