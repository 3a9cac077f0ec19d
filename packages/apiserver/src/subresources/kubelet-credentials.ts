import type { CertificatePair } from '../authn/certificates.ts';
import type { CertificateKeeper } from '../authn/keeper.ts';
import { MASTERS } from '../authn/user-info.ts';
import type { Clock } from '../clock.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Long enough for a log that is followed over a weekend to be opened again. */
const LIFETIME_MS = 7 * DAY_MS;

/** Who we are to kubelets; the name kubeadm gives the API server there. */
const USER = 'kube-apiserver-kubelet-client';

/** Certificates by which the server proves itself to kubelets: made when first needed, a new one every day. */
export function kubeletCredentials(
  certificates: CertificateKeeper,
  clock: Clock,
): () => CertificatePair {
  let current: { pair: CertificatePair; until: number; bundle: string } | undefined;
  return () => {
    const now = clock.now().getTime();
    const bundle = certificates.bundle();
    // An authority that has changed may no longer be trusted by the other side.
    if (current === undefined || now >= current.until || current.bundle !== bundle) {
      const pair = certificates.issueClient({
        user: USER,
        groups: [MASTERS],
        lifetimeMs: LIFETIME_MS,
      });
      current = { pair, until: now + DAY_MS, bundle };
    }
    return current.pair;
  };
}
