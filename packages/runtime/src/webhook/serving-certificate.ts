import { X509Certificate } from 'node:crypto';
import type { Clock } from '@flotilla/machinery';
import type { HealthCheck } from '../health/create-health.ts';
import { validityOf } from './certificate-plan.ts';
import type { CertificatePair } from './certificates.ts';

/** The certificate that is served with now, wherever it comes from. */
export interface ServingCertificate {
  /** Takes another one over, and tells those who listen; nothing happens when it is the same. */
  readonly use: (pair: CertificatePair) => boolean;
  /** Throws while there is none. */
  readonly current: () => CertificatePair;
  readonly subscribe: (told: (pair: CertificatePair) => void) => Disposable;
  readonly checks: readonly HealthCheck[];
}

/** Holds no certificate yet. */
export function createServingCertificate(clock: Pick<Clock, 'now'>): ServingCertificate {
  const listeners = new Set<(pair: CertificatePair) => void>();
  let serving: CertificatePair | undefined;
  return {
    use: (pair) => {
      if (pair.certificate === serving?.certificate && pair.key === serving.key) return false;
      serving = pair;
      for (const told of listeners) told(pair);
      return true;
    },
    current: () => {
      if (serving !== undefined) return serving;
      throw new Error('Cannot serve webhooks: there is no certificate yet');
    },
    subscribe: (told) => {
      listeners.add(told);
      return { [Symbol.dispose]: () => void listeners.delete(told) };
    },
    checks: [
      {
        name: 'webhook-certificate',
        on: ['readyz'],
        check: () => {
          if (serving === undefined) throw new Error('There is no certificate yet');
          const { notAfter } = validityOf(new X509Certificate(serving.certificate));
          if (notAfter.getTime() > clock.now()) return;
          throw new Error(`The certificate ended at ${notAfter.toISOString()}`);
        },
      },
    ],
  };
}
