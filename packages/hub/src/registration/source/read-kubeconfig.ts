import {
  type Access,
  type ExecPlugin,
  KubeconfigError,
  type KubeconfigRefusal,
  noCredential,
  type Presented,
  parseUntrustedKubeconfig,
} from '@flotilla/client';
import { SecretValue } from '@flotilla/runtime';
import type { Candidate } from './candidate.ts';
import { checkHandshakeCost, tokenOf } from './decode-data.ts';
import type { SourceFault } from './resolved-source.ts';
import { SourceProblem } from './source-problem.ts';

const REASONS: Readonly<Record<KubeconfigRefusal, SourceFault>> = {
  FileReference: 'FileReferenceNotAllowed',
  Exec: 'ExecNotAllowed',
  AuthProvider: 'AuthProviderNotSupported',
  Impersonation: 'ImpersonationNotSupported',
  InsecureTls: 'InsecureTLSNotAllowed',
  Proxy: 'KubeconfigInvalid',
  ContextNotFound: 'ContextNotFound',
  KeyPairMismatch: 'KeyPairMismatch',
  NoCredential: 'NoCredential',
  Invalid: 'KubeconfigInvalid',
};

/** How to read a kubeconfig. */
export interface KubeconfigReading {
  readonly context: string | undefined;
  readonly allowInsecureTls: boolean;
  /** Whether a command in it is worth a look at all. */
  readonly allowsExec: boolean;
}

/** Reads a kubeconfig of a stranger. Opens no file, runs no command, and says nothing of what it holds. */
export async function readKubeconfig(text: string, how: KubeconfigReading): Promise<Candidate> {
  let plugin: ExecPlugin | undefined;
  const access = parsed(text, how, (asked) => {
    plugin = asked;
  });
  const { tls, server, proxyUrl } = access;
  const common = {
    server,
    ca: tls.insecure === true ? undefined : (tls.ca ?? ''),
    serverName: tls.serverName,
    proxyUrl,
  };
  if (plugin !== undefined) {
    return { ...common, credential: { type: 'Exec', plugin }, warnings: [] };
  }
  const presented = await access.credential.present();
  return { ...common, ...credentialOf(presented) };
}

function parsed(
  text: string,
  { context, allowInsecureTls, allowsExec }: KubeconfigReading,
  take: (plugin: ExecPlugin) => void,
): Access {
  const exec = (plugin: ExecPlugin) => {
    take(plugin);
    return noCredential();
  };
  try {
    return parseUntrustedKubeconfig(text, {
      context,
      insecureTls: allowInsecureTls,
      proxy: true,
      ...(allowsExec ? { exec } : {}),
    });
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new SourceProblem(REASONS[error.refusal], error.message);
  }
}

/** Of a token and a certificate the token counts, as for `vela cluster join`: the gateway can carry only one. */
function credentialOf({
  authorization,
  certificate,
}: Presented): Pick<Candidate, 'credential' | 'warnings'> {
  const token = /^Bearer (.*)$/s.exec(authorization ?? '')?.[1];
  if (token !== undefined) {
    return {
      credential: tokenOf(token, 'the token of the user'),
      warnings: certificate === undefined ? [] : [CERTIFICATE_IGNORED],
    };
  }
  if (certificate !== undefined) {
    const { cert, key } = certificate;
    checkHandshakeCost(cert, 'the client certificate of the user');
    return {
      credential: { type: 'X509Certificate', certificate: cert, key: new SecretValue(key) },
      warnings: [],
    };
  }
  throw new SourceProblem(
    'NoCredential',
    'Cannot use the user: a cluster Secret has no place for a user name and password; give a token, or client-certificate-data and client-key-data',
  );
}

const CERTIFICATE_IGNORED = {
  reason: 'CertificateIgnored',
  message: 'The source has a token and a client certificate; the token is used',
};
