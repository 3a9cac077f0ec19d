import { isIP } from 'node:net';

/** A set of addresses: one, or all that begin alike. */
export interface AddressSet {
  /** Of IPv6; what is IPv4 counts as its mapped form, so that both are compared in one way. */
  readonly network: bigint;
  /** How many of the 128 bits count. */
  readonly bits: number;
}

const BITS = 128;
const MAPPED = 0xffffn << 32n;

/** Reads an address or a range such as `10.0.0.0/8`; undefined for what is neither. */
export function parseAddressSet(text: string): AddressSet | undefined {
  const [, address = '', length] = /^([0-9a-fA-F:.]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const value = addressValue(address);
  if (value === undefined) return undefined;
  const offset = isIP(address) === 4 ? 96 : 0;
  const bits = length === undefined ? BITS : Number(length) + offset;
  return bits > BITS ? undefined : { network: masked(value, bits), bits };
}

/** Whether the set holds the address. */
export function holdsAddress({ network, bits }: AddressSet, value: bigint): boolean {
  return masked(value, bits) === network;
}

/** An address as a number of 128 bits; undefined for what is none. Zones (`fe80::1%eth0`) do not count. */
export function addressValue(text: string): bigint | undefined {
  const address = text.replace(/%.*$/, '');
  const family = isIP(address);
  if (family === 4) return MAPPED | ipv4Value(address);
  return family === 6 ? ipv6Value(address) : undefined;
}

/**
 * The address, and the IPv4 addresses that it may stand for on the way: whoever translates between the two would carry a
 * request to `64:ff9b::a9fe:a9fe` to 169.254.169.254.
 */
export function meantAddresses(value: bigint): bigint[] {
  const low = value & 0xffffffffn;
  const inner: bigint[] = [];
  // NAT64 (RFC 6052, RFC 8215) and addresses that are IPv4 with zeros before them (RFC 4291).
  if (value >> 32n === 0x64ff9bn << 64n) inner.push(low);
  if (value >> 80n === 0x64ff9b0001n) inner.push(low);
  if (value >> 32n === 0n && low > 1n) inner.push(low);
  // 6to4 (RFC 3056) has the address behind its first 16 bits.
  if (value >> 112n === 0x2002n) inner.push((value >> 80n) & 0xffffffffn);
  return [value, ...inner.map((address) => MAPPED | address)];
}

function masked(value: bigint, bits: number): bigint {
  const rest = BigInt(BITS - bits);
  return (value >> rest) << rest;
}

function ipv4Value(address: string): bigint {
  return address.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function ipv6Value(address: string): bigint {
  const [head = '', tail] = address.split('::');
  const first = groupsOf(head);
  const last = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => 0n);
  return [...first, ...zeros, ...last].reduce((value, group) => (value << 16n) | group, 0n);
}

/** Groups of 16 bits; an IPv4 address at the end makes two of them. */
function groupsOf(text: string): bigint[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)];
    const value = ipv4Value(group);
    return [value >> 16n, value & 0xffffn];
  });
}
