import { x509 } from '@flotilla/machinery';
import { type Authority, certifyKey } from './certificates.ts';
import type { ParsedRequest } from './parse-request.ts';

/** A request that was approved, and for how long. */
export interface RequestedCertificate {
  readonly request: ParsedRequest;
  /** As the certificates API names them; those of client and kubelet certificates only. */
  readonly usages: readonly string[];
  readonly lifetimeMs: number;
}

const { OID } = x509;
const BACKDATE_MS = 5 * 60_000;
/** Five minutes are one percent of this; certificates that live shorter are not shortened by them. */
const SHORT_MS = 8 * 60 * 60_000;

const KEY_USES: Readonly<Record<string, x509.KeyUse>> = {
  signing: 'digitalSignature',
  'digital signature': 'digitalSignature',
  'key encipherment': 'keyEncipherment',
};
const EXTENDED_USES: Readonly<Record<string, string>> = {
  'server auth': OID.serverAuth,
  'client auth': OID.clientAuth,
};

/** The certificate kube-controller-manager would give: subject and names as asked for, everything else by policy. */
export function certifyRequest(
  authority: Authority,
  { request, usages, lifetimeMs }: RequestedCertificate,
  now: Date,
): string {
  const ends = now.getTime() + (lifetimeMs < SHORT_MS ? lifetimeMs : lifetimeMs - BACKDATE_MS);
  const unknown = usages.filter((use) => !(use in KEY_USES) && !(use in EXTENDED_USES));
  if (unknown.length > 0) {
    throw new Error(`Cannot sign for "${unknown.join(', ')}": no such usage here`);
  }
  return certifyKey(authority, {
    publicKey: request.publicKey,
    subject: request.subject,
    uses: [...new Set(usages.flatMap((use) => KEY_USES[use] ?? []))],
    extendedUses: Object.keys(EXTENDED_USES)
      .filter((use) => usages.includes(use))
      .flatMap((use) => EXTENDED_USES[use] ?? []),
    alternativeNames: [
      ...request.dnsNames,
      ...request.emails,
      ...request.addresses,
      ...request.uris,
    ],
    notBefore: seconds(now.getTime() - BACKDATE_MS),
    notAfter: seconds(Math.min(ends, authority.notAfter.getTime())),
  });
}

/** Certificates know no fractions of a second. */
function seconds(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000);
}
