import {
  child,
  type FieldError,
  invalid,
  isDNS1123Subdomain,
  isValidPortNum,
  required,
} from '@flotilla/machinery';

const FORM = '; desired format: https://host[/path]';

/** How to reach a webhook: by URL, or through a Service. */
export interface WebhookClientConfig {
  url?: string;
  service?: { namespace: string; name: string; path?: string; port?: number };
  caBundle?: string;
}

/** Services of webhooks listen on 443 unless they say otherwise. */
export function defaultClientConfig(config: WebhookClientConfig): void {
  if (config.service !== undefined) config.service.port ??= 443;
}

/** Exactly one way to reach a webhook, and a sound one. */
export function validateClientConfig(config: WebhookClientConfig, path: string): FieldError[] {
  const { url, service } = config;
  if (url !== undefined && service === undefined) return validateUrl(url, child(path, 'url'));
  if (service !== undefined && url === undefined) {
    return validateServiceReference(service, child(path, 'service'));
  }
  return [required(path, 'exactly one of url or service is required')];
}

function validateUrl(text: string, path: string): FieldError[] {
  const parts = splitUrl(text);
  const errors: FieldError[] = [];
  if (parts.scheme !== 'https') {
    const detail = `'https' is the only allowed URL scheme${FORM}`;
    errors.push(invalid(path, parts.scheme, detail));
  }
  if (parts.host === '') errors.push(invalid(path, '', `host must be specified${FORM}`));
  if (parts.user !== undefined) {
    errors.push(invalid(path, parts.user, 'user information is not permitted in the URL'));
  }
  if (parts.fragment !== '') {
    errors.push(invalid(path, parts.fragment, 'fragments are not permitted in the URL'));
  }
  if (parts.query !== '') {
    errors.push(invalid(path, parts.query, 'query parameters are not permitted in the URL'));
  }
  return errors;
}

/** The parts of a URL as Go splits them; the platform's parser refuses what Go accepts. */
function splitUrl(text: string): {
  scheme: string;
  host: string;
  user: string | undefined;
  query: string;
  fragment: string;
} {
  const [beforeFragment, fragment] = cut(text, '#');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(beforeFragment)?.[1] ?? '';
  const afterScheme = scheme === '' ? beforeFragment : beforeFragment.slice(scheme.length + 1);
  const [beforeQuery, query] = cut(afterScheme, '?');
  const authority = beforeQuery.startsWith('//') ? (beforeQuery.slice(2).split('/')[0] ?? '') : '';
  const mark = authority.lastIndexOf('@');
  return {
    scheme: scheme.toLowerCase(),
    host: authority.slice(mark + 1),
    user: mark < 0 ? undefined : authority.slice(0, mark),
    query,
    fragment,
  };
}

function cut(text: string, mark: string): [string, string] {
  const index = text.indexOf(mark);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}

function validateServiceReference(
  service: { namespace: string; name: string; path?: string; port?: number },
  path: string,
): FieldError[] {
  const { namespace, name, path: urlPath, port = 0 } = service;
  const errors: FieldError[] = [];
  // Upstream's caller swaps name and namespace, so a missing one is reported as the other.
  if (namespace === '') errors.push(required(child(path, 'name')));
  if (name === '') errors.push(required(child(path, 'namespace')));
  const messages = isValidPortNum(port);
  if (messages.length > 0) {
    const detail = `port is not valid: ${messages.join(', ')}`;
    errors.push(invalid(child(path, 'port'), port, detail));
  }
  if (urlPath === undefined || urlPath === '' || urlPath === '/') return errors;
  return [...errors, ...validateUrlPath(urlPath, child(path, 'path'))];
}

function validateUrlPath(urlPath: string, path: string): FieldError[] {
  if (urlPath === '//') return [invalid(path, urlPath, 'segment[0] may not be empty')];
  const errors: FieldError[] = [];
  if (!urlPath.startsWith('/')) errors.push(invalid(path, urlPath, "must start with a '/'"));
  const segments = urlPath.slice(1).replace(/\/$/, '').split('/');
  for (const [index, segment] of segments.entries()) {
    if (segment === '') {
      errors.push(invalid(path, urlPath, `segment[${index}] may not be empty`));
      continue;
    }
    for (const message of isDNS1123Subdomain(segment)) {
      errors.push(invalid(path, urlPath, `segment[${index}]: ${message}`));
    }
  }
  return errors;
}
