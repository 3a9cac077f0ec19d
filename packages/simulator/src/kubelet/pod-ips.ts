import type { Pod } from '../kinds.ts';

/** Addresses a node gives out: `10.244.N.2` to `10.244.N.254`, N being the number of the node. */
export function podCidr(nodeNumber: number): string {
  return `10.244.${nodeNumber % 256}.0/24`;
}

/**
 * The lowest address of a node that none of its pods has. `given` are those handed out in passes that have not written
 * them yet.
 */
export function freePodIP(cidr: string, pods: readonly Pod[], given: ReadonlySet<string>): string {
  const prefix = cidr.replace(/\.0\/24$/, '');
  const taken = new Set(pods.map(({ status }) => status?.podIP));
  for (let host = 2; host < 255; host++) {
    const address = `${prefix}.${host}`;
    if (!taken.has(address) && !given.has(address)) return address;
  }
  // More pods than a node may have: two of them share an address, which nobody dials.
  return `${prefix}.254`;
}
