import { parseIP } from '../../validation/ip.ts';

/** Characters of ASCII that a host may hold unescaped, as Go's url package has them. */
const HOST = /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"\u0080-\u{10ffff}%]*$/u;
const USER = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+\-.]*$/;

/** A URI as Go's url.ParseRequestURI reads it: absolute, or a path from the root. */
export function isRequestURI(text: string): boolean {
  if (text === '' || hasControlCharacter(text)) return false;
  if (text === '*') return true;
  const colon = text.indexOf(':');
  if (colon === 0) return false;
  const hasScheme = colon > 0 && SCHEME.test(text.slice(0, colon));
  const afterScheme = hasScheme ? text.slice(colon + 1) : text;
  const rest = afterScheme.split('?')[0] ?? '';
  if (!rest.startsWith('/')) return hasScheme;
  if (!hasScheme || !rest.startsWith('//')) return hasSoundEscapes(rest);
  const slash = rest.indexOf('/', 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  return isAuthority(authority) && hasSoundEscapes(slash < 0 ? '' : rest.slice(slash));
}

/** Whether the text is an absolute URI that names a host, as approvals of APIs must be. */
export function isAbsoluteURL(text: string): boolean {
  if (!isRequestURI(text)) return false;
  const match = /^[A-Za-z][A-Za-z0-9+\-.]*:\/\/([^/?]*)/.exec(text);
  const authority = match?.[1] ?? '';
  return authority.slice(authority.lastIndexOf('@') + 1) !== '';
}

function isAuthority(authority: string): boolean {
  const mark = authority.lastIndexOf('@');
  const user = mark < 0 ? '' : authority.slice(0, mark);
  return isHost(authority.slice(mark + 1)) && USER.test(user) && hasSoundEscapes(user);
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    if (end < 0 || !isOptionalPort(host.slice(end + 1))) return false;
    const [address = '', zone] = host.slice(1, end).split('%25');
    const isZone = zone === undefined || (zone !== '' && HOST.test(zone));
    return isZone && parseIP(address)?.isIPv4 === false;
  }
  const colon = host.lastIndexOf(':');
  if (colon >= 0 && !isOptionalPort(host.slice(colon))) return false;
  if (!HOST.test(host) || !hasSoundEscapes(host)) return false;
  // Only bytes beyond ASCII, and the percent sign itself, may be escaped in a host.
  return [...host.matchAll(/%(..)/g)].every(
    ([, code = '']) => code === '25' || /^[89a-f]/i.test(code),
  );
}

function isOptionalPort(text: string): boolean {
  return text === '' || /^:[0-9]*$/.test(text);
}

function hasSoundEscapes(text: string): boolean {
  return !text.includes('%') || !/%(?![0-9a-fA-F]{2})/.test(text);
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}
