import type { MemberAccess } from './member-access.ts';
import { SECRET_KEYS } from './names.ts';

/**
 * The whole `data` of a member's cluster Secret, base64. Keys that are not here must not be in the Secret: one credential,
 * and of the authority either its PEM, or an empty value for the public ones, or no key at all for no verification.
 */
export function clusterSecretData(member: MemberAccess): Record<string, string> {
  const { endpoint, ca, credential, proxyUrl } = member;
  const texts: Record<string, string> = { [SECRET_KEYS.endpoint]: endpoint };
  if (ca !== undefined) texts[SECRET_KEYS.ca] = ca;
  if (credential.type === 'ServiceAccountToken') {
    texts[SECRET_KEYS.token] = credential.token.reveal();
  } else {
    texts[SECRET_KEYS.certificate] = credential.certificate;
    texts[SECRET_KEYS.key] = credential.key.reveal();
  }
  if (proxyUrl !== undefined) texts[SECRET_KEYS.proxyUrl] = proxyUrl;
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
}
