import { goQuote } from '../../go/quote.ts';
import { formatIP } from '../../validation/ip.ts';
import { boolType, intType, stringType } from '../types.ts';
import { CelFault, CelOpaque, type CelValue } from '../values/value.ts';
import { define, type FunctionDecl, global, member } from './function.ts';
import {
  AddressError,
  isMapped,
  maskBytes,
  type NetAddress,
  type NetPrefix,
  parseAddress,
  parsePrefix,
} from './net-address.ts';
import { cidrType, ipType } from './opaque-types.ts';
import { NO_OVERLOAD } from './operators.ts';

const sameBytes = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

/** An IP address. */
export class CelIP extends CelOpaque {
  readonly typeName = 'net.IP';
  readonly bytes: readonly number[];

  constructor(bytes: readonly number[]) {
    super();
    this.bytes = bytes;
  }

  override get size(): number {
    return this.bytes.length;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelIP && sameBytes(this.bytes, other.bytes);
  }

  get isIPv4(): boolean {
    return this.bytes.length === 4;
  }

  override toString(): string {
    return formatIP({ bytes: this.bytes, isIPv4: this.isIPv4, hasLeadingZeros: false });
  }
}

/** A range of IP addresses. */
export class CelCIDR extends CelOpaque {
  readonly typeName = 'net.CIDR';
  readonly ip: CelIP;
  readonly bits: number;

  constructor(ip: CelIP, bits: number) {
    super();
    this.ip = ip;
    this.bits = bits;
  }

  override get size(): number {
    return Math.ceil(this.bits / 8);
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelCIDR && this.bits === other.bits && this.ip.equals(other.ip);
  }

  contains(ip: CelIP): boolean {
    const { bytes } = this.ip;
    return (
      bytes.length === ip.bytes.length &&
      sameBytes(maskBytes(bytes, this.bits), maskBytes(ip.bytes, this.bits))
    );
  }

  override toString(): string {
    return `${this.ip}/${this.bits}`;
  }
}

function readIP(text: string): CelIP | CelFault {
  let address: NetAddress;
  try {
    address = parseAddress(text);
  } catch (err) {
    if (!(err instanceof AddressError)) throw err;
    return new CelFault(
      `IP Address ${goQuote(text)} parse error during conversion from string: ${err.message}`,
    );
  }
  if (address.zone !== '') {
    return new CelFault(`IP address ${goQuote(text)} with zone value is not allowed`);
  }
  if (isMapped(address)) {
    return new CelFault(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  }
  return new CelIP(address.bytes);
}

const CONVERSION = 'network address parse error during conversion from string: ';

function readCIDR(text: string): CelCIDR | CelFault {
  let prefix: NetPrefix;
  try {
    prefix = parsePrefix(text);
  } catch (err) {
    if (!(err instanceof AddressError)) throw err;
    return new CelFault(`${CONVERSION}${CONVERSION}${err.message}`);
  }
  if (isMapped(prefix.address)) {
    return new CelFault(`${CONVERSION}IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  }
  return new CelCIDR(new CelIP(prefix.address.bytes), prefix.bits);
}

const isUnspecified = ({ bytes }: CelIP): boolean => bytes.every((byte) => byte === 0);

const isLoopback = ({ bytes, isIPv4 }: CelIP): boolean =>
  isIPv4 ? bytes[0] === 127 : bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1;

const isLinkLocalMulticast = ({ bytes: [a, b, c], isIPv4 }: CelIP): boolean =>
  isIPv4 ? a === 224 && b === 0 && c === 0 : a === 0xff && ((b ?? 0) & 0x0f) === 0x02;

const isLinkLocalUnicast = ({ bytes: [a, b], isIPv4 }: CelIP): boolean =>
  isIPv4 ? a === 169 && b === 254 : a === 0xfe && ((b ?? 0) & 0xc0) === 0x80;

function isGlobalUnicast(ip: CelIP): boolean {
  const [first = 0] = ip.bytes;
  const isMulticast = ip.isIPv4 ? (first & 0xf0) === 0xe0 : first === 0xff;
  const isBroadcast = ip.isIPv4 && ip.bytes.every((byte) => byte === 255);
  return (
    !isBroadcast && !isUnspecified(ip) && !isLoopback(ip) && !isMulticast && !isLinkLocalUnicast(ip)
  );
}

const test = (name: string, id: string, call: (ip: CelIP) => boolean): FunctionDecl =>
  define(name, member(id, { args: [ipType], result: boolType, call }));

/** Upstream loses the reason where a text is no address. */
const containsIP = (cidr: CelCIDR, ip: CelIP | CelFault): CelValue =>
  ip instanceof CelFault ? NO_OVERLOAD : cidr.contains(ip);

const containsCIDR = (cidr: CelCIDR, other: CelCIDR | CelFault): CelValue => {
  if (other instanceof CelFault) return other;
  return cidr.bits <= other.bits && cidr.contains(other.ip);
};

/** Kubernetes' libraries of IP addresses and their ranges. */
export const ipFunctions: readonly FunctionDecl[] = [
  define(
    'ip',
    global('string_to_ip', { args: [stringType], result: ipType, call: readIP }),
    member('cidr_ip', { args: [cidrType], result: ipType, call: (cidr: CelCIDR) => cidr.ip }),
  ),
  define(
    'isIP',
    global('is_ip', {
      args: [stringType],
      result: boolType,
      call: (text: string) => readIP(text) instanceof CelIP,
    }),
  ),
  define(
    'ip.isCanonical',
    global('ip_is_canonical', {
      args: [stringType],
      result: boolType,
      call: (text: string) => {
        const ip = readIP(text);
        return ip instanceof CelFault ? ip : String(ip) === text;
      },
    }),
  ),
  define(
    'family',
    member('ip_family', {
      args: [ipType],
      result: intType,
      call: (ip: CelIP) => (ip.isIPv4 ? 4n : 6n),
    }),
  ),
  test('isUnspecified', 'ip_is_unspecified', isUnspecified),
  test('isLoopback', 'ip_is_loopback', isLoopback),
  test('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
  test('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
  test('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
  define(
    'string',
    global('ip_to_string', { args: [ipType], result: stringType, call: (ip: CelIP) => `${ip}` }),
    global('cidr_to_string', {
      args: [cidrType],
      result: stringType,
      call: (cidr: CelCIDR) => `${cidr}`,
    }),
  ),
  define(
    'cidr',
    global('string_to_cidr', { args: [stringType], result: cidrType, call: readCIDR }),
  ),
  define(
    'isCIDR',
    global('is_cidr', {
      args: [stringType],
      result: boolType,
      call: (text: string) => readCIDR(text) instanceof CelCIDR,
    }),
  ),
  define(
    'containsIP',
    member('cidr_contains_ip_string', {
      args: [cidrType, stringType],
      result: boolType,
      call: (cidr: CelCIDR, text: string) => containsIP(cidr, readIP(text)),
    }),
    member('cidr_contains_ip_ip', { args: [cidrType, ipType], result: boolType, call: containsIP }),
  ),
  define(
    'containsCIDR',
    member('cidr_contains_cidr_string', {
      args: [cidrType, stringType],
      result: boolType,
      call: (cidr: CelCIDR, text: string) => containsCIDR(cidr, readCIDR(text)),
    }),
    member('cidr_contains_cidr', {
      args: [cidrType, cidrType],
      result: boolType,
      call: containsCIDR,
    }),
  ),
  define(
    'prefixLength',
    member('cidr_prefix_length', {
      args: [cidrType],
      result: intType,
      call: (cidr: CelCIDR) => BigInt(cidr.bits),
    }),
  ),
  define(
    'masked',
    member('cidr_masked', {
      args: [cidrType],
      result: cidrType,
      call: ({ ip, bits }: CelCIDR) => new CelCIDR(new CelIP(maskBytes(ip.bytes, bits)), bits),
    }),
  ),
];
