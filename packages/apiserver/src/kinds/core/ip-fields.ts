import { type FieldError, goQuote, invalid } from '@flotilla/machinery';
import { formatCidr, formatIp, type IpAddress, parseCidr, parseIp } from './ip-address.ts';

/**
 * An address in a field older than strict checking: any spelling is accepted, and so is whatever was stored before
 * (`existing`).
 */
export function validateLegacyIp(
  value: string,
  path: string,
  existing: readonly string[] = [],
): FieldError[] {
  if (parseIp(value) !== undefined || existing.includes(value)) return [];
  return [invalid(path, value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}

/** A network in a field older than strict checking, or one that was stored before (`existing`). */
export function validateLegacyCidr(
  value: string,
  path: string,
  existing: readonly string[] = [],
): FieldError[] {
  if (parseCidr(value) !== undefined || existing.includes(value)) return [];
  return [invalid(path, value, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];
}

/** An address in a field that takes only the canonical spelling. */
export function validateStrictIp(value: string, path: string): FieldError[] {
  return strictIpMessages(value).map((message) => invalid(path, value, message));
}

/** What is wrong with an address that must be in canonical form. */
export function strictIpMessages(value: string): string[] {
  const address = parseIp(value);
  if (address === undefined) {
    return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  }
  if (address.sloppy) {
    return [
      value.includes(':') ? 'must not be an IPv4-mapped IPv6 address' : 'must not have leading 0s',
    ];
  }
  const canonical = formatIp(address);
  return value === canonical ? [] : [`must be in canonical form (${goQuote(canonical)})`];
}

/** A network in a field that takes only the canonical spelling. */
export function validateStrictCidr(value: string, path: string): FieldError[] {
  const network = parseCidr(value);
  if (network === undefined) return validateLegacyCidr(value, path);
  if (network.sloppy) {
    const detail = value.includes(':')
      ? 'must not have an IPv4-mapped IPv6 address'
      : 'must not have leading 0s in IP or prefix length';
    return [invalid(path, value, detail)];
  }
  if (network.address !== network.base) {
    return [invalid(path, value, 'must not have bits set beyond the prefix length')];
  }
  const canonical = formatCidr(network);
  if (value === canonical) return [];
  return [invalid(path, value, `must be in canonical form (${goQuote(canonical)})`)];
}

/** An address traffic is sent to: not unspecified, loopback or link-local. */
export function validateEndpointIp(value: string, path: string): FieldError[] {
  const address = parseIp(value);
  if (address === undefined) return [invalid(path, value, 'must be a valid IP address')];
  const errors: FieldError[] = [];
  if (address.value === 0n) {
    errors.push(invalid(path, value, `may not be unspecified (${value})`));
  }
  if (isLoopback(address)) {
    errors.push(invalid(path, value, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'));
  }
  if (inPrefix(address, 0xa9fen, 0x3fan)) {
    errors.push(
      invalid(path, value, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'),
    );
  }
  if (isLinkLocalMulticast(address)) {
    errors.push(
      invalid(
        path,
        value,
        'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
      ),
    );
  }
  return errors;
}

/** Warns about addresses in spellings that will be refused one day. */
export function ipWarnings(value: string, path: string): string[] {
  const address = parseIp(value);
  if (address === undefined) return [];
  const canonical = formatIp(address);
  if (address.sloppy) {
    return [
      `${path}: non-standard IP address ${goQuote(value)} will be considered invalid in a future Kubernetes release: use ${goQuote(canonical)}`,
    ];
  }
  if (address.family === 6 && canonical !== value) {
    return [
      `${path}: IPv6 address ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(canonical)})`,
    ];
  }
  return [];
}

/** Warns about networks in spellings that will be refused one day. */
export function cidrWarnings(value: string, path: string): string[] {
  const network = parseCidr(value);
  if (network === undefined) return [];
  const warnings: string[] = [];
  const canonical = formatCidr(network);
  if (network.address !== network.base) {
    const address = formatIp({ family: network.family, value: network.address });
    const single = `${address}/${network.family === 4 ? 32 : 128}`;
    warnings.push(
      `${path}: CIDR value ${goQuote(value)} is ambiguous in this context (should be ${goQuote(canonical)} or ${goQuote(single)}?)`,
    );
  }
  if (network.sloppy) {
    warnings.push(
      `${path}: non-standard CIDR value ${goQuote(value)} will be considered invalid in a future Kubernetes release: use ${goQuote(canonical)}`,
    );
  }
  if (warnings.length === 0 && network.family === 6 && canonical !== value) {
    warnings.push(
      `${path}: IPv6 CIDR value ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(canonical)})`,
    );
  }
  return warnings;
}

function isLoopback({ family, value }: IpAddress): boolean {
  return family === 4 ? value >> 24n === 127n : value === 1n;
}

/** Compares the first 16 bits of an IPv4 address, or the first 10 of an IPv6 address. */
function inPrefix({ family, value }: IpAddress, v4: bigint, v6: bigint): boolean {
  return family === 4 ? value >> 16n === v4 : value >> 118n === v6;
}

function isLinkLocalMulticast({ family, value }: IpAddress): boolean {
  // Go looks at the scope nibble only: ff02, ff12, ff22 … are all link-local.
  return family === 4
    ? value >> 8n === 0xe00000n
    : value >> 120n === 0xffn && ((value >> 112n) & 0xfn) === 2n;
}
