import { getOwn } from '@flotilla/machinery';
import type { WireResponse } from '../../transport.ts';
import { CredentialError } from '../credential-error.ts';
import { basic } from '../static-credential.ts';
import { askIdp, findTokenEndpoint, type IdpConnection, jsonObject } from './token-endpoint.ts';

/** Who asks for new tokens, and with what. */
export interface RefreshRequest {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
}

/** What came back; a refresh token only where the provider changes them. */
export interface RefreshedTokens {
  readonly idToken: string;
  readonly refreshToken: string | undefined;
}

/** Trades a refresh token for an ID token, as kubectl does: the client's secret in the header, then in the form. */
export async function refreshTokens(
  request: RefreshRequest,
  connection: IdpConnection,
  signal: AbortSignal,
): Promise<RefreshedTokens> {
  const url = await findTokenEndpoint(request.issuer, connection, signal);
  const { clientId, clientSecret, refreshToken } = request;
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
  const inForm = {
    client_id: clientId,
    ...(clientSecret === '' ? {} : { client_secret: clientSecret }),
  };
  const header = basic(`${formEncode(clientId)}:${formEncode(clientSecret)}`);
  const attempts = [
    { headers: { authorization: header }, form },
    { headers: {}, form: { ...form, ...inForm } },
  ];
  let problem = '';
  for (const attempt of attempts) {
    const answer = await askIdp(
      {
        url,
        headers: { ...attempt.headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(attempt.form).toString(),
      },
      connection,
      signal,
    );
    const tokens = readTokens(answer);
    if (typeof tokens !== 'string') return tokens;
    problem = tokens;
  }
  throw new CredentialError(`failed to refresh token: ${problem}`);
}

/** A text says why there are none: the provider's error code at most, never what else it answered. */
function readTokens(answer: WireResponse): RefreshedTokens | string {
  const body = jsonObject(answer.body) ?? {};
  const error = getOwn(body, 'error');
  const isOk = answer.status >= 200 && answer.status <= 299;
  if (!isOk || (typeof error === 'string' && error !== '')) {
    const code = typeof error === 'string' && /^[a-z_]{1,64}$/.test(error) ? ` "${error}"` : '';
    return `oauth2: cannot fetch token: status ${answer.status}${code}`;
  }
  const access = getOwn(body, 'access_token');
  if (typeof access !== 'string' || access === '') {
    return 'oauth2: server response missing access_token';
  }
  const idToken = getOwn(body, 'id_token');
  if (typeof idToken !== 'string') {
    throw new CredentialError(
      'token response did not contain an id_token, either the scope "openid" wasn\'t requested upon login, or the provider doesn\'t support id_tokens as part of the refresh response',
    );
  }
  const next = getOwn(body, 'refresh_token');
  return { idToken, refreshToken: typeof next === 'string' && next !== '' ? next : undefined };
}

function formEncode(text: string): string {
  return new URLSearchParams({ x: text }).toString().slice(2);
}
