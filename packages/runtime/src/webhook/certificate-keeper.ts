import { createHash } from 'node:crypto';
import { type Client, type Secret, Secrets } from '@flotilla/client';
import {
  type Clock,
  formatKey,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type ObjectKey,
} from '@flotilla/machinery';
import type { HealthCheck } from '../health/create-health.ts';
import type { Logger } from '../observer.ts';
import { type TrustTarget, trustBundle } from './ca-bundle.ts';
import {
  type CertificatePolicy,
  type CertificateSet,
  planCertificates,
  readSet,
} from './certificate-plan.ts';
import type { CertificatePair } from './certificates.ts';
import { createServingCertificate } from './serving-certificate.ts';

/** What a keeper needs. */
export interface KeeperOptions extends Partial<CertificatePolicy> {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The Secret that all replicas share; made when it is missing. */
  readonly secret: ObjectKey;
  /** DNS names and addresses by which API servers call us: `SERVICE.NAMESPACE.svc`. */
  readonly hosts: readonly string[];
  /** Where the authorities are published. */
  readonly targets: readonly TrustTarget[];
  /** Time between two looks at the Secret and the targets. @default 60,000 */
  readonly intervalMs?: number;
  /** How long API servers may take to notice new authorities. @default 60,000 */
  readonly overlapMs?: number;
}

/** Keeps certificates that API servers trust, together with the other replicas. */
export interface CertificateKeeper {
  /** Ends when there is a certificate to serve with; throws what keeps it from being made. */
  readonly prepare: (signal: AbortSignal) => Promise<void>;
  /** Looks after the certificates until the signal is aborted; failures are logged, and tried again. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** One look: makes what is due, publishes, takes over what others made. */
  readonly look: (signal: AbortSignal) => Promise<void>;
  readonly current: () => CertificatePair;
  /** Told of each new certificate. */
  readonly subscribe: (told: (pair: CertificatePair) => void) => Disposable;
  /** For the health endpoints: not ready without a certificate that is valid now. */
  readonly checks: readonly HealthCheck[];
}

const DAY_MS = 24 * 60 * 60_000;
const INTERVAL_MS = 60_000;
const OVERLAP_MS = 60_000;
const MOST_CONFLICTS = 5;
/** Which bundle was published everywhere, and when. */
const PUBLISHED = 'webhook.flotilla.dev/published-bundle';
const PUBLISHED_AT = 'webhook.flotilla.dev/published-at';

/** Makes a keeper; nothing happens before `prepare` or `run`. */
export function createCertificateKeeper(options: KeeperOptions): CertificateKeeper {
  const { clock, logger, intervalMs = INTERVAL_MS } = options;
  const serving = createServingCertificate(clock);

  const look = async (signal: AbortSignal): Promise<void> => {
    const { secret, set } = await storedSet(options, signal);
    serving.use(set.serving);
    const bundle = bundleOf(set);
    await publish(options, bundle, signal);
    await recordPublished(options, { secret, bundle, signal });
  };

  return {
    look,
    prepare: look,
    run: async (signal) => {
      for (;;) {
        try {
          await clock.wait(intervalMs, signal);
          await look(signal);
        } catch (err) {
          if (signal.aborted) return;
          // What is served stays valid for a third of its life; there is time to try again.
          logger.warn('Cannot look after the webhook certificates', {
            secretName: formatKey(options.secret),
            err,
          });
        }
      }
    },
    current: serving.current,
    subscribe: serving.subscribe,
    checks: serving.checks,
  };
}

/** What the Secret holds after everything that is due was made; replicas that write at once read each other's. */
async function storedSet(
  options: KeeperOptions,
  signal: AbortSignal,
): Promise<{ secret: Secret; set: CertificateSet }> {
  const { client, clock } = options;
  const policy: CertificatePolicy = {
    hosts: options.hosts,
    authorityLifeMs: options.authorityLifeMs ?? 365 * DAY_MS,
    servingLifeMs: options.servingLifeMs ?? 90 * DAY_MS,
  };
  for (let attempt = 1; ; attempt += 1) {
    const found = await readSecret(options, signal);
    const stored = found === undefined ? undefined : setIn(found);
    const now = clock.now();
    const isTrusted = found !== undefined && isTrustedIn(found, stored, { ...options, now });
    const set = planCertificates(stored, policy, { now, isTrusted });
    if (found !== undefined && set === stored) return { secret: found, set };
    try {
      const secret = await (found === undefined
        ? client.create(Secrets, secretOf(options.secret, set), { signal })
        : client.replace(
            Secrets,
            { ...found, data: { ...found.data, ...dataOf(set) } },
            { signal },
          ));
      options.logger.info('Made webhook certificates', {
        secretName: formatKey(options.secret),
        authorities: set.authorities.length,
      });
      return { secret, set };
    } catch (error) {
      const isTaken = isAlreadyExists(error) || isConflict(error);
      if (!isTaken || attempt === MOST_CONFLICTS) throw error;
    }
  }
}

async function readSecret(
  { client, secret }: KeeperOptions,
  signal: AbortSignal,
): Promise<Secret | undefined> {
  try {
    return await client.get(Secrets, secret, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function publish(
  { client, targets }: KeeperOptions,
  bundle: string,
  signal: AbortSignal,
): Promise<void> {
  for (const target of targets) await trustBundle(client, target, { bundle, signal });
}

/** A new authority is used only after it was known everywhere for a while, so that has to be remembered. */
async function recordPublished(
  { client, clock }: KeeperOptions,
  { secret, bundle, signal }: { secret: Secret; bundle: string; signal: AbortSignal },
): Promise<void> {
  const { annotations = {}, resourceVersion, namespace, name = '' } = secret.metadata;
  const digest = digestOf(bundle);
  if (annotations[PUBLISHED] === digest) return;
  const at = new Date(clock.now()).toISOString();
  const body = {
    metadata: { resourceVersion, annotations: { [PUBLISHED]: digest, [PUBLISHED_AT]: at } },
  };
  try {
    await client.patch(Secrets, { namespace, name }, { type: 'merge', body, signal });
  } catch (error) {
    // Another replica was here; the next look sees what it wrote.
    if (!isConflict(error)) throw error;
  }
}

function isTrustedIn(
  { metadata: { annotations = {} } }: Secret,
  stored: CertificateSet | undefined,
  { now, overlapMs = OVERLAP_MS }: Pick<KeeperOptions, 'overlapMs'> & { readonly now: number },
): boolean {
  if (stored === undefined || annotations[PUBLISHED] !== digestOf(bundleOf(stored))) return false;
  const at = Date.parse(annotations[PUBLISHED_AT] ?? '');
  return Number.isFinite(at) && now - at >= overlapMs;
}

function setIn({ data = {} }: Secret): CertificateSet | undefined {
  const text = (name: string) => Buffer.from(data[name] ?? '', 'base64').toString();
  return readSet({
    bundle: text('ca.crt'),
    authorityKey: text('ca.key'),
    certificate: text('tls.crt'),
    key: text('tls.key'),
  });
}

function secretOf({ namespace, name }: ObjectKey, set: CertificateSet): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    type: 'kubernetes.io/tls',
    data: dataOf(set),
  };
}

function dataOf(set: CertificateSet): Record<string, string> {
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  return {
    'ca.crt': encoded(bundleOf(set)),
    'ca.key': encoded(set.authorityKey),
    'tls.crt': encoded(set.serving.certificate),
    'tls.key': encoded(set.serving.key),
  };
}

function bundleOf({ authorities }: CertificateSet): string {
  return authorities.join('');
}

function digestOf(bundle: string): string {
  return createHash('sha256').update(bundle).digest('hex').slice(0, 32);
}
