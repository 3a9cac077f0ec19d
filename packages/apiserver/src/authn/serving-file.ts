import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  API_SERVER_HOSTS,
  type CertificatePair,
  createAuthority,
  issueServingCertificate,
} from './certificates.ts';
import { writePrivateFile } from './private-file.ts';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

/** Where a serving certificate is kept, and what it is for when it must be made. */
export interface ServingFileOptions {
  /** Holds `apiserver.crt` and `apiserver.key`; nothing is kept when undefined. */
  readonly folder: string | undefined;
  /** Names and addresses beside those every API server has. */
  readonly hosts: readonly string[];
  readonly now: Date;
}

/**
 * The certificate in the folder, under the names kube-apiserver uses. Where there is none, one is made, with its
 * issuer after it, so that clients can trust the file as it is.
 */
export function ensureServingPair({ folder, hosts, now }: ServingFileOptions): CertificatePair {
  if (folder === undefined) return makePair(hosts, now);
  const certificateFile = join(folder, 'apiserver.crt');
  const keyFile = join(folder, 'apiserver.key');
  if (existsSync(certificateFile) && existsSync(keyFile)) {
    return {
      certificate: readFileSync(certificateFile, 'utf8'),
      key: readFileSync(keyFile, 'utf8'),
    };
  }
  const pair = makePair(hosts, now);
  writePrivateFile(keyFile, pair.key);
  // Last: whoever waits for it finds everything else in its place.
  writePrivateFile(certificateFile, pair.certificate);
  return pair;
}

/** Valid from an hour ago, for clocks that are late, until in a year. */
function makePair(hosts: readonly string[], now: Date): CertificatePair {
  const validity = {
    notBefore: new Date(now.getTime() - HOUR_MS),
    notAfter: new Date(now.getTime() + YEAR_MS),
  };
  const seconds = Math.floor(now.getTime() / 1000);
  const authority = createAuthority(`kube-apiserver-ca@${seconds}`, validity);
  const { certificate, key } = issueServingCertificate(authority, {
    ...validity,
    commonName: `kube-apiserver@${seconds}`,
    hosts: [...API_SERVER_HOSTS, ...hosts],
  });
  return { certificate: `${certificate}${authority.certificate}`, key };
}
