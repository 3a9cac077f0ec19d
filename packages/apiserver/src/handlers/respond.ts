import { encodeJson, notAcceptable, StatusError, toYaml } from '@flotilla/machinery';
import type { ApiResponse } from '../http/exchange.ts';
import { PlainError } from '../http/plain-error.ts';
import { warningHeaders } from './warning-headers.ts';

/** Go's encoder ends every answer with a newline; `kubectl get --raw` shows it. */
export const NEWLINE = Buffer.from('\n');

const JSON_HEADERS = Object.freeze({ 'content-type': 'application/json' });

/** Bytes that already are JSON, as stored. */
export function jsonBytes(status: number, bytes: Buffer): ApiResponse {
  return { status, headers: JSON_HEADERS, body: [bytes, NEWLINE] };
}

/** Any value as a JSON (or YAML) answer. */
export function respond(
  status: number,
  value: unknown,
  format: 'json' | 'yaml' = 'json',
): ApiResponse {
  if (format === 'yaml') {
    return {
      status,
      headers: { 'content-type': 'application/yaml' },
      body: Buffer.from(yamlOf(value)),
    };
  }
  return { status, headers: JSON_HEADERS, body: Buffer.from(`${encodeJson(value)}\n`) };
}

/** Indentation makes deep YAML enormous: what JSON can say about it is all there is. */
function yamlOf(value: unknown): string {
  try {
    return toYaml(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw notAcceptable(error.message);
  }
}

/** Plain text, as the health endpoints answer. */
export function text(status: number, body: string): ApiResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: Buffer.from(body),
  };
}

/** Adds Warning headers; kubectl prints each once. */
export function withWarnings(response: ApiResponse, warnings: readonly string[]): ApiResponse {
  if (warnings.length === 0) return response;
  return { ...response, headers: { ...response.headers, warning: warningHeaders(warnings) } };
}

/**
 * The one place where a failure becomes an answer. Anything but a StatusError is our bug, not the
 * caller's: it is reported, and the caller learns nothing of its insides.
 */
export function refusal(
  error: unknown,
  report: (error: unknown) => void,
  format: 'json' | 'yaml' = 'json',
): ApiResponse {
  if (error instanceof PlainError) return text(error.status, error.message);
  const known = error instanceof StatusError ? error : undefined;
  if (known === undefined) report(error);
  const status = known ?? new StatusError(500, 'InternalError', 'Internal error occurred');
  const retryAfter = status.details?.retryAfterSeconds;
  const answer = respond(status.code, status.toStatus(), format);
  return {
    ...answer,
    headers: {
      ...answer.headers,
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
  };
}
