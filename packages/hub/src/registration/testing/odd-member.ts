import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Access } from '@flotilla/client';
import { type TestPair, testPair } from '../../cluster-secret/testing/certificate.ts';

/** A member that answers what a test wants, for what no proper server does. */
export interface OddMember extends AsyncDisposable {
  readonly access: Access;
  /** `METHOD path` of every request so far. */
  readonly asked: string[];
  /** Answers by `METHOD path`; what is not there is 404. May be changed at any time. */
  answers: Record<string, OddAnswer>;
}

/** An answer: a status and a body. */
export type OddAnswer = readonly [status: number, body?: object];

/** A member that welcomes everybody by the name given. */
export function welcoming(user: string, clusterID = 'odd'): Record<string, OddAnswer> {
  return {
    'POST /apis/authentication.k8s.io/v1/selfsubjectreviews': [
      201,
      { kind: 'SelfSubjectReview', status: { userInfo: { username: user } } },
    ],
    'GET /version': [
      200,
      { major: '1', minor: '30', gitVersion: 'v1.30.1', platform: 'linux/amd64' },
    ],
    'GET /api/v1/namespaces/kube-system': [
      200,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: clusterID } },
    ],
    'GET /api/v1/namespaces/vela-system': [
      200,
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'vela-system' },
        status: { phase: 'Active' },
      },
    ],
  };
}

/** A refusal as an API server words it. */
export function refusal(code: number, reason: string, message = reason): OddAnswer {
  return [code, { apiVersion: 'v1', kind: 'Status', status: 'Failure', code, reason, message }];
}

/** Starts one. */
export async function startOddMember(
  answers: Record<string, OddAnswer>,
  pair: TestPair = servingPair(),
): Promise<OddMember> {
  const asked: string[] = [];
  const member = { answers };
  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    const path = (request.url ?? '').split('?')[0];
    const what = `${request.method} ${path}`;
    asked.push(what);
    const [status, body] = member.answers[what] ?? refusal(404, 'NotFound');
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const access: Access = {
    server: `https://127.0.0.1:${port}`,
    tls: { ca: pair.certificate },
    namespace: 'default',
    credential: { present: async () => ({}), refused: async () => false },
  };
  return {
    access,
    asked,
    get answers() {
      return member.answers;
    },
    set answers(next) {
      member.answers = next;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function servingPair(): TestPair {
  return testPair('127.0.0.1', { hosts: ['127.0.0.1'] });
}
