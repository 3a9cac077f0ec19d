import { getOwn, isJsonObject } from '@flotilla/machinery';
import type { Access } from '../../access.ts';
import type { Transport, WireResponse } from '../../transport.ts';
import { CredentialError } from '../credential-error.ts';
import { noCredential } from '../static-credential.ts';

/** Metadata and tokens are a few KB. */
const MAX_BYTES = 1024 * 1024;

/** How an identity provider is reached. */
export interface IdpConnection {
  readonly openTransport: (access: Access) => Transport;
  /** PEM; undefined means the authorities Node knows. */
  readonly ca: string | undefined;
}

/** What is asked of an identity provider; `body` makes it a POST of a form. */
export interface IdpRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Asks the provider where tokens are renewed. */
export async function findTokenEndpoint(
  issuer: string,
  connection: IdpConnection,
  signal: AbortSignal,
): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const answer = await askIdp({ url }, connection, signal);
  if (answer.status !== 200) {
    throw new CredentialError(`oidc: failed to query metadata endpoint: status ${answer.status}`);
  }
  const endpoint = getOwn(jsonObject(answer.body) ?? {}, 'token_endpoint');
  if (typeof endpoint !== 'string' || endpoint === '') {
    throw new CredentialError("oidc: discovery object doesn't contain a token_endpoint");
  }
  if (issuer.startsWith('https:') && !endpoint.startsWith('https:')) {
    throw new CredentialError(
      'oidc: the token_endpoint is not https although the issuer is; a refresh token is not sent there',
    );
  }
  return endpoint;
}

/** Sends one request to an identity provider, on a connection of its own. */
export async function askIdp(
  request: IdpRequest,
  { openTransport, ca }: IdpConnection,
  signal: AbortSignal,
): Promise<WireResponse> {
  if (!URL.canParse(request.url)) {
    throw new CredentialError('oidc: the address of the provider is not a URL');
  }
  const { origin, pathname, search } = new URL(request.url);
  const access: Access = { server: origin, tls: { ca }, credential: noCredential(), namespace: '' };
  await using transport = openTransport(access);
  return await transport.send({
    method: request.body === undefined ? 'GET' : 'POST',
    path: `${pathname}${search}`,
    headers: { accept: 'application/json', ...request.headers },
    body: request.body,
    signal,
    maxBytes: MAX_BYTES,
  });
}

/** A JSON object, or undefined for anything else. */
export function jsonObject(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
