import { goQuote } from '../go/quote.ts';
import { equalIP, formatIP, type IpAddress, isMapped, maskIP, parseCIDR, parseIP } from './ip.ts';

const NO_IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const NO_CIDR = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
const NO_INTERFACE = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)';

/** An address in canonical form, as new fields demand. */
export function isValidIP(value: string): string[] {
  const address = parseIP(value);
  if (address === undefined) return [NO_IP];
  const messages: string[] = [];
  // Nothing else can be told of an address that strict readers refuse.
  if (address.hasLeadingZeros) messages.push('must not have leading 0s');
  else if (isMapped(address)) messages.push('must not be an IPv4-mapped IPv6 address');
  return messages.length > 0 ? messages : canonicalMessages(value, formatIP(address));
}

/** An address as fields older than the strict rule take it: any form. */
export function isValidIPForLegacyField(value: string): string[] {
  return parseIP(value) === undefined ? [NO_IP] : [];
}

/** A range in canonical form, as new fields demand. */
export function isValidCIDR(value: string): string[] {
  const cidr = parseCIDR(value);
  if (cidr === undefined) return [NO_CIDR];
  const { address, prefix } = cidr;
  if (cidr.hasLeadingZeros || address.hasLeadingZeros) {
    return ['must not have leading 0s in IP or prefix length'];
  }
  if (isMapped(address)) return ['must not have an IPv4-mapped IPv6 address'];
  const network = maskIP(address, prefix);
  if (!equalIP(network, address)) return ['must not have bits set beyond the prefix length'];
  return canonicalMessages(value, `${formatIP(network)}/${prefix}`);
}

/** A range as fields older than the strict rule take it: any form. */
export function isValidCIDRForLegacyField(value: string): string[] {
  return parseCIDR(value) === undefined ? [NO_CIDR] : [];
}

/** An address with the length of its network, as on an interface. */
export function isValidInterfaceAddress(value: string): string[] {
  const cidr = parseCIDR(value);
  if (cidr === undefined) return [NO_INTERFACE];
  const prefix = isMapped(cidr.address) && cidr.prefix > 32 ? cidr.prefix - 96 : cidr.prefix;
  return canonicalMessages(value, `${formatIP(cidr.address)}/${prefix}`);
}

/** Upstream's warnings about an address that old fields take but will not for ever. */
export function warningsForIP(path: string, value: string): string[] {
  const address = parseIP(value);
  if (address === undefined) return [];
  const canonical = formatIP(address);
  if (address.hasLeadingZeros || isMapped(address)) {
    return [
      `${path}: non-standard IP address ${goQuote(value)} will be considered invalid in a future Kubernetes release: use ${goQuote(canonical)}`,
    ];
  }
  if (address.isIPv4 || canonical === value) return [];
  return [
    `${path}: IPv6 address ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(canonical)})`,
  ];
}

/** Upstream's warnings about a range that old fields take but will not for ever. */
export function warningsForCIDR(path: string, value: string): string[] {
  const cidr = parseCIDR(value);
  if (cidr === undefined) return [];
  const { address, prefix } = cidr;
  const network = maskIP(address, prefix);
  const canonical = formatNetwork(network, prefix);
  const warnings: string[] = [];
  if (!equalIP(network, address)) {
    const single = `${formatIP(address)}/${address.bytes.length * 8}`;
    warnings.push(
      `${path}: CIDR value ${goQuote(value)} is ambiguous in this context (should be ${goQuote(canonical)} or ${goQuote(single)}?)`,
    );
  }
  if (cidr.hasLeadingZeros || address.hasLeadingZeros || isMapped(address)) {
    warnings.push(
      `${path}: non-standard CIDR value ${goQuote(value)} will be considered invalid in a future Kubernetes release: use ${goQuote(canonical)}`,
    );
  }
  if (warnings.length === 0 && !address.isIPv4 && canonical !== value) {
    warnings.push(
      `${path}: IPv6 CIDR value ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(canonical)})`,
    );
  }
  return warnings;
}

/** A wrapped IPv4 range is written as the IPv4 range it means. */
function formatNetwork(network: IpAddress, prefix: number): string {
  return `${formatIP(network)}/${isMapped(network) ? prefix - 96 : prefix}`;
}

function canonicalMessages(value: string, canonical: string): string[] {
  return value === canonical ? [] : [`must be in canonical form (${goQuote(canonical)})`];
}
