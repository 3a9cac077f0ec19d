import type { ApiRequest } from '../http/exchange.ts';
import { CertificateRejected, clientCertificates } from './client-certificates.ts';
import { headerValues } from './header-values.ts';
import type { UserInfo } from './user-info.ts';

/** Which proxy may say who its users are, and in which headers it says so. */
export interface FrontProxyOptions {
  /** PEM of the authorities that sign proxies' certificates; never those of users. */
  readonly authorities: string;
  /** Common names of the proxies to believe; all of the authorities' when empty. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** The user a proxy vouches for; undefined when nobody does. Throws when the certificate of the one who does is not good. */
export type FrontProxy = (request: ApiRequest, now: Date) => UserInfo | undefined;

/** Believes the headers of whoever shows a certificate of these authorities. */
export function frontProxy(options: FrontProxyOptions): FrontProxy {
  const certificates = clientCertificates(() => options.authorities);
  return (request, now) => {
    const name = firstValue(request, options.usernameHeaders);
    if (name === undefined) return undefined;
    const proxy = certificates.verify(request.peer, now);
    if (proxy === undefined) return undefined;
    if (options.allowedNames.length > 0 && !options.allowedNames.includes(proxy.name)) {
      throw new CertificateRejected(`subject with cn=${proxy.name} is not in the allowed list`);
    }
    const uid = firstValue(request, options.uidHeaders);
    const extra = extraOf(request, options.extraHeaderPrefixes);
    return {
      name,
      ...(uid === undefined ? {} : { uid }),
      groups: options.groupHeaders
        .flatMap((header) => headerValues(request, header.toLowerCase()))
        .filter((group) => group !== ''),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    };
  };
}

function firstValue(request: ApiRequest, headers: readonly string[]): string | undefined {
  return headers
    .map((header) => headerValues(request, header.toLowerCase())[0] ?? '')
    .find((value) => value !== '');
}

function extraOf(request: ApiRequest, prefixes: readonly string[]): Record<string, string[]> {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes.map((each) => each.toLowerCase())) {
    for (const header of Object.keys(request.headers)) {
      if (!header.startsWith(prefix)) continue;
      const key = unescaped(header.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), ...headerValues(request, header)]);
    }
  }
  return Object.fromEntries(extra);
}

/** Keys that are no valid escapes are kept as they came. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
