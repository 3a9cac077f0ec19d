import { type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http';
import type { Readable } from 'node:stream';
import type { MountedExchange } from '@flotilla/apiserver';
import { badRequest } from '@flotilla/machinery';
import { impersonationHeaders } from '../identity/impersonation-headers.ts';
import type { Destination } from './find-member.ts';
import { type Headers, requestHeaders } from './forwarded-headers.ts';

/** Longest status line with headers of an answer. */
const HEAD_BYTES = 256 * 1024;

/** A request as its member gets it: the path below the member's own, the cluster's credential, nothing of the hub's. */
export function memberRequest(
  { member, identity }: Destination,
  { request, rest }: MountedExchange,
): { readonly options: RequestOptions; readonly headers: Headers } {
  const { place, agent, authorization } = member;
  const query = request.query.toString();
  return {
    options: {
      agent,
      method: request.method,
      path: `${place.basePath}${rest === '' ? '/' : rest}${query === '' ? '' : `?${query}`}`,
      signal: request.signal,
      setHost: false,
      maxHeaderSize: HEAD_BYTES,
    },
    headers: {
      ...requestHeaders(request),
      host: place.authority,
      ...(authorization === undefined ? {} : { authorization }),
      ...(identity === 'privileged' ? {} : impersonationHeaders(identity)),
    },
  };
}

/** Begins a request. Names of users can hold what no header may. */
export function beginRequest(options: RequestOptions, headers: Headers): ClientRequest {
  try {
    return httpRequest({ ...options, headers: headers as RequestOptions['headers'] });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_INVALID_CHAR' && code !== 'ERR_INVALID_HTTP_TOKEN') throw error;
    throw badRequest(
      "Cannot send the request on: the name of its user or the cluster's credential has characters that no header may have",
    );
  }
}

/**
 * Passes a body on as it arrives, no faster than the member takes it. A client that breaks off breaks the request off; a
 * member that answers early leaves the rest to be read and dropped, because the client gets its answer only then.
 */
export function sendBody(body: Readable | undefined, call: ClientRequest): void {
  if (body === undefined) {
    call.end();
    return;
  }
  const send = (chunk: Buffer): void => {
    if (call.write(chunk)) return;
    body.pause();
    call.once('drain', () => body.resume());
  };
  const stop = (): void => {
    body.off('data', send);
    body.resume();
  };
  body.on('data', send);
  body.once('end', () => call.end());
  body.once('close', () => {
    if (!body.readableEnded) call.destroy();
  });
  call.once('close', stop);
}
