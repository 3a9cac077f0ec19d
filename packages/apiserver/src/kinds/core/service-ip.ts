import { formatIp, type IpNetwork, networkContains, parseCidr, parseIp } from './ip-address.ts';

/** What an allocator gives out, or why it gives nothing, in upstream's words. */
export type Allocation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

/** The node ports a server gives out unless told otherwise. */
export const DEFAULT_NODE_PORTS: PortRange = { first: 30000, last: 32767 };

/** An inclusive range of ports. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** How addresses and ports are chosen when none is wanted; always 0 gives the lowest free one. */
type Choose = () => number;

/**
 * One address of the Service network: the wanted one, or any free one.
 *
 * Addresses nobody asked for come from the upper part of the network as long as it lasts, so that the lower part
 * stays free for those who choose theirs.
 */
export function allocateClusterIP(options: {
  readonly cidr: string;
  /** Addresses in use, in canonical form. */
  readonly taken: { has(ip: string): boolean };
  readonly wanted?: string;
  /** A number in [0, 1) that says where to start looking. @default 0 */
  readonly random?: Choose;
}): Allocation<string> {
  const network = parseCidr(options.cidr);
  if (network === undefined) throw new Error(`Cannot allocate from "${options.cidr}": no network`);
  const range = hostRange(network);
  if (options.wanted !== undefined && options.wanted !== '') {
    return claimIp(options.wanted, { network, range, taken: options.taken });
  }
  const size = Number(range.last - range.first) + 1;
  const found = findFree({
    size,
    reserved: reservedIps(network),
    random: options.random,
    isTaken: (offset) =>
      options.taken.has(formatIp({ family: network.family, value: range.first + BigInt(offset) })),
  });
  if (found === undefined) return { ok: false, error: 'range is full' };
  return {
    ok: true,
    value: formatIp({ family: network.family, value: range.first + BigInt(found) }),
  };
}

/** One port of every node: the wanted one, or any free one, from the upper part of the range first. */
export function allocateNodePort(options: {
  /** @default 30000-32767 */
  readonly range?: PortRange;
  readonly taken: { has(port: number): boolean };
  readonly wanted?: number;
  /** A number in [0, 1) that says where to start looking. @default 0 */
  readonly random?: Choose;
}): Allocation<number> {
  const { first, last } = options.range ?? DEFAULT_NODE_PORTS;
  const { wanted } = options;
  if (wanted !== undefined && wanted !== 0) {
    if (wanted < first || wanted > last) {
      return {
        ok: false,
        error: `provided port is not in the valid range. The range of valid ports is ${first}-${last}`,
      };
    }
    return options.taken.has(wanted)
      ? { ok: false, error: 'provided port is already allocated' }
      : { ok: true, value: wanted };
  }
  const found = findFree({
    size: last - first + 1,
    reserved: reservedPorts(last - first + 1),
    random: options.random,
    isTaken: (offset) => options.taken.has(first + offset),
  });
  return found === undefined
    ? { ok: false, error: 'range is full' }
    : { ok: true, value: first + found };
}

interface HostRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** Every address but that of the network itself and, for IPv4, the broadcast address. */
function hostRange(network: IpNetwork): HostRange {
  const hostBits = BigInt((network.family === 4 ? 32 : 128) - network.bits);
  const end = network.base + (1n << hostBits) - 1n;
  return { first: network.base + 1n, last: network.family === 4 ? end - 1n : end };
}

function claimIp(
  wanted: string,
  pool: { network: IpNetwork; range: HostRange; taken: { has(ip: string): boolean } },
): Allocation<string> {
  const address = parseIp(wanted);
  const isHost =
    address !== undefined &&
    networkContains(pool.network, address) &&
    address.value >= pool.range.first &&
    address.value <= pool.range.last;
  if (!isHost) {
    return { ok: false, error: 'the provided network does not match the current range' };
  }
  const canonical = formatIp(address);
  return pool.taken.has(canonical)
    ? { ok: false, error: 'provided IP is already allocated' }
    : { ok: true, value: canonical };
}

/** Looks through the upper part first, from a chosen start; then through the part reserved for wishes. */
function findFree(options: {
  size: number;
  reserved: number;
  random: Choose | undefined;
  isTaken: (offset: number) => boolean;
}): number | undefined {
  const { size, reserved, isTaken } = options;
  const bands: readonly [number, number][] = [
    [reserved, size],
    [0, reserved],
  ];
  for (const [low, high] of bands) {
    const length = high - low;
    if (length <= 0) continue;
    const start = Math.floor((options.random?.() ?? 0) * length);
    for (let step = 0; step < length; step++) {
      const offset = low + ((start + step) % length);
      if (!isTaken(offset)) return offset;
    }
  }
  return undefined;
}

/** min(max(16, size/16), 256), or nothing in tiny networks. */
function reservedIps(network: IpNetwork): number {
  const size = 2 ** ((network.family === 4 ? 32 : 128) - network.bits);
  return size <= 16 ? 0 : Math.min(Math.max(16, Math.floor(size / 16)), 256);
}

/** min(max(16, size/32), 128), or nothing in tiny ranges. */
function reservedPorts(size: number): number {
  return size <= 16 ? 0 : Math.min(Math.max(16, Math.floor(size / 32)), 128);
}
