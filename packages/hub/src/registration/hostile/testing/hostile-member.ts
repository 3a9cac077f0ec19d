import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { testPair } from '../../../cluster-secret/testing/certificate.ts';
import { kubeconfig } from '../../testing/builders.ts';
import { SECRET } from './hostile-hub.ts';

/** A server that a registration leads to, and that means no good. */
export interface HostileMember extends AsyncDisposable {
  readonly url: string;
  /** Leads here with a token. */
  readonly kubeconfig: string;
  /** Of answers, as far as somebody took them. */
  readonly sent: () => number;
  readonly requests: () => number;
}

/** The token that strangers are shown. */
export const TOKEN = `${SECRET}-token-of-a-member`;

const pair = testPair('127.0.0.1', { hosts: ['127.0.0.1'] });

/** Starts one that speaks HTTP. */
export function startHostileMember(listener: RequestListener): Promise<HostileMember> {
  let requests = 0;
  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    requests++;
    response.on('error', () => {});
    request.resume();
    listener(request, response);
  });
  return opened(server, () => requests);
}

/** Starts one that speaks whatever it likes. */
export function startRawMember(speak: (socket: Socket) => void): Promise<HostileMember> {
  let requests = 0;
  const server = createTlsServer({ cert: pair.certificate, key: pair.key }, (socket) => {
    requests++;
    speak(socket);
  });
  return opened(server, () => requests);
}

async function opened(
  server: ReturnType<typeof createTlsServer>,
  requests: () => number,
): Promise<HostileMember> {
  const sockets = new Set<Socket>();
  let closed = 0;
  server.on('secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      closed += socket.bytesWritten;
      sockets.delete(socket);
    });
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    kubeconfig: kubeconfig({ server: url, ca: pair.certificate, token: TOKEN }),
    requests,
    sent: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, closed),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
