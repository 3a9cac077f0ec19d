import type { Socket } from 'node:net';
import type { Clock } from '@flotilla/machinery';
import type { Access } from '../access.ts';
import { TransportError } from '../transport-error.ts';
import { dial, type Route } from './dial.ts';
import { readEndpoint } from './endpoint.ts';
import { createIdentity, type Identity, isSameCertificate } from './identity.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { chooseProxy } from './proxy-choice.ts';

/** Makes bare connections to one API server, for those who speak HTTP over them themselves: proxies. */
export interface Connector {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** As the Host header has it. */
  readonly authority: string;
  /** What every path starts with: '' or `/k8s/clusters/c-1`. */
  readonly basePath: string;
  /** A connection that speaks HTTP/1.1, TLS done. Throws TransportError, or the signal's reason. */
  readonly connect: (signal: AbortSignal) => Promise<Socket>;
}

/** What a connector is made of. */
export interface ConnectorOptions {
  readonly access: Access;
  readonly clock: Clock;
  /** Until a connection stands, TLS included. @default 10,000 */
  readonly connectMs?: number;
  /** As a transport's: asked for every address before it is dialled. @default all may be dialled */
  readonly allowsAddress?: (address: string) => boolean;
}

/** Connects to the server of an access, through its proxy where it names one. Throws TransportError for addresses that cannot be. */
export function createConnector(options: ConnectorOptions): Connector {
  const { access, clock, connectMs = DEFAULT_LIMITS.connectMs } = options;
  const endpoint = readEndpoint(access.server);
  const proxy = chooseProxy(endpoint, access.proxyUrl, {});
  if (proxy !== undefined && proxy.kind !== 'socks5' && !endpoint.isSecure) {
    throw new TransportError(
      'proxy',
      `Cannot reach "${endpoint.url}" through "${proxy.url}": plain HTTP goes through a socks5 proxy only; use an https endpoint`,
      { wasNotSent: true },
    );
  }
  const { allowsAddress } = options;
  const route: Route = { endpoint, tls: access.tls, proxy, clock, allowsAddress };
  let identity: Identity | undefined;
  return {
    host: endpoint.host,
    port: endpoint.port,
    authority: endpoint.authority,
    basePath: endpoint.basePath,
    connect: async (signal) => {
      const { certificate } = await access.credential.present(signal);
      if (identity === undefined || !isSameCertificate(identity.certificate, certificate)) {
        identity = createIdentity(access.tls, certificate);
      }
      return dial(route, { identity, protocols: ['http/1.1'], connectMs, signal });
    },
  };
}
