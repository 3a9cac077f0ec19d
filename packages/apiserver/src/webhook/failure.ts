/** Why a webhook gave no usable answer, in the words Go's HTTP client has for it. */
export class WebhookFailure extends Error {
  /** `client` when it was clear before anything was dialled that no call can be made. */
  readonly stage: 'client' | 'call';

  constructor(stage: 'client' | 'call', message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'WebhookFailure';
    this.stage = stage;
  }
}

interface NodeError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

const AUTHORITY =
  'tls: failed to verify certificate: x509: certificate signed by unknown authority';

const BY_CODE: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: AUTHORITY,
  CERT_HAS_EXPIRED:
    'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID:
    'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
  ECONNRESET: 'EOF',
  EPIPE: 'EOF',
};

const DIAL: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
  EADDRNOTAVAIL: 'cannot assign requested address',
  EACCES: 'permission denied',
};

/** What Go says where Node says this; Node's own words where nothing corresponds. */
export function goNetworkError(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return goNetworkError(error.errors[0]);
  }
  const { code = '', address = '', port = 0, hostname = '', message } = error as NodeError;
  const dial = DIAL[code];
  if (dial !== undefined) {
    const host = address.includes(':') ? `[${address}]` : address;
    return `dial tcp ${host}:${port}: connect: ${dial}`;
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `dial tcp: lookup ${hostname}: no such host`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return wrongName(message);
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  if (code === 'EPROTO' && message.includes('wrong version number')) {
    return 'http: server gave HTTP response to HTTPS client';
  }
  if (code.startsWith('HPE_')) return `net/http: HTTP/1.x transport connection broken: ${message}`;
  return message;
}

/** Node: `Hostname/IP does not match certificate's altnames: IP: 127.0.0.1 is not in the cert's list: 10.0.0.1`. */
function wrongName(message: string): string {
  const address = /IP: (\S+) is not in the cert's list: ?(.*)$/.exec(message);
  const begin = 'tls: failed to verify certificate: x509: ';
  if (address !== null) {
    const [, asked = '', listed = ''] = address;
    return listed === ''
      ? `${begin}cannot validate certificate for ${asked} because it doesn't contain any IP SANs`
      : `${begin}certificate is valid for ${listed}, not ${asked}`;
  }
  const host = /Host: (\S+?)\.? is not in the cert's altnames: (.*)$/.exec(message);
  if (host === null) return `${begin}${message}`;
  const names = (host[2] ?? '').replace(/(DNS|IP Address):/g, '');
  return `${begin}certificate is valid for ${names}, not ${host[1] ?? ''}`;
}
