import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request as sendRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Access } from '@flotilla/client';
import { type TestPair, testPair } from '../../../cluster-secret/testing/certificate.ts';
import type { WriteGate } from './write-gate.ts';

/** A server as it is reached through a gate. */
export interface GateProxy extends AsyncDisposable {
  readonly access: Access;
}

/** What a proxy is made of. */
export interface GateProxyOptions {
  readonly gate: WriteGate;
  /** The server, as the gate names it. */
  readonly name: string;
  readonly target: Access;
  /** What whoever comes with a certificate comes with: TLS ends here, and begins again with the same one. */
  readonly pair?: TestPair;
}

/** Leads whatever connects to it through a gate, another process included. */
export async function startGateProxy(options: GateProxyOptions): Promise<GateProxy> {
  const { gate, target, pair } = options;
  const serving = testPair('127.0.0.1', { hosts: ['127.0.0.1'] });
  const { ca } = target.tls;
  const plain = new Agent({ keepAlive: true, ca });
  const certified = new Agent({ keepAlive: true, ca, cert: pair?.certificate, key: pair?.key });
  const agents = new WeakMap<object, Agent>();
  const server = createServer(
    { cert: serving.certificate, key: serving.key, requestCert: true, rejectUnauthorized: false },
    (asked, answer) => {
      const agent = agents.get(asked.socket) ?? plain;
      // A server or a client that is gone: whoever waits for the answer sees that by the connection.
      pass(options, { asked, answer, agent }).catch(() => asked.socket.destroy());
    },
  );
  server.keepAliveTimeout = 0;
  server.on('secureConnection', (socket: TLSSocket) => {
    if (gate.isSprung) {
      socket.destroy();
      return;
    }
    const hasCertificate = Object.keys(socket.getPeerCertificate()).length > 0;
    agents.set(socket, hasCertificate ? certified : plain);
    socket.once(
      'close',
      gate.onSpring(() => socket.destroy()),
    );
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    access: {
      ...target,
      server: `https://127.0.0.1:${port}`,
      tls: { ca: serving.certificate },
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      plain.destroy();
      certified.destroy();
    },
  };
}

interface Passing {
  readonly asked: IncomingMessage;
  readonly answer: ServerResponse;
  readonly agent: Agent;
}

async function pass({ gate, name, target }: GateProxyOptions, passing: Passing): Promise<void> {
  const { asked, answer } = passing;
  const { method = 'GET', url: path = '/' } = asked;
  const body = await wholeOf(asked);
  const fate = gate.admit(name, { method, path, body });
  if (fate === 'die before it') gate.spring();
  if (fate === 'die before it' || fate === 'dead already') {
    asked.socket.destroy();
    return;
  }
  const reply = await forward(new URL(target.server), { ...passing, body });
  if (fate === 'die after it') {
    await wholeOf(reply);
    gate.spring();
    return;
  }
  answer.writeHead(reply.statusCode ?? 500, reply.headers);
  // So that a watch is known to have begun before anything happens.
  answer.flushHeaders();
  reply.pipe(answer);
}

async function wholeOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function forward(
  { host, hostname, port }: URL,
  { asked, answer, agent, body }: Passing & { readonly body: Buffer },
): Promise<IncomingMessage> {
  const { method, url: path, headers } = asked;
  const { 'transfer-encoding': _chunked, 'content-length': _length, ...kept } = headers;
  const length = body.length === 0 ? {} : { 'content-length': String(body.length) };
  const to = { host: hostname, port, agent, method, path };
  return new Promise((resolve, reject) => {
    const sent = sendRequest({ ...to, headers: { ...kept, ...length, host } }, resolve);
    sent.once('error', reject);
    // A watch that nobody listens to any more.
    answer.once('close', () => {
      if (!answer.writableEnded) sent.destroy();
    });
    sent.end(body);
  });
}
