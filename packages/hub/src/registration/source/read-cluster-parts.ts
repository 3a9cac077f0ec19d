import type { Secret } from '@flotilla/client';
import type { MemberCredential } from '../../cluster-secret/member-access.ts';
import { SECRET_KEYS } from '../../cluster-secret/names.ts';
import type { Candidate } from './candidate.ts';
import { authorityOf, keyPairOf, tokenOf } from './decode-data.ts';
import { SourceProblem } from './source-problem.ts';

/** Which credential to take out of a Secret: the one its label names, or the one that is there. */
export type WantedCredential = MemberCredential['type'] | 'whichever';

/**
 * Reads the parts of a cluster Secret (`endpoint`, `ca.crt`, `token` or `tls.crt` and `tls.key`, `proxy-url`) out of a
 * Secret, and checks them: the gateway takes them as they are. No `ca.crt` means no verification, for it as for us.
 */
export function readClusterParts(secret: Secret, wanted: WantedCredential): Candidate {
  const { metadata, data = {} } = secret;
  const part = (key: string) => {
    const value = Object.hasOwn(data, key) ? data[key] : undefined;
    const field = `key "${key}" of Secret "${metadata.namespace}/${metadata.name}"`;
    return {
      field,
      text: value === undefined ? undefined : Buffer.from(value, 'base64').toString(),
    };
  };
  const need = (key: string, reason: 'KeyNotFound' | 'NoCredential') => {
    const { text = '', field } = part(key);
    if (text.trim() !== '') return { text, field };
    throw new SourceProblem(reason, `Cannot use ${field}: it is missing or empty`);
  };
  const endpoint = need(SECRET_KEYS.endpoint, 'KeyNotFound');
  const ca =
    part(SECRET_KEYS.ca).text === undefined ? part(SECRET_KEYS.oldCa) : part(SECRET_KEYS.ca);
  const hasToken = (part(SECRET_KEYS.token).text ?? '').trim() !== '';
  const takesToken = wanted === 'ServiceAccountToken' || (wanted === 'whichever' && hasToken);
  const token = () => {
    const { text, field } = need(SECRET_KEYS.token, 'NoCredential');
    return tokenOf(text, field);
  };
  return {
    server: endpoint.text.trim(),
    ca: ca.text === undefined ? undefined : authorityOf(ca.text, ca.field),
    proxyUrl: part(SECRET_KEYS.proxyUrl).text?.trim() || undefined,
    credential: takesToken
      ? token()
      : keyPairOf(
          need(SECRET_KEYS.certificate, 'NoCredential'),
          need(SECRET_KEYS.key, 'NoCredential'),
        ),
    warnings: [],
  };
}
