import { hostOf, normalizeEndpoint } from '../../cluster-secret/cluster-endpoint.ts';
import type { MemberAccess } from '../../cluster-secret/member-access.ts';
import { checkEndpoint } from '../endpoint/endpoint-policy.ts';
import type { Candidate } from './candidate.ts';
import type { SourceDeps, SourceWarning } from './resolved-source.ts';
import { SourceProblem } from './source-problem.ts';

const LONGEST_URL = 2048;

/** Where a member is and how it is verified. */
export type MemberPlace = Omit<MemberAccess, 'credential'>;

/** Where the member is, once that is allowed. It comes before the credential: no command runs for a server we would not dial. */
export async function placeOf(
  { policy, resolveHost }: SourceDeps,
  { server, ca, serverName, proxyUrl }: Candidate,
  signal: AbortSignal,
): Promise<MemberPlace> {
  const endpoint = server.length > LONGEST_URL ? undefined : normalizeEndpoint(server);
  if (endpoint === undefined) {
    throw new SourceProblem(
      'KubeconfigInvalid',
      `Cannot use the endpoint: it is not a URL such as https://api.example.com:6443, without user, query and fragment, of at most ${LONGEST_URL} characters`,
    );
  }
  if (ca === undefined && !policy.allowInsecureTls) {
    throw new SourceProblem(
      'InsecureTLSNotAllowed',
      `Cannot use "${endpoint}" without verifying its certificate: this hub does not allow it; give the certificate of its authority`,
    );
  }
  if (endpoint.startsWith('http:') && ca !== undefined) {
    throw new SourceProblem('InsecureTLSNotAllowed', `Cannot use "${endpoint}": it is not https`);
  }
  if (serverName !== undefined && serverName.toLowerCase() !== hostOf(endpoint)) {
    throw new SourceProblem(
      'ServerNameUnsupported',
      'Cannot use tls-server-name: the gateway checks certificates for the host of the endpoint only; give an endpoint with that name',
    );
  }
  const proxy = proxyOf(proxyUrl);
  for (const url of proxy === undefined ? [endpoint] : [endpoint, proxy]) {
    const refusal = await checkEndpoint(url, policy.endpoints, (host) =>
      orAborted(resolveHost(host), signal),
    );
    if (refusal !== undefined) throw new SourceProblem('EndpointDenied', refusal);
  }
  return { endpoint, ca, ...(proxy === undefined ? {} : { proxyUrl: proxy }) };
}

function proxyOf(proxyUrl: string | undefined): string | undefined {
  if (proxyUrl === undefined || proxyUrl === '') return undefined;
  const isShort = proxyUrl.length <= LONGEST_URL;
  const url = isShort && URL.canParse(proxyUrl) ? new URL(proxyUrl) : undefined;
  if (url === undefined || !/^(https?|socks5):$/.test(url.protocol) || url.hostname === '') {
    // It may hold a password, and is not quoted.
    throw new SourceProblem(
      'KubeconfigInvalid',
      'Cannot use the proxy URL: it is not a URL with scheme http, https or socks5',
    );
  }
  return proxyUrl;
}

/** Tells of a server that nobody verifies. */
export function tlsWarnings({ ca, endpoint }: MemberPlace): SourceWarning[] {
  if (ca !== undefined) return [];
  return [
    {
      reason: 'InsecureTLS',
      message: `The certificate of "${endpoint}" is not verified: whoever stands in between gets the credential`,
    },
  ];
}

/** A resolver cannot be told to stop; one that takes minutes must not hold a pass for as long. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
