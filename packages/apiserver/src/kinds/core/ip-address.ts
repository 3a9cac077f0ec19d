/** IP addresses and networks as numbers, read as leniently as the API's older fields allow. */

const V4_BITS = 32;
const V6_BITS = 128;
const MAPPED_PREFIX = 0xffffn << 32n;

/** One address. IPv4-mapped IPv6 addresses count as IPv4, as they do upstream. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** Written in a way newer fields refuse: leading zeros, or IPv4 inside IPv6. */
  readonly sloppy: boolean;
}

/** A network, and the address it was written with. */
export interface IpNetwork {
  readonly family: 4 | 6;
  /** The address as written, host bits included. */
  readonly address: bigint;
  /** The address with the host bits cleared. */
  readonly base: bigint;
  readonly bits: number;
  /** Written in a way newer fields refuse. */
  readonly sloppy: boolean;
}

/** Reads an address; leading zeros in IPv4 are allowed. Undefined when it is none. */
export function parseIp(text: string): IpAddress | undefined {
  return text.includes(':') ? parseV6(text) : parseV4(text);
}

/** The address in canonical form: dotted, or RFC 5952. */
export function formatIp(address: { family: 4 | 6; value: bigint }): string {
  return address.family === 4 ? formatV4(address.value) : formatV6(address.value);
}

/** Reads `address/bits`. Undefined when it is none. */
export function parseCidr(text: string): IpNetwork | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const host = text.slice(0, slash);
  const length = text.slice(slash + 1);
  const address = parseIp(host);
  if (address === undefined || !/^\d+$/.test(length)) return undefined;
  const written = Number(length);
  const mapped = address.family === 4 && host.includes(':');
  if (written > (address.family === 4 && !mapped ? V4_BITS : V6_BITS)) return undefined;
  const bits = mapped ? Math.max(written - (V6_BITS - V4_BITS), 0) : written;
  const shift = BigInt((address.family === 4 ? V4_BITS : V6_BITS) - bits);
  return {
    family: address.family,
    address: address.value,
    base: (address.value >> shift) << shift,
    bits,
    sloppy: address.sloppy || (length.length > 1 && length.startsWith('0')),
  };
}

/** The network in canonical form, without host bits. */
export function formatCidr(network: IpNetwork): string {
  return `${formatIp({ family: network.family, value: network.base })}/${network.bits}`;
}

/** True when the address lies in the network. */
export function networkContains(
  network: IpNetwork,
  address: { family: 4 | 6; value: bigint },
): boolean {
  if (address.family !== network.family) return false;
  const shift = BigInt((network.family === 4 ? V4_BITS : V6_BITS) - network.bits);
  return address.value >> shift === network.base >> shift;
}

/** True for an IPv6 address, and not for anything else. */
export function isIpv6(text: string): boolean {
  return parseIp(text)?.family === 6;
}

function parseV4(text: string): IpAddress | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0n;
  let sloppy = false;
  for (const part of parts) {
    if (!/^\d+$/.test(part)) return undefined;
    const octet = Number(part);
    if (octet > 255) return undefined;
    if (part.length > 1 && part.startsWith('0')) sloppy = true;
    value = (value << 8n) | BigInt(octet);
  }
  return { family: 4, value, sloppy };
}

function parseV6(text: string): IpAddress | undefined {
  const groups = expandV6(text);
  if (groups === undefined) return undefined;
  let value = 0n;
  for (const group of groups) value = (value << 16n) | BigInt(group);
  if (value >> 32n === MAPPED_PREFIX >> 32n) {
    return { family: 4, value: value & 0xffffffffn, sloppy: true };
  }
  return { family: 6, value, sloppy: false };
}

/** The eight groups of an IPv6 address, `::` filled in and a dotted tail turned into two groups. */
function expandV6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = readGroups(halves[0] ?? '', halves.length === 1);
  const tail = readGroups(halves[1] ?? '', true);
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1) return missing === 0 ? head : undefined;
  return missing < 1 ? undefined : [...head, ...Array<number>(missing).fill(0), ...tail];
}

/** Only the end of an address may be dotted. */
function readGroups(text: string, mayBeDotted: boolean): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (mayBeDotted && part.includes('.') && index === parts.length - 1) {
      const dotted = parseV4(part);
      if (dotted === undefined) return undefined;
      groups.push(Number(dotted.value >> 16n), Number(dotted.value & 0xffffn));
      continue;
    }
    if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return undefined;
    groups.push(Number.parseInt(part, 16));
  }
  return groups;
}

function formatV4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');
}

function formatV6(value: bigint): string {
  const groups: string[] = [];
  for (let shift = 112n; shift >= 0n; shift -= 16n) {
    groups.push(((value >> shift) & 0xffffn).toString(16));
  }
  const zeros = longestZeroRun(groups);
  if (zeros.length < 2) return groups.join(':');
  const head = groups.slice(0, zeros.start).join(':');
  return `${head}::${groups.slice(zeros.start + zeros.length).join(':')}`;
}

function longestZeroRun(groups: readonly string[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === '0') length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}
