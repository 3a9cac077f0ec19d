import { goQuote } from '@flotilla/machinery';

/** An answer of a webhook, whole. */
export interface WebhookAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

const MAX_TEXT = 2048;

const TEXTS: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

/** What client-go makes of an answer that is no success; undefined when it is one. */
export function answerError(answer: WebhookAnswer): string | undefined {
  const { status } = answer;
  if (status >= 200 && status <= 206) return undefined;
  const own = statusMessage(answer.body);
  if (own !== undefined) return own;
  const sent = textOf(answer);
  if (status === 403 || status === 415) return sent;
  if (status === 406) {
    return sent === 'unknown'
      ? 'the server was unable to respond with a content type that the client supports'
      : sent;
  }
  const known = TEXTS[status];
  if (known !== undefined) return known;
  if (status >= 500) {
    return `an error on the server (${goQuote(sent)}) has prevented the request from succeeding`;
  }
  return `the server responded with the status code ${status} but did not return more information`;
}

/** Only text is worth showing to people. */
function textOf({ contentType, body }: WebhookAnswer): string {
  if (contentType !== '' && !contentType.startsWith('text/')) return 'unknown';
  return body.subarray(0, MAX_TEXT).toString('utf8').trim();
}

/** A webhook that answers with a Status speaks for itself. */
function statusMessage(body: Buffer): string | undefined {
  if (body.length === 0 || body.length > 64 * 1024) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { kind = 'Status', apiVersion = 'v1', status, message } = value as Record<string, unknown>;
  const isStatus = kind === 'Status' && apiVersion === 'v1' && status === 'Failure';
  return isStatus && typeof message === 'string' ? message : undefined;
}
