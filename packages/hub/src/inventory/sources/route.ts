import { authoritiesOf, isReadableCertificate, type Secret } from '@flotilla/client';
import { normalizeEndpoint } from '../../cluster-secret/cluster-endpoint.ts';
import { SECRET_KEYS } from '../../cluster-secret/names.ts';
import type { ClusterRoute } from './cluster-facts.ts';

/** The way to a cluster from what its Secret says; undefined where that leads nowhere. */
export function routeOf(
  endpoint: string | undefined,
  secret: Secret | undefined,
): ClusterRoute | undefined {
  const server = endpoint === undefined ? undefined : normalizeEndpoint(endpoint);
  if (server === undefined) return undefined;
  if (secret === undefined)
    return { server, ca: undefined, isInsecure: false, proxyUrl: undefined };
  const bundle = textOf(secret, SECRET_KEYS.ca) ?? textOf(secret, SECRET_KEYS.oldCa);
  return {
    server,
    ca: certificatesIn(bundle ?? ''),
    // The gateway's rule: a key without a value stands for the public authorities, no key for no check at all.
    isInsecure: bundle === undefined,
    proxyUrl: withoutUser(textOf(secret, SECRET_KEYS.proxyUrl)?.trim() ?? ''),
  };
}

/** Bundles are written by hand, too, and a key that slipped into one must not be published. */
function certificatesIn(bundle: string): string | undefined {
  if (bundle.trim() === '') return undefined;
  try {
    return authoritiesOf(bundle, isReadableCertificate);
  } catch {
    // Whoever uses the profile then trusts the public authorities only, which fails safely.
    return undefined;
  }
}

function withoutUser(proxy: string): string | undefined {
  if (!URL.canParse(proxy)) return undefined;
  const url = new URL(proxy);
  if (url.host === '') return undefined;
  return `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}

function textOf({ data = {} }: Secret, key: string): string | undefined {
  const value = data[key];
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString();
}
