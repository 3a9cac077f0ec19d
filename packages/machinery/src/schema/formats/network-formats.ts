import { byteLength } from '../../go/byte-length.ts';
import { parseCIDR, parseIP } from '../../validation/ip.ts';

const HOSTNAME =
  /^([a-zA-Z0-9\p{S}\p{L}](-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|([a-zA-Z0-9\p{S}\p{L}]([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.){1,}[a-zA-Z\p{L}]{2,63})$/u;
const MAX_HOSTNAME = 255;
const MAX_HOST_LABEL = 63;
const MAC_BYTES = [6, 8, 20];

/** A host name; labels may hold letters and symbols of any script. */
export function isHostname(text: string): boolean {
  // The length first: it bounds the work of the expression.
  if (byteLength(text) > MAX_HOSTNAME || !HOSTNAME.test(text)) return false;
  return text.split('.').every((label) => byteLength(label) <= MAX_HOST_LABEL);
}

/** An IPv4 address, or an IPv6 address that ends like one; leading zeros are tolerated. */
export function isIPv4(text: string): boolean {
  return text.includes('.') && parseIP(text) !== undefined;
}

/** An IPv6 address as Go's net package reads it: unlike IPv4, without needless zeros. */
export function isIPv6(text: string): boolean {
  return text.includes(':') && parseIP(text)?.hasLeadingZeros === false;
}

/** A network in CIDR notation; leading zeros are tolerated. */
export function isCIDR(text: string): boolean {
  return parseCIDR(text) !== undefined;
}

/** A MAC address of 6, 8 or 20 bytes: pairs of digits with colons or hyphens, or fours with dots. */
export function isMAC(text: string): boolean {
  const separator = text[2] === ':' || text[2] === '-' ? text[2] : '.';
  const groups = text.split(separator);
  const width = separator === '.' ? 4 : 2;
  return (
    MAC_BYTES.includes((groups.length * width) / 2) &&
    groups.every((group) => group.length === width && /^[0-9a-fA-F]+$/.test(group))
  );
}
