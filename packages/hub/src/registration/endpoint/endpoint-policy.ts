import { domainToASCII } from 'node:url';
import { hostOf } from '../../cluster-secret/cluster-endpoint.ts';
import {
  type AddressSet,
  addressValue,
  holdsAddress,
  meantAddresses,
  parseAddressSet,
} from './address-set.ts';

/** Which addresses the hub may be made to dial by whoever may register clusters. */
export interface EndpointPolicy {
  /**
   * Addresses (`10.1.2.3`), ranges (`10.0.0.0/8`), names (`api.example.com`) and domains (`*.example.com`) that are allowed
   * where a wider entry of `deny`, or the list of what is never a member, would refuse them.
   */
  readonly allow: readonly string[];
  /** The same, refused. Of two entries the narrower counts, and of two as narrow the one here. */
  readonly deny: readonly string[];
  /** For hubs that are themselves on loopback only, whose neighbours are their members. */
  readonly allowsLoopback: boolean;
}

/** Finds the addresses of a host; none where it is not known. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** What is never a member: this machine, this link, and what clouds tell their machines about themselves. */
const NEVER = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  '224.0.0.0/4',
  '255.255.255.255',
  '::',
  'fe80::/10',
  'ff00::/8',
  'fd00:ec2::254',
  'fd20:ce::254',
].map(addressSetOf);

const LOOPBACK = ['127.0.0.0/8', '::1'].map(addressSetOf);

/** The hub's own API server, as every pod knows it. */
const OWN_SERVER = /^kubernetes(\.default(\.svc(\..+)?)?)?$/;

/** A policy, read once. */
interface Verdicts {
  readonly address: (ip: string) => boolean;
  readonly name: (host: string) => boolean;
}

/** The test for the moment of dialling, when a name may have another address than it had at the check. */
export function addressCheck(policy: EndpointPolicy): (ip: string) => boolean {
  return verdictsOf(policy).address;
}

/**
 * What is wrong with making the hub dial a URL, the endpoint or the proxy of a member; undefined when nothing. Names are
 * looked up, and each of their addresses counts. A name without addresses is left to whoever dials it.
 */
export async function checkEndpoint(
  url: string,
  policy: EndpointPolicy,
  resolveHost: ResolveHost,
): Promise<string | undefined> {
  const verdicts = verdictsOf(policy);
  const host = hostOf(url).toLowerCase().replace(/\.$/, '');
  if (addressValue(host) !== undefined) {
    return verdicts.address(host) ? undefined : refusal(host, 'its address is');
  }
  if (!verdicts.name(host)) return refusal(host, 'it is');
  const isLoopback = host === 'localhost' || host.endsWith('.localhost');
  const addresses = isLoopback ? ['127.0.0.1'] : await resolveHost(host);
  const refused = addresses.find((address) => !verdicts.address(address));
  return refused === undefined
    ? undefined
    : refusal(host, `it has the address ${refused}, which is`);
}

/** Entries of a policy that are neither addresses nor ranges nor names, for whoever reads it from a file or a flag. */
export function endpointPolicyProblems({ allow, deny }: EndpointPolicy): string[] {
  return [...allow, ...deny]
    .filter((entry) => parseAddressSet(entry) === undefined && namePattern(entry) === undefined)
    .map(
      (entry) =>
        `Cannot use "${entry}" in the endpoint policy: it is not an address, a range such as 10.0.0.0/8, a name or a domain such as *.example.com`,
    );
}

function refusal(host: string, state: string): string {
  return `Cannot use "${host}" as an endpoint: ${state} not one that this hub may dial; an administrator can allow it in the endpoint policy`;
}

const READ = new WeakMap<EndpointPolicy, Verdicts>();

function verdictsOf(policy: EndpointPolicy): Verdicts {
  const known = READ.get(policy);
  if (known !== undefined) return known;
  const verdicts = readPolicy(policy);
  READ.set(policy, verdicts);
  return verdicts;
}

function readPolicy({ allow, deny, allowsLoopback }: EndpointPolicy): Verdicts {
  const sets = (entries: readonly string[]) =>
    entries.map(parseAddressSet).filter((set) => set !== undefined);
  const names = (entries: readonly string[]) =>
    entries.map(namePattern).filter((pattern) => pattern !== undefined);
  const addresses = { allow: sets(allow), deny: sets(deny) };
  const hosts = { allow: names(allow), deny: names(deny) };
  const never = allowsLoopback ? NEVER : [...NEVER, ...LOOPBACK];
  const isAllowed = (value: bigint): boolean => {
    const allowedBy = narrowest(addresses.allow, value);
    const deniedBy = narrowest(addresses.deny, value);
    if (deniedBy >= 0 && deniedBy >= allowedBy) return false;
    return narrowest(never, value) <= allowedBy;
  };
  return {
    address: (ip) => {
      const value = addressValue(ip);
      return value !== undefined && meantAddresses(value).every(isAllowed);
    },
    name: (host) => {
      const ascii = domainToASCII(host) || host;
      const allowedBy = longest(hosts.allow, ascii);
      const deniedBy = longest(hosts.deny, ascii);
      if (deniedBy >= 0 || allowedBy >= 0) return allowedBy > deniedBy;
      return !OWN_SERVER.test(ascii);
    },
  };
}

/** The bits of the narrowest set that holds the address; negative when none does. */
function narrowest(sets: readonly AddressSet[], value: bigint): number {
  return sets.reduce(
    (bits, set) => (holdsAddress(set, value) ? Math.max(bits, set.bits) : bits),
    -1,
  );
}

interface NamePattern {
  readonly name: string;
  readonly isDomain: boolean;
}

function namePattern(entry: string): NamePattern | undefined {
  const isDomain = entry.startsWith('*.');
  const name = domainToASCII(isDomain ? entry.slice(2) : entry).replace(/\.$/, '');
  if (!/^(?=.*[a-z])[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name)) return undefined;
  return { name, isDomain };
}

/** How narrow the narrowest pattern for the host is; a name is narrower than any domain. */
function longest(patterns: readonly NamePattern[], host: string): number {
  return patterns.reduce((length, { name, isDomain }) => {
    if (!isDomain) return name === host ? Number.POSITIVE_INFINITY : length;
    return host.endsWith(`.${name}`) ? Math.max(length, name.length) : length;
  }, -1);
}

function addressSetOf(text: string): AddressSet {
  const set = parseAddressSet(text);
  if (set === undefined) throw new TypeError(`Cannot read "${text}": it is not an address`);
  return set;
}
