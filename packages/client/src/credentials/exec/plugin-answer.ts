import { getOwn, isJsonObject, ParseError, parseTime, parseYaml } from '@flotilla/machinery';
import type { Presented } from '../../access.ts';
import { CredentialError } from '../credential-error.ts';
import { checkKeyPair } from '../key-pair.ts';
import { bearer } from '../static-credential.ts';

/** What a plugin printed, read. */
export interface PluginAnswer {
  readonly presented: Presented;
  /** Milliseconds since 1970; undefined lasts as long as the process. */
  readonly expiresAt: number | undefined;
}

/** Reads an ExecCredential. Errors are kubectl's, less what it quotes of the output. */
export function readPluginAnswer(output: Buffer, apiVersion: string): PluginAnswer {
  const answer = parse(output);
  const version = getOwn(answer, 'apiVersion');
  if (getOwn(answer, 'kind') !== 'ExecCredential' || typeof version !== 'string') {
    throw new CredentialError('decoding stdout: it is not an ExecCredential');
  }
  if (version !== apiVersion) {
    // A version is a few letters; anything longer is not quoted.
    const shown = /^[a-z0-9./-]{1,64}$/.test(version) ? version : 'of another form';
    throw new CredentialError(
      `exec plugin is configured to use API version ${apiVersion}, plugin returned version ${shown}`,
    );
  }
  const status = getOwn(answer, 'status') ?? undefined;
  if (status === undefined) {
    throw new CredentialError("exec plugin didn't return a status field");
  }
  if (!isJsonObject(status)) throw wrongType('status');
  return { presented: presentedOf(status), expiresAt: expiryOf(status) };
}

function parse(output: Buffer): Record<string, unknown> {
  try {
    const { value } = parseYaml(output);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
  }
  // Neither the output nor what a parser says of it: it may be a token.
  throw new CredentialError('decoding stdout: it is not an ExecCredential in JSON or YAML');
}

function presentedOf(status: Record<string, unknown>): Presented {
  const token = textOf(status, 'token');
  const cert = textOf(status, 'clientCertificateData');
  const key = textOf(status, 'clientKeyData');
  if (token === '' && cert === '' && key === '') {
    throw new CredentialError("exec plugin didn't return a token or cert/key pair");
  }
  if ((cert === '') !== (key === '')) {
    throw new CredentialError('exec plugin returned only certificate or key, not both');
  }
  return {
    ...(token === '' ? {} : { authorization: bearer(token) }),
    ...(cert === '' ? {} : { certificate: checkedPair(cert, key) }),
  };
}

function checkedPair(cert: string, key: string) {
  try {
    checkKeyPair({ cert, key, keyName: 'the credential plugin' });
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    throw new CredentialError(`failed parsing client key/certificate: ${error.message}`);
  }
  return { cert, key };
}

function expiryOf(status: Record<string, unknown>): number | undefined {
  const text = textOf(status, 'expirationTimestamp');
  if (text === '') return undefined;
  try {
    const { seconds, nanos } = parseTime(text);
    return seconds * 1000 + Math.floor(nanos / 1e6);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new CredentialError(
      'decoding stdout: status.expirationTimestamp is not a time in RFC 3339',
    );
  }
}

function textOf(status: Record<string, unknown>, field: string): string {
  const value = getOwn(status, field) ?? '';
  if (typeof value !== 'string') throw wrongType(`status.${field}`);
  return value;
}

function wrongType(field: string): CredentialError {
  return new CredentialError(`decoding stdout: ${field} is not of its type`);
}
