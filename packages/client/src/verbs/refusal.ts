import {
  formatGroupResource,
  isJsonObject,
  type Json,
  parseJson,
  refusalWords,
  type StatusDetails,
  StatusError,
  type StatusReason,
} from '@flotilla/machinery';
import type { WireHead, WireResponse } from '../transport.ts';

/** What was asked, for the words of a refusal that brings none. */
export interface Subject {
  readonly method: string;
  readonly group?: string;
  readonly resource?: string;
  readonly name?: string | undefined;
}

/** As much of a text as client-go repeats. */
const MAX_TEXT_BYTES = 2_048;

/** True for every code that client-go takes for a refusal. */
export function isRefusal(status: number): boolean {
  return status < 200 || status > 206;
}

/** What a server said no with: its own Status, or, where something else answered, client-go's words for the code. */
export function refusalOf(answer: WireResponse, subject: Subject): StatusError {
  const status = decodedStatus(answer);
  return status === undefined
    ? genericRefusal(answer, subject)
    : statusError(withRetryAfter(status, answer), answer.status);
}

/** What a proxy puts into the head of another's refusal counts as if the refusal itself said it. */
function withRetryAfter(status: Json, answer: WireResponse): Json {
  const details = isJsonObject(status['details']) ? status['details'] : {};
  const retryAfterSeconds = isOverloaded(answer) ? retryAfter(answer) : 0;
  if (retryAfterSeconds === 0 || details['retryAfterSeconds'] !== undefined) return status;
  return { ...status, details: { ...details, retryAfterSeconds } };
}

function isOverloaded({ status }: WireHead): boolean {
  return status === 429 || status === 503;
}

/** The error that a Status object stands for. */
export function statusError(status: Json, httpStatus = 500): StatusError {
  const { code, reason, message, details, metadata } = status;
  return new StatusError(
    typeof code === 'number' && code !== 0 ? code : httpStatus,
    // A server newer than us may know more reasons; they are handed on as they are.
    (typeof reason === 'string' ? reason : '') as StatusReason,
    typeof message === 'string' ? message : '',
    isJsonObject(details) ? (details as StatusDetails) : undefined,
    isJsonObject(metadata) ? (metadata as { continue?: string }) : {},
  );
}

/** A Status that tells of a failure. */
export function isFailure(value: unknown): value is Json {
  return isJsonObject(value) && value['kind'] === 'Status' && value['status'] === 'Failure';
}

function decodedStatus({ body, headers }: WireResponse): Json | undefined {
  const type = headers['content-type'] ?? 'application/json';
  if (!/^application\/json\b/i.test(type)) return undefined;
  try {
    const { value } = parseJson(body, { strict: false });
    // Answers without a kind count, as client-go assumes it.
    if (!isJsonObject(value) || value['status'] !== 'Failure') return undefined;
    return value['kind'] === undefined || value['kind'] === 'Status' ? value : undefined;
  } catch {
    return undefined;
  }
}

function genericRefusal(answer: WireResponse, subject: Subject): StatusError {
  const { group = '', resource = '', name = '' } = subject;
  const said = saidBy(answer);
  const [reason, message] = refusalWords(answer.status, { said, method: subject.method });
  const about =
    resource === ''
      ? ''
      : ` (${[subject.method.toLowerCase(), formatGroupResource({ group, resource }), name].join(' ').trim()})`;
  const retryAfterSeconds = retryAfter(answer);
  return new StatusError(answer.status, reason, `${message}${about}`, {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    ...(resource === '' ? {} : { kind: resource }),
    causes: [{ reason: 'UnexpectedServerResponse', message: said }],
    ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
  });
}

function saidBy({ headers, body }: WireResponse): string {
  const type = headers['content-type'] ?? '';
  if (type !== '' && !/^text\//i.test(type)) return 'unknown';
  return body.subarray(0, MAX_TEXT_BYTES).toString().trim();
}

function retryAfter({ headers }: WireHead): number {
  const seconds = headers['retry-after'] ?? '';
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) : 0;
}
