/** An IP address: 4 bytes, or 16. */
export interface IpAddress {
  readonly bytes: readonly number[];
  /** Whether it was written in IPv4 form. */
  readonly isIPv4: boolean;
  /** Whether an IPv4 part was written with leading zeros, which some programs read as octal. */
  readonly hasLeadingZeros: boolean;
}

/** A range of addresses, as written: the address need not be the first of the range. */
export interface Cidr {
  readonly address: IpAddress;
  readonly prefix: number;
  /** Whether the prefix length was written with leading zeros. */
  readonly hasLeadingZeros: boolean;
}

/** Reads an address as old fields of Kubernetes do: leading zeros in IPv4 are ignored. */
export function parseIP(text: string): IpAddress | undefined {
  const first = /[.:]/.exec(text)?.[0];
  if (first === '.') return parseIPv4(text);
  return first === ':' ? parseIPv6(text) : undefined;
}

/** Reads `address/length`, leading zeros allowed in both. */
export function parseCIDR(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const written = text.slice(0, slash);
  const address = parseIPv4(written) ?? parseIPv6(written);
  const length = text.slice(slash + 1);
  if (address === undefined || !/^[0-9]{1,100}$/.test(length)) return undefined;
  const prefix = Number(length);
  if (prefix > address.bytes.length * 8) return undefined;
  return { address, prefix, hasLeadingZeros: /^0[0-9]/.test(length) };
}

/** An address in its canonical form; IPv4 inside IPv6 is written as IPv4, as Go does. */
export function formatIP(address: IpAddress): string {
  const embedded = isMapped(address) ? address.bytes.slice(12) : undefined;
  if (address.isIPv4 || embedded) return (embedded ?? address.bytes).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => groupAt(address.bytes, i));
  return compressGroups(groups);
}

/** Whether an IPv6 address only wraps an IPv4 address. */
export function isMapped({ bytes, isIPv4 }: IpAddress): boolean {
  if (isIPv4) return false;
  return bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
}

/** The address with all bits after the first `prefix` cleared. */
export function maskIP(address: IpAddress, prefix: number): IpAddress {
  const bytes = address.bytes.map((byte, i) => {
    const kept = Math.min(Math.max(prefix - i * 8, 0), 8);
    return byte & ((0xff << (8 - kept)) & 0xff);
  });
  return { ...address, bytes };
}

/** Whether two addresses are the same bytes. */
export function equalIP(a: IpAddress, b: IpAddress): boolean {
  return a.bytes.length === b.bytes.length && a.bytes.every((byte, i) => byte === b.bytes[i]);
}

function parseIPv4(text: string): IpAddress | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  const bytes: number[] = [];
  for (const part of parts) {
    if (!/^[0-9]{1,100}$/.test(part) || Number(part) > 255) return undefined;
    bytes.push(Number(part));
  }
  return { bytes, isIPv4: true, hasLeadingZeros: parts.some((part) => /^0[0-9]/.test(part)) };
}

function parseIPv6(text: string): IpAddress | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = readGroups(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? readGroups(halves[1] ?? '', true) : EMPTY;
  if (head === undefined || tail === undefined) return undefined;
  const missing = 16 - head.bytes.length - tail.bytes.length;
  // A double colon stands for at least one group; without it all must be there.
  if (halves.length === 2 ? missing < 2 : missing !== 0) return undefined;
  const bytes = [...head.bytes, ...Array.from({ length: missing }, () => 0), ...tail.bytes];
  return { bytes, isIPv4: false, hasLeadingZeros: tail.hasLeadingZeros || head.hasLeadingZeros };
}

interface Groups {
  readonly bytes: number[];
  readonly hasLeadingZeros: boolean;
}

const EMPTY: Groups = { bytes: [], hasLeadingZeros: false };

/** Groups of four hex digits; the last may be an IPv4 address when nothing follows. */
function readGroups(text: string, isLast: boolean): Groups | undefined {
  if (text === '') return EMPTY;
  const parts = text.split(':');
  const bytes: number[] = [];
  let hasLeadingZeros = false;
  for (const [index, part] of parts.entries()) {
    if (part.includes('.')) {
      const embedded = isLast && index === parts.length - 1 ? parseIPv4(part) : undefined;
      if (embedded === undefined) return undefined;
      bytes.push(...embedded.bytes);
      hasLeadingZeros ||= embedded.hasLeadingZeros;
    } else {
      // More than four digits are fine as long as the value is small, to sloppy readers.
      if (!/^0*[0-9a-fA-F]{1,4}$/.test(part)) return undefined;
      hasLeadingZeros ||= part.length > 4;
      const value = Number.parseInt(part, 16);
      bytes.push(value >> 8, value & 0xff);
    }
  }
  return { bytes, hasLeadingZeros };
}

function groupAt(bytes: readonly number[], index: number): number {
  return ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0);
}

/** RFC 5952: the longest run of two or more zero groups, the first of equals, becomes a double colon. */
function compressGroups(groups: readonly number[]): string {
  let best = { start: -1, length: 1 };
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === 0) end++;
    if (end - start > best.length) best = { start, length: end - start };
  }
  const text = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':');
  if (best.start < 0) return text(groups);
  return `${text(groups.slice(0, best.start))}::${text(groups.slice(best.start + best.length))}`;
}
