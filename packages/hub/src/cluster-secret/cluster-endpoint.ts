/** Ports that URLs leave out. */
const PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/**
 * An endpoint as it stands in a cluster Secret: `scheme://host:port[/path]`. The port is written out, because the gateway
 * takes the brackets of an IPv6 address for a part of the server's name where it is missing. Undefined for what is no
 * http or https URL, and for one with a user, a query or a fragment.
 */
export function normalizeEndpoint(text: string): string | undefined {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  const port = url.port === '' ? PORTS[url.protocol] : url.port;
  if (port === undefined || url.hostname === '') return undefined;
  if (url.username !== '' || url.password !== '' || /[?#\s]/.test(trimmed)) return undefined;
  return `${url.protocol}//${url.hostname}:${port}${url.pathname.replace(/\/+$/, '')}`;
}

/** Whether two endpoints lead to the same place, however they are written. */
export function isSameEndpoint(a: string, b: string): boolean {
  const first = normalizeEndpoint(a);
  return first !== undefined && first === normalizeEndpoint(b);
}

/** The host of an endpoint or a proxy, without the brackets of an IPv6 address. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}
