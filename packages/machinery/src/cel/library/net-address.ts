import { goQuote } from '../../go/quote.ts';

/** An address that is not one; the message is Go's. */
export class AddressError extends Error {}

/** An IP address as Go's netip reads it, which is stricter than older parts of Kubernetes. */
export interface NetAddress {
  /** 4 bytes, or 16. */
  readonly bytes: readonly number[];
  readonly zone: string;
}

/** Reads an address. */
export function parseAddress(text: string): NetAddress {
  const fail = (message: string, at = ''): AddressError => {
    const place = at === '' ? '' : ` (at ${goQuote(at)})`;
    return new AddressError(`ParseAddr(${goQuote(text)}): ${message}${place}`);
  };
  const first = /[.:%]/.exec(text)?.[0];
  if (first === '.') return { bytes: readIPv4(text, fail), zone: '' };
  if (first === ':') return readIPv6(text, fail);
  throw fail(first === '%' ? 'missing IPv6 address' : 'unable to parse IP');
}

type Fail = (message: string, at?: string) => AddressError;

function readIPv4(text: string, fail: Fail): number[] {
  const bytes: number[] = [];
  let digits = '';
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (/\d/.test(character)) {
      if (digits === '0') throw fail('IPv4 field has octet with leading zero');
      digits += character;
      if (Number(digits) > 255) throw fail('IPv4 field has value >255');
    } else if (character === '.') {
      if (digits === '' || i === text.length - 1) {
        throw fail('IPv4 field must have at least one digit', text.slice(i));
      }
      if (bytes.length === 3) throw fail('IPv4 address too long');
      bytes.push(Number(digits));
      digits = '';
    } else {
      throw fail('unexpected character', text.slice(i));
    }
  }
  if (bytes.length < 3) throw fail('IPv4 address too short');
  return [...bytes, Number(digits)];
}

function readIPv6(text: string, fail: Fail): NetAddress {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') throw fail('zone must be a non-empty string');
  let rest = percent < 0 ? text : text.slice(0, percent);
  const bytes: number[] = [];
  let ellipsis = -1;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
    if (rest === '') return { bytes: Array.from({ length: 16 }, () => 0), zone };
  }
  while (bytes.length < 16) {
    const group = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (group.length > 4) throw fail('each group must have 4 or less digits', rest);
    if (group === '') {
      throw fail('each colon-separated field must have at least one digit', rest);
    }
    if (rest[group.length] === '.') {
      bytes.push(...embeddedIPv4(rest, { count: bytes.length, ellipsis, fail }));
      rest = '';
      break;
    }
    const value = Number.parseInt(group, 16);
    bytes.push(value >> 8, value & 0xff);
    rest = rest.slice(group.length);
    if (rest === '') break;
    if (rest[0] !== ':') throw fail('unexpected character, want colon', rest);
    if (rest.length === 1) throw fail('colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest[0] === ':') {
      if (ellipsis >= 0) throw fail('multiple :: in address', rest);
      ellipsis = bytes.length;
      rest = rest.slice(1);
      if (rest === '') break;
    }
  }
  if (rest !== '') throw fail('trailing garbage after address', rest);
  if (bytes.length === 16) {
    if (ellipsis >= 0) throw fail('the :: must expand to at least one field of zeros');
    return { bytes, zone };
  }
  if (ellipsis < 0) throw fail('address string too short');
  const zeros = Array.from({ length: 16 - bytes.length }, () => 0);
  return { bytes: [...bytes.slice(0, ellipsis), ...zeros, ...bytes.slice(ellipsis)], zone };
}

function embeddedIPv4(
  rest: string,
  { count, ellipsis, fail }: { count: number; ellipsis: number; fail: Fail },
): number[] {
  if (ellipsis < 0 && count !== 12) {
    throw fail('embedded IPv4 address must replace the final 2 fields of the address', rest);
  }
  if (count + 4 > 16) {
    throw fail('too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  }
  return readIPv4(rest, fail);
}

/** A range of addresses as it was written. */
export interface NetPrefix {
  readonly address: NetAddress;
  readonly bits: number;
}

/** Reads `address/bits`. */
export function parsePrefix(text: string): NetPrefix {
  const fail = (message: string) =>
    new AddressError(`netip.ParsePrefix(${goQuote(text)}): ${message}`);
  const slash = text.lastIndexOf('/');
  if (slash < 0) throw fail("no '/'");
  let address: NetAddress;
  try {
    address = parseAddress(text.slice(0, slash));
  } catch (err) {
    throw fail(err instanceof AddressError ? err.message : String(err));
  }
  if (address.zone !== '') throw fail('IPv6 zones cannot be present in a prefix');
  const bits = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d*)$/.test(bits)) throw fail(`bad bits after slash: ${goQuote(bits)}`);
  if (Number(bits) > address.bytes.length * 8) throw fail('prefix length out of range');
  return { address, bits: Number(bits) };
}

/** Whether an IPv6 address only wraps an IPv4 address. */
export function isMapped({ bytes }: NetAddress): boolean {
  if (bytes.length !== 16) return false;
  return bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
}

/** The bytes with all but the first bits cleared. */
export function maskBytes(bytes: readonly number[], bits: number): number[] {
  return bytes.map((byte, i) => {
    const kept = Math.min(Math.max(bits - i * 8, 0), 8);
    return byte & (0xff << (8 - kept)) & 0xff;
  });
}
