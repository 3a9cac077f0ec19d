import type { Clock } from '@flotilla/machinery';
import type { Access } from '../access.ts';
import type { Transport } from '../transport.ts';
import { readEndpoint } from './endpoint.ts';
import { DEFAULT_LIMITS, type TransportLimits } from './limits.ts';
import { chooseProxy } from './proxy-choice.ts';
import { WireTransport } from './wire-transport.ts';

/** What a transport is made of. */
export interface TransportOptions {
  readonly access: Access;
  readonly clock: Clock;
  /** From 0 to below 1, to spread what would happen at once. */
  readonly random: () => number;
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are looked up. @default nowhere */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly limits?: Partial<TransportLimits>;
  /** @default flotilla */
  readonly userAgent?: string;
  /**
   * Asked for every address before it is dialled, the server's or its proxy's, after names are looked up: a name that was
   * checked before may lead elsewhere by now. What a proxy dials is the proxy's affair. @default all may be dialled
   */
  readonly allowsAddress?: (address: string) => boolean;
}

/** Carries requests to the server of an access. Connects when it is first asked; throws TransportError for addresses that cannot be. */
export function createTransport(options: TransportOptions): Transport {
  const { access, clock, random, env = {}, userAgent = 'flotilla' } = options;
  const limits: TransportLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const endpoint = readEndpoint(access.server);
  const proxy = chooseProxy(endpoint, access.proxyUrl, env);
  return new WireTransport({
    access,
    limits,
    random,
    userAgent,
    route: { endpoint, tls: access.tls, proxy, clock, allowsAddress: options.allowsAddress },
  });
}
