import type { KubeletLocation } from './kubelet-location.ts';

const CONNECT: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  EADDRNOTAVAIL: 'cannot assign requested address',
  EACCES: 'permission denied',
};

const UNKNOWN_AUTHORITY = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_SIGNATURE_FAILURE',
]);

const EXPIRED = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

/** Why a connection failed, in the words Go has for it, which people search for. */
export function dialProblem(error: NodeJS.ErrnoException, location: KubeletLocation): string {
  const { code = '' } = error;
  const { address = location.host, port = location.port } = error as {
    address?: string;
    port?: number;
  };
  const to = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  if (CONNECT[code] !== undefined) return `dial tcp ${to}: connect: ${CONNECT[code]}`;
  if (code === 'ETIMEDOUT') return `dial tcp ${to}: i/o timeout`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `dial tcp: lookup ${location.host}: no such host`;
  }
  if (code === 'ECONNRESET') return 'EOF';
  if (code === 'ABORT_ERR') return 'context canceled';
  const verify = 'tls: failed to verify certificate: x509: ';
  if (UNKNOWN_AUTHORITY.has(code)) return `${verify}certificate signed by unknown authority`;
  if (EXPIRED.has(code)) return `${verify}certificate has expired or is not yet valid`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `${verify}certificate is not valid for ${location.host}`;
  }
  return error.message;
}
