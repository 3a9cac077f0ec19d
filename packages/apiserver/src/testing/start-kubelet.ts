import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Authority, createAuthority, issueServingCertificate } from '../authn/certificates.ts';

/** A kubelet as far as its HTTPS port goes. */
export interface TestKubelet extends AsyncDisposable {
  readonly port: number;
  /** Signs its serving certificate. */
  readonly authority: Authority;
  /** What it was asked so far: path and query, with the common name of who asked. */
  readonly asked: { readonly url: string; readonly client: string | undefined }[];
}

/** Starts one on loopback that answers with `answer`. */
export async function startKubelet(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<TestKubelet> {
  const now = Date.now();
  const validity = { notBefore: new Date(now - 60_000), notAfter: new Date(now + 3_600_000) };
  const authority = createAuthority('kubelet-ca', validity);
  const pair = issueServingCertificate(authority, {
    ...validity,
    commonName: 'kubelet',
    hosts: ['127.0.0.1'],
  });
  const asked: { url: string; client: string | undefined }[] = [];
  const server = createServer(
    { cert: pair.certificate, key: pair.key, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      asked.push({ url: request.url ?? '', client: subject?.CN?.toString() });
      answer(request, response);
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    authority,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
