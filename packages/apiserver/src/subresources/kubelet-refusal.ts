import {
  badRequest,
  formatGroupResource,
  type GroupResource,
  goQuote,
  internalError,
  StatusError,
  type StatusReason,
} from '@flotilla/machinery';

const ABOUT_CODE: Readonly<Record<number, readonly [StatusReason, string]>> = {
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  409: ['Conflict', 'the server reported a conflict'],
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

/** What a kubelet's refusal is about. */
export interface RefusedRequest {
  readonly resource: GroupResource;
  readonly name: string;
}

/** A kubelet's refusal in the words the API server has for it. */
export function kubeletRefusal(
  code: number,
  body: string,
  { resource, name }: RefusedRequest,
): StatusError {
  if (code === 500) return internalError(body);
  if (code === 400) return badRequest(body);
  const [reason, message] = describe(code, body);
  // The empty place is that of a verb, which upstream leaves out here.
  const text = `${message} ( ${formatGroupResource(resource)} ${name})`;
  return new StatusError(code, reason, text, {
    name,
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.resource,
  });
}

function describe(code: number, body: string): readonly [StatusReason, string] {
  const known = ABOUT_CODE[code];
  if (known !== undefined) return known;
  if (code === 403) return ['Forbidden', body];
  if (code === 415) return ['UnsupportedMediaType', body];
  if (code === 406) {
    const isSilent = body === '' || body === 'unknown';
    const silence = 'the server was unable to respond with a content type that the client supports';
    return ['NotAcceptable', isSilent ? silence : body];
  }
  if (code >= 500) {
    const said = goQuote(body);
    return [
      'InternalError',
      `an error on the server (${said}) has prevented the request from succeeding`,
    ];
  }
  const nothing = `the server responded with the status code ${code} but did not return more information`;
  return ['', nothing];
}
