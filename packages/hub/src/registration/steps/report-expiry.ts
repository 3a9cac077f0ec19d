import { formatTime } from '@flotilla/machinery';
import { expiryState } from '../source/expiry.ts';
import { type RegistrationPass, statusOf } from '../types.ts';
import type { SourcedCredential } from './resolve-credential.ts';

/**
 * Says how long the credential lives that is in use. Without a source that can be read the last known end counts, and
 * what cannot be renewed is told apart from what merely ends.
 */
export function reportExpiry(
  pass: RegistrationPass,
  {
    credential,
    isApplied,
  }: {
    readonly credential: SourcedCredential | undefined;
    /** False where what the source has could not be taken into use. */
    readonly isApplied: boolean;
  },
): void {
  const known = statusOf(pass).credential?.expiresAt;
  const lifetime =
    credential !== undefined && isApplied
      ? credential.source
      : { issuedAt: undefined, expiresAt: known === undefined ? undefined : new Date(known) };
  const end = lifetime.expiresAt === undefined ? '' : formatTime(lifetime.expiresAt);
  const isRefreshing = credential !== undefined && isApplied;
  const state = expiryState(lifetime, pass.now());
  switch (state) {
    case 'NoExpiry':
      pass.unknown('CredentialExpiring', 'NoExpiry', 'The credential does not tell when it ends');
      return;
    case 'Fresh':
      pass.unmet('CredentialExpiring', 'Fresh', `The credential is good until ${end}`);
      return;
    case 'Expired':
      pass.mark(
        'CredentialExpiring',
        'Expired',
        `The credential ended at ${end}; put a new one into its source`,
      );
      return;
    case 'ExpiresSoon':
      if (isRefreshing) {
        pass.mark(
          'CredentialExpiring',
          'ExpiresSoon',
          `The credential ends at ${end}, and its source has no newer one`,
        );
      } else {
        pass.mark(
          'CredentialExpiring',
          'RefreshFailing',
          `The credential ends at ${end}, and its source gives no usable one`,
        );
      }
  }
}
