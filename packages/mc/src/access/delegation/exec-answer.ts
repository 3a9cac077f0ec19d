import type { Presented } from '@flotilla/client';
import { getOwn, isJsonObject } from '@flotilla/machinery';
import { AccessError } from '../access-error.ts';
import { expiresAt } from '../credentials/expiry.ts';

/** What a credential plugin answers with. */
export interface ExecStatus {
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
  readonly expirationTimestamp?: string;
}

const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

/** The version that whoever runs us as a plugin wants to be answered in; the present one when it does not say. */
export function askedVersion(execInfo: string | undefined): string {
  if (execInfo === undefined || execInfo === '') return String(VERSIONS[0]);
  let version: unknown;
  try {
    const info: unknown = JSON.parse(execInfo);
    version = isJsonObject(info) ? getOwn(info, 'apiVersion') : undefined;
  } catch {
    version = undefined;
  }
  if (typeof version === 'string' && VERSIONS.includes(version)) return version;
  throw new AccessError(
    `Cannot answer as a credential plugin: KUBERNETES_EXEC_INFO asks for neither ${VERSIONS.join(' nor ')}`,
  );
}

/** A credential in the words of plugins. Throws AccessError for what they have no words for. */
export function execStatus(presented: Presented): ExecStatus {
  const { authorization, certificate } = presented;
  const token = authorization === undefined ? undefined : /^Bearer (.+)$/.exec(authorization)?.[1];
  if (authorization !== undefined && token === undefined) {
    throw new AccessError(
      'Cannot hand on a name and password: plugins know tokens and certificates',
    );
  }
  if (token === undefined && certificate === undefined) {
    throw new AccessError('Cannot hand on a credential: the cluster is reached without one');
  }
  const end = expiresAt(presented);
  return {
    ...(token === undefined ? {} : { token }),
    ...(certificate === undefined
      ? {}
      : { clientCertificateData: certificate.cert, clientKeyData: certificate.key }),
    ...(end === undefined ? {} : { expirationTimestamp: wholeSeconds(end) }),
  };
}

/** The answer as it is printed. */
export function execAnswer(apiVersion: string, status: ExecStatus): string {
  return `${JSON.stringify({ kind: 'ExecCredential', apiVersion, status })}\n`;
}

function wholeSeconds(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}
