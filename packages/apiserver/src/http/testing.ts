/** Helpers for this folder's tests: a listener with throw-away certificates, and clients that misbehave. */

import type { IncomingHttpHeaders } from 'node:http';
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectH2 } from 'node:http2';
import { type RequestOptions, request as requestH1 } from 'node:https';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import {
  type Authority,
  type CertificatePair,
  createAuthority,
  issueServingCertificate,
} from '../authn/certificates.ts';
import type { ManualClock } from '../authn/manual-clock.ts';
import type { ApiRequest, Handle } from './exchange.ts';
import type { Limits } from './limits.ts';
import { type Listener, type ListenerOptions, listen } from './listener.ts';

const validity = {
  notBefore: new Date('2020-01-01T00:00:00Z'),
  notAfter: new Date('2049-01-01T00:00:00Z'),
};

/** One authority for all tests of a process. */
export const testAuthority: Authority = createAuthority('test-ca', validity);

/** A serving certificate for loopback, told from others by its common name. */
export function testCertificate(
  commonName = 'one',
  hosts = ['localhost', '127.0.0.1'],
): CertificatePair {
  return issueServingCertificate(testAuthority, { commonName, hosts, ...validity });
}

/** A listener on a free port whose own errors end up in `reported`. */
export async function testListener(
  handle: Handle,
  options: Partial<ListenerOptions> = {},
): Promise<Listener & { readonly reported: unknown[] }> {
  const reported: unknown[] = [];
  const listener = await listen({
    handle,
    certificates: { main: testCertificate() },
    report: (error) => reported.push(error),
    ...options,
  });
  return Object.assign(listener, { reported });
}

/** One answer as a client sees it. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** One request over HTTP/1.1. */
export function h1(
  listener: Listener,
  path: string,
  { body, ...options }: RequestOptions & { body?: Buffer | string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = requestH1(
      {
        host: '127.0.0.1',
        port: listener.port,
        path,
        ca: testAuthority.certificate,
        agent: false,
        ...options,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** An HTTP/2 connection that closes itself at the end of a test. */
export function h2(
  listener: Listener,
  options: { cert?: string; key?: string; servername?: string } = {},
): ClientHttp2Session & AsyncDisposable {
  const session = connectH2(`https://127.0.0.1:${listener.port}`, {
    ca: testAuthority.certificate,
    // Room for bodies that are too large on purpose; a client over its own limit drops the answer.
    maxSessionMemory: 100,
    ...options,
  });
  session.on('error', () => {});
  return Object.assign(session, {
    [Symbol.asyncDispose]: async () => session.destroy(),
  });
}

/** One request over HTTP/2, to its end. */
export function get(
  session: ClientHttp2Session,
  headers: Record<string, string | string[]>,
  body?: Buffer | string,
): Promise<Answer & { readonly rstCode: number }> {
  return new Promise((resolve, reject) => {
    const stream = session.request(headers, { endStream: body === undefined });
    let answer: IncomingHttpHeaders & { ':status'?: number | undefined } = {};
    const chunks: Buffer[] = [];
    stream.on('response', (headers) => {
      answer = headers;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', reject);
    stream.on('close', () =>
      resolve({
        status: answer[':status'] ?? 0,
        headers: answer,
        body: Buffer.concat(chunks),
        rstCode: stream.rstCode,
      }),
    );
    if (body !== undefined) stream.end(body);
  });
}

/** An open HTTP/2 request, after its response headers have come. */
export async function open(
  session: ClientHttp2Session,
  headers: Record<string, string>,
): Promise<ClientHttp2Stream> {
  const stream = session.request(headers);
  stream.on('error', () => {});
  await new Promise((resolve) => stream.once('response', resolve));
  return stream;
}

/** A bare TLS connection, for clients that do not follow the rules. */
export async function raw(listener: Listener, protocols = ['http/1.1']): Promise<TLSSocket> {
  const socket = connectTls({
    host: '127.0.0.1',
    port: listener.port,
    ca: testAuthority.certificate,
    ...(protocols.length === 0 ? {} : { ALPNProtocols: protocols }),
  });
  socket.on('error', () => {});
  await new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('close', reject);
  });
  return socket;
}

/** Everything a socket receives until it closes. */
export function received(socket: TLSSocket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) =>
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('latin1'))),
  );
}

/** Waits until something that is about to happen has happened. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (let round = 0; round < 2000; round += 1) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`Cannot wait any longer: ${what}`);
}

/** A listener that remembers the requests it has seen. */
export async function watched(
  handle: Handle,
  options: { limits?: Partial<Limits>; clock?: ManualClock } = {},
) {
  const seen: ApiRequest[] = [];
  const listener = await testListener(async (request) => {
    seen.push(request);
    void request.signal;
    return handle(request);
  }, options);
  return { listener, seen };
}

/** Waits until no request is left, and no more connections than said. */
export async function nothingLeft(listener: Listener, connections: number): Promise<void> {
  await until(
    () => {
      const { requests, longRunning, connections: open } = listener.counts();
      return requests === 0 && longRunning === 0 && open <= connections;
    },
    `${JSON.stringify(listener.counts())} to become zero and ${connections} connections`,
  );
}
