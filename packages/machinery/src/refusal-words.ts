import { goQuote } from './go/quote.ts';
import type { StatusReason } from './status-reasons.ts';

const WORDS: Readonly<Record<number, readonly [StatusReason, string]>> = {
  400: ['BadRequest', 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: [
    'TooManyRequests',
    'the server has received too many requests and has asked us to try again later',
  ],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: [
    'Timeout',
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
};

/** Kubernetes' words for a refusal that was no Status: of a proxy, a kubelet, an old server. */
export function refusalWords(
  code: number,
  { said, method }: { readonly said: string; readonly method?: string },
): readonly [reason: StatusReason, message: string] {
  const known = WORDS[code];
  if (known !== undefined) return known;
  switch (code) {
    case 403:
      return ['Forbidden', said];
    case 406: {
      const silence =
        'the server was unable to respond with a content type that the client supports';
      return ['NotAcceptable', said === '' || said === 'unknown' ? silence : said];
    }
    case 409:
      return [method === 'POST' ? 'AlreadyExists' : 'Conflict', 'the server reported a conflict'];
    case 415:
      return ['UnsupportedMediaType', said];
    default:
      return code < 500
        ? [
            '',
            `the server responded with the status code ${code} but did not return more information`,
          ]
        : [
            'InternalError',
            `an error on the server (${goQuote(said)}) has prevented the request from succeeding`,
          ];
  }
}
