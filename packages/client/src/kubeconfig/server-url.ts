import { goQuote } from '@flotilla/machinery';
import { KubeconfigError } from './kubeconfig-error.ts';

/** A server's address, taken apart. */
export interface ServerUrl {
  /** Without user, query, fragment and trailing slashes. */
  readonly server: string;
  readonly isTls: boolean;
  /** `name:password`, where the address holds one; it then counts before any token. */
  readonly basic?: string;
}

const URL_PARTS = /^([a-z][a-z0-9+.-]*):\/\/(?:([^/?#@]*)@)?([^/?#]+)([^?#]*)/i;

/** Reads the `server` of a kubeconfig: a URL, or a host with or without port, which means plain HTTP. */
export function parseServerUrl(text: string): ServerUrl {
  const hasScheme = URL_PARTS.test(text);
  const [, scheme = '', user, authority = '', path = ''] =
    URL_PARTS.exec(hasScheme ? text : `http://${text}`) ?? [];
  if (!hasScheme && path !== '' && path !== '/') {
    throw new KubeconfigError(
      `host must be a URL or a host:port pair: ${goQuote(text.replace(/^[^/]*@/, ''))}`,
    );
  }
  const protocol = scheme.toLowerCase();
  const server = `${protocol}://${authority}${path.replace(/\/+$/, '')}`;
  if (!URL.canParse(server)) {
    throw new KubeconfigError(`Cannot use server ${goQuote(server)}: it is not a URL`);
  }
  if (protocol !== 'http' && protocol !== 'https') {
    throw new KubeconfigError(`unsupported protocol scheme ${goQuote(protocol)}`);
  }
  const isTls = protocol === 'https';
  if (user === undefined) return { server, isTls };
  return { server, isTls, basic: decodeUser(user) };
}

/** What plugins are told of a server: as it is written, but of an address with a path neither query nor fragment. */
export function withoutQuery(text: string): string {
  const [whole = text, , , , path = ''] = URL_PARTS.exec(text) ?? [];
  return path.length > 1 ? whole : text;
}

function decodeUser(user: string): string {
  const [name = '', ...password] = user.split(':');
  try {
    return `${decodeURIComponent(name)}:${decodeURIComponent(password.join(':'))}`;
  } catch {
    return `${name}:${password.join(':')}`;
  }
}

/** What kubectl finds wrong with a `proxy-url`; undefined when nothing. */
export function proxyUrlProblem(text: string): string | undefined {
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1]?.toLowerCase() ?? '';
  if (!['http', 'https', 'socks5'].includes(scheme)) {
    // Go's parser wants a scheme before the first colon, and calls everything else a path.
    if (scheme === '' && /^[^/?#]*:/.test(text)) return 'could not parse the URL';
    return `unsupported scheme ${goQuote(scheme)}, must be http, https, or socks5`;
  }
  return URL.canParse(text) ? undefined : 'could not parse the URL';
}
