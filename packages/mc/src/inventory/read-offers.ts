import { isJsonObject, type Json } from '@flotilla/machinery';
import type { AccessOffer } from '../fleet/cluster.ts';
import { fieldOf, shortText } from './fields.ts';

const MAX_OFFERS = 64;
const MAX_NAME = 253;
const MAX_URL = 2_048;
const MAX_CA = 1 << 20;
const MAX_EXTENSIONS = 32;
const MAX_EXTENSION_CHARS = 64 << 10;
const MAX_EXTENSION_DEPTH = 32;

/**
 * The ways in that a profile's status describes. Of one name under the deprecated and the present field, the present one
 * counts; the order is that of the deprecated ones first, as upstream merges them. One without a server stays: some
 * managers publish an offer before they know where the cluster is, and its user should be told.
 */
export function readOffers(status: unknown): AccessOffer[] {
  const byName = new Map<string, AccessOffer>();
  for (const field of ['credentialProviders', 'accessProviders']) {
    const list = fieldOf(status, field);
    if (!Array.isArray(list)) continue;
    for (const each of list.slice(0, MAX_OFFERS) as unknown[]) {
      const offer = readOffer(each);
      if (offer !== undefined) byName.set(offer.name, offer);
    }
  }
  return [...byName.values()];
}

function readOffer(value: unknown): AccessOffer | undefined {
  const name = shortText(fieldOf(value, 'name'), MAX_NAME);
  const cluster = fieldOf(value, 'cluster');
  if (name === undefined || !isJsonObject(cluster)) return undefined;
  return offerOf(name, cluster);
}

/** A way in from the fields of a kubeconfig's cluster. */
export function offerOf(name: string, cluster: Json): AccessOffer {
  const server = shortText(fieldOf(cluster, 'server'), MAX_URL) ?? '';
  const serverName = shortText(fieldOf(cluster, 'tls-server-name'), MAX_NAME);
  const ca = readAuthority(fieldOf(cluster, 'certificate-authority-data'));
  const proxyUrl = shortText(fieldOf(cluster, 'proxy-url'), MAX_URL);
  return {
    name,
    server,
    ...(serverName === undefined ? {} : { serverName }),
    ...(fieldOf(cluster, 'insecure-skip-tls-verify') === true ? { insecure: true } : {}),
    ...(ca === undefined ? {} : { ca }),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
    ...(fieldOf(cluster, 'disable-compression') === true ? { disableCompression: true } : {}),
    extensions: readExtensions(fieldOf(cluster, 'extensions')),
  };
}

const PEM_START = '-----BEGIN ';

/**
 * The PEM in `certificate-authority-data`, which some managers encode twice. What is not PEM is kept as it is: whoever
 * connects must fail on it, since without an authority any public one would do.
 */
export function readAuthority(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  if (value.length > MAX_CA) return 'too long to be read';
  let text = value;
  for (let layer = 0; layer <= 2; layer += 1) {
    if (text.includes(PEM_START)) return text;
    text = Buffer.from(text, 'base64').toString('latin1');
  }
  return Buffer.from(value, 'base64').toString('latin1') || value;
}

function readExtensions(value: unknown): Record<string, unknown> {
  if (!Array.isArray(value)) return {};
  return Object.fromEntries(
    (value.slice(0, MAX_EXTENSIONS) as unknown[]).flatMap((each): [string, unknown][] => {
      const name = shortText(fieldOf(each, 'name'), MAX_NAME);
      const extension = fieldOf(each, 'extension');
      const kept = plain(extension, MAX_EXTENSION_DEPTH);
      if (name === undefined || kept === undefined) return [];
      return JSON.stringify(kept).length > MAX_EXTENSION_CHARS ? [] : [[name, kept]];
    }),
  );
}

/** As the cache will bring it back: integers that no double holds become texts, and what lies too deep is left out. */
function plain(value: unknown, depth: number): unknown {
  if (depth === 0) return undefined;
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map((each) => plain(each, depth - 1));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, plain(each, depth - 1)]),
  );
}
