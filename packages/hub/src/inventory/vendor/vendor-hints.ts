import { hostOf } from '../../cluster-secret/cluster-endpoint.ts';
import { VENDOR_PREFIX } from '../names.ts';
import { type Detected, detectFromHost, detectFromProviderId } from './detect-vendor.ts';
import { type Location, VENDORS, type Vendor, vendorNamed } from './vendors.ts';

/** Where a cluster runs, from what people said and what can be seen. */
export interface VendorHints {
  readonly vendor: Vendor | undefined;
  /** The vendor in people's words where it is none that we know. */
  readonly otherVendor: string | undefined;
  readonly platform: string | undefined;
  readonly location: Location;
  /** The labels without which we cannot say how to sign in. */
  readonly missing: readonly string[];
}

type Marks = Readonly<Record<string, string>> | undefined;

const PLACES = ['region', 'cluster-name', 'project', 'resource-group'] as const;

/** What the plugins of all vendors have to be told. */
const REQUIRED = ['region', 'cluster-name'] as const;

const PROVIDER_ID = `${VENDOR_PREFIX}provider-id`;

/** Annotations that say where a cluster runs, for values that are no label values. */
export const HINT_ANNOTATIONS: readonly string[] = [
  ...['vendor', ...PLACES].map((key) => `${VENDOR_PREFIX}${key}`),
  PROVIDER_ID,
];

/** What ends up in a command line: nothing that could be an option, or two arguments. */
const SAFE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/**
 * Puts together where a cluster runs. What people marked counts first, then what is seen, then plain labels, which count
 * only beside a plain label `vendor`: a label `region` alone may mean anything.
 */
export function vendorHints(from: {
  /** Labels and annotations that may have our prefix, the strongest first. */
  readonly marked: readonly Marks[];
  readonly plain: Readonly<Record<string, string>>;
  readonly server: string | undefined;
  readonly providerId?: string | undefined;
}): VendorHints {
  const marked = (key: string) =>
    from.marked.map((marks) => marks?.[`${VENDOR_PREFIX}${key}`]).find((value) => value);
  const plain = (key: string) => (from.plain['vendor'] ? from.plain[key] : undefined);
  const seen = seenIn(from.server, marked('provider-id') ?? from.providerId);
  const word = marked('vendor') ?? plain('vendor');
  const vendor = word === undefined ? seen.vendor : vendorNamed(word);
  // Another vendor's region would be worse than none.
  const fitting = seen.vendor === undefined || seen.vendor === vendor ? seen : {};
  const location: Location = Object.fromEntries(
    PLACES.map((key) => [key, safe(marked(key)) ?? safe(fitting[key]) ?? safe(plain(key))]),
  );
  return {
    vendor,
    otherVendor: vendor === undefined ? safe(word)?.toLowerCase() : undefined,
    platform: vendor === undefined ? seen.platform : VENDORS[vendor].platform,
    location,
    missing:
      vendor === undefined
        ? []
        : REQUIRED.filter((key) => location[key] === undefined).map(
            (key) => `${VENDOR_PREFIX}${key}`,
          ),
  };
}

function seenIn(server: string | undefined, providerId: string | undefined): Detected {
  const machine = providerId === undefined ? {} : detectFromProviderId(providerId);
  const address = server === undefined ? {} : detectFromHost(hostOf(server));
  const known = Object.entries(address).filter(([, value]) => value !== undefined);
  return { ...machine, ...Object.fromEntries(known) };
}

function safe(value: string | undefined): string | undefined {
  return value !== undefined && SAFE.test(value) ? value : undefined;
}
