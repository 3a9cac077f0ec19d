import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createAuthority, issueServingCertificate } from '../authn/certificates.ts';

/** An AdmissionReview as a webhook receives it. */
export interface ReceivedReview {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly review: {
    readonly apiVersion: string;
    readonly request: Record<string, unknown> & { readonly uid: string };
  };
}

/** Answers a review: with a response, or with whatever it does to the raw answer. */
export type WebhookBehaviour = (
  received: ReceivedReview,
  answer: ServerResponse,
) => Record<string, unknown> | undefined | Promise<Record<string, unknown> | undefined>;

/** A webhook on a free loopback port, with a certificate of its own authority. */
export interface TestWebhook extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** As configurations want it: PEM in base64. */
  readonly caBundle: string;
  /** Everything asked so far. */
  readonly received: ReceivedReview[];
  /** Connections made so far. */
  readonly connections: () => number;
  /** Closes all connections, as a server does with idle ones. */
  readonly hangUp: () => void;
  /** Changes what is answered from now on at a path; `/` is the answer of all others. */
  readonly on: (path: string, behaviour: WebhookBehaviour) => void;
}

/** Starts one that allows everything until told otherwise. */
export async function startWebhook(
  hosts: readonly string[] = ['127.0.0.1', 'localhost', 'hook.default.svc'],
): Promise<TestWebhook> {
  const now = Date.now();
  const validity = { notBefore: new Date(now - 60_000), notAfter: new Date(now + 3_600_000) };
  const authority = createAuthority('webhook-ca', validity);
  const pair = issueServingCertificate(authority, { ...validity, commonName: 'webhook', hosts });
  const behaviours = new Map<string, WebhookBehaviour>([['/', () => ({ allowed: true })]]);
  const received: ReceivedReview[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ key: pair.key, cert: pair.certificate }, (request, answer) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      const review = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const call = { path: request.url ?? '', headers: request.headers, review };
      received.push(call);
      const behave = behaviours.get(path) ?? behaviours.get('/');
      void Promise.resolve(behave?.(call, answer)).then((response) => {
        if (response === undefined) return;
        answer.setHeader('content-type', 'application/json');
        answer.end(
          JSON.stringify({
            kind: 'AdmissionReview',
            apiVersion: review.apiVersion,
            response: { uid: review.request.uid, ...response },
          }),
        );
      });
    });
  });
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    caBundle: Buffer.from(authority.certificate).toString('base64'),
    received,
    connections: () => connections,
    hangUp: () => {
      for (const socket of sockets) socket.destroy();
    },
    on: (path, behaviour) => behaviours.set(path, behaviour),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A JSON patch as responses carry it. */
export function patchOf(operations: readonly object[]): Record<string, string> {
  return {
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
  };
}
