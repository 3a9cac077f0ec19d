import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { createGzip } from 'node:zlib';
import type { ClusterRegistration } from '@flotilla/api';
import { conditionOf, says } from '../testing/builders.ts';
import type { StartServer } from '../testing/world.ts';
import { watchDials } from './testing/dials.ts';
import { type HostileHub, SECRET, startHostileHub } from './testing/hostile-hub.ts';
import {
  type HostileMember,
  startHostileMember,
  startRawMember,
  TOKEN,
} from './testing/hostile-member.ts';
import { listen } from './testing/traps.ts';

const MIB = 1024 * 1024;
const QUICK = { config: { connectionTimeout: '2s' } };
const REVIEW = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const json =
  (status: number, body: unknown): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
const refusal = (code: number, message: string) => ({
  apiVersion: 'v1',
  kind: 'Status',
  status: 'Failure',
  reason: { 401: 'Unauthorized', 403: 'Forbidden' }[code] ?? 'InternalError',
  code,
  message,
});
/** Welcomes everybody but for one path. */
const but =
  (path: string, odd: Answer): Answer =>
  (request, response) => {
    const asked = (request.url ?? '').split('?')[0];
    if (asked === path) odd(request, response);
    else if (asked === REVIEW)
      json(201, { status: { userInfo: { username: 'me' } } })(request, response);
    else if (asked === '/version') json(200, { gitVersion: 'v1.30.0' })(request, response);
    else json(404, refusal(404, 'not found'))(request, response);
  };

/** Registers a member and waits for what becomes of it; a registered Secret is taken for a success. */
async function settle(hub: HostileHub, name: string, member: HostileMember) {
  await hub.register(name, member.kubeconfig, QUICK);
  return hub.until(name, ({ status }) =>
    ['Failed', 'Ready', 'Degraded'].includes(status?.phase ?? ''),
  );
}

/** How it ended: the phase, and why the member cannot be used. */
function outcome(judged: ClusterRegistration): string {
  const wrong = ['APIServerReachable', 'CredentialValid']
    .map((type) => conditionOf(judged, type))
    .find((condition) => condition?.status === 'False');
  return [judged.status?.phase, wrong?.reason].join(' ').trim();
}

async function tellsNothing(hub: HostileHub): Promise<void> {
  const told = await hub.told();
  const at = told.indexOf(SECRET);
  assert.equal(at, -1, told.slice(Math.max(0, at - 400), at + 200));
}

/** What members of strangers cannot do, on any hub. */
export function hostileMemberCases(start: StartServer): void {
  describe('hostile members', () => {
    test('a redirect is not followed, wherever it leads', async () => {
      await using hub = await startHostileHub({ start, allowsLoopback: true });
      await using elsewhere = await listen();
      using dials = watchDials();
      for (const code of [301, 302, 303, 307, 308]) {
        await using member = await startHostileMember((_, response) => {
          response.writeHead(code, {
            location: `https://127.0.0.1:${elsewhere.port}/?token=${SECRET}`,
          });
          response.end();
        });
        const judged = await settle(hub, `to-${code}`, member);
        assert.match(outcome(judged), /^Failed ServerError$/);
        assert.equal(await hub.hasSecret(`to-${code}`), false);
      }
      assert.equal(elsewhere.calls(), 0);
      assert.ok(!dials.attempts.some((each) => each.endsWith(`:${elsewhere.port}`)));
      await tellsNothing(hub);
      await hub.joinGood('good');
    });

    const endless: readonly (readonly [string, Answer])[] = [
      [
        'ten gigabytes, as announced',
        (_, response) => {
          response.writeHead(200, {
            'content-type': 'application/json',
            'content-length': String(10 * 1024 * MIB),
          });
          pour(response);
        },
      ],
      [
        'chunks without an end',
        (_, response) => {
          response.writeHead(201, { 'content-type': 'application/json' });
          pour(response);
        },
      ],
      [
        'a refusal without an end',
        (_, response) => {
          response.writeHead(403, { 'content-type': 'application/json' });
          pour(response);
        },
      ],
      [
        'compressed zeros',
        (_, response) => {
          response.writeHead(200, {
            'content-type': 'application/json',
            'content-encoding': 'gzip',
          });
          const gzip = createGzip();
          gzip.on('error', () => {});
          gzip.pipe(response);
          pour(gzip);
          response.on('close', () => gzip.destroy());
        },
      ],
    ];
    for (const [title, answer] of endless) {
      test(`${title} are cut off, and the hub goes on`, async () => {
        await using hub = await startHostileHub({ start, allowsLoopback: true });
        await using member = await startHostileMember(answer);
        const judged = await settle(hub, 'endless', member);
        assert.match(outcome(judged), /^Failed (ServerError|Timeout)$/);
        await hub.joinGood('good');
        // Five mebibytes and what was on its way; the rest of ten gigabytes was never taken.
        assert.ok(member.sent() < 200 * MIB, `${member.sent() / MIB} MiB`);
        await tellsNothing(hub);
      });
    }

    const slow: readonly (readonly [string, Answer])[] = [
      ['never answers', () => {}],
      [
        'never ends its answer',
        (_, response) => {
          response.writeHead(201, { 'content-type': 'application/json' });
          drip(response);
        },
      ],
      [
        'only announces',
        (_, response) => {
          const timer = setInterval(() => response.writeProcessing(), 20);
          response.on('close', () => clearInterval(timer));
        },
      ],
    ];
    for (const [title, answer] of slow) {
      test(`one that ${title} is given up, and nobody waits for it`, async () => {
        await using hub = await startHostileHub({ start, allowsLoopback: true });
        await using member = await startHostileMember(answer);
        await hub.register('slow', member.kubeconfig, { config: { connectionTimeout: '5s' } });
        // While the pass over the slow one waits.
        await hub.joinGood('good');
        const judged = await hub.until('slow', ({ status }) => status?.phase === 'Failed');
        assert.match(says(judged, 'APIServerReachable'), /^False (Timeout|ServerError)$/);
        assert.equal(says(judged, 'CredentialValid'), 'Unknown Unreachable');
        await tellsNothing(hub);
      });
    }

    test('what is no HTTP is told as such', async () => {
      await using hub = await startHostileHub({ start, allowsLoopback: true });
      const speeches: readonly ((socket: Socket) => void)[] = [
        (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
        (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'),
        (socket) => socket.end('HTTP/1.1 999999 \r\n\r\n'),
        (socket) =>
          socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}{}'),
        (socket) =>
          socket.write(`HTTP/1.1 200 OK\r\n${`x-${'a'.repeat(1000)}: b\r\n`.repeat(1000)}`),
        (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: evil\r\n\r\nx'),
        (socket) =>
          socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${'['.repeat(100_000)}`),
        (socket) => socket.destroy(),
      ];
      for (const [at, speech] of speeches.entries()) {
        await using member = await startRawMember((socket) => {
          socket.once('data', () => speech(socket));
        });
        const judged = await settle(hub, `raw-${at}`, member);
        assert.match(outcome(judged), /^Failed (ServerError|DialFailed|Timeout)$/, `speech ${at}`);
        assert.equal(await hub.hasSecret(`raw-${at}`), false);
      }
      await tellsNothing(hub);
      await hub.joinGood('good');
    });

    test('REG-31 REG-32 odd refusals and odd welcomes register nobody by mistake', async () => {
      await using hub = await startHostileHub({ start, allowsLoopback: true });
      const plain =
        (status: number, text: string): Answer =>
        (_, response) => {
          response.writeHead(status, { 'content-type': 'text/html' });
          response.end(text);
        };
      const anonymous = 'selfsubjectreviews is forbidden: User "system:anonymous" cannot create';
      const cases: readonly (readonly [Answer, RegExp])[] = [
        [plain(401, ''), /^Failed Unauthorized$/],
        [plain(401, '<html>log in</html>'), /^Failed Unauthorized$/],
        [json(401, { kind: 'Pod' }), /^Failed Unauthorized$/],
        [json(401, refusal(200, 'all is well')), /^Failed \w+$/],
        [json(403, refusal(403, anonymous)), /^Failed Anonymous$/],
        [
          json(201, { status: { userInfo: { username: 'system:anonymous' } } }),
          /^Failed Anonymous$/,
        ],
        [json(201, { status: { userInfo: { username: '' } } }), /^Failed Anonymous$/],
        [json(200, refusal(401, 'says the body')), /^Failed \w+$/],
        [json(500, refusal(500, 'broken')), /^Failed ServerError$/],
        [but('/version', json(401, refusal(401, 'who?'))), /./],
      ];
      for (const [at, [answer, wanted]] of cases.entries()) {
        await using member = await startHostileMember(answer);
        const judged = await settle(hub, `odd-${at}`, member);
        assert.match(outcome(judged), wanted, `case ${at}: ${judged.status?.message}`);
        if (outcome(judged).startsWith('Failed')) {
          assert.equal(await hub.hasSecret(`odd-${at}`), false);
        }
      }
      await tellsNothing(hub);
    });

    test('facts without an end are cut short, and can be stored', async () => {
      await using hub = await startHostileHub({ start, allowsLoopback: true });
      const long = 'x'.repeat(3 * MIB);
      const metadata = { name: 'kube-system', uid: long };
      const tales: readonly Answer[] = [
        json(201, { status: { userInfo: { username: long } } }),
        but('/version', json(200, { gitVersion: long, major: long, minor: long, platform: long })),
        but(
          '/api/v1/namespaces/kube-system',
          json(200, { apiVersion: 'v1', kind: 'Namespace', metadata }),
        ),
        json(500, refusal(500, long)),
      ];
      for (const [at, tale] of tales.entries()) {
        await using member = await startHostileMember(tale);
        const judged = await settle(hub, `tale-${at}`, member);
        assert.ok(JSON.stringify(judged.status).length < 20_000, `tale ${at}`);
      }
    });

    test('a credential that a member says back to us is told to nobody', async () => {
      await using hub = await startHostileHub({ start, allowsLoopback: true });
      const echoes: readonly Answer[] = [
        (request, response) =>
          json(500, refusal(500, `cannot handle ${request.headers.authorization}`))(
            request,
            response,
          ),
        (_, response) => {
          response.writeHead(500, { 'content-type': 'text/plain' });
          response.end(`Authorization: Bearer ${TOKEN}`);
        },
        (_, response) => {
          response.writeHead(500, TOKEN, {
            'content-type': 'text/plain',
            warning: `299 - "${TOKEN}"`,
          });
          response.end();
        },
        json(403, refusal(403, `User "${TOKEN}" cannot create`)),
        json(201, { status: { userInfo: { username: TOKEN } } }),
        but(
          '/version',
          json(200, { gitVersion: TOKEN, major: TOKEN, minor: TOKEN, platform: TOKEN }),
        ),
        but(
          '/api/v1/namespaces/kube-system',
          json(200, {
            apiVersion: 'v1',
            kind: 'Namespace',
            metadata: { name: 'kube-system', uid: TOKEN },
          }),
        ),
        but('/api/v1/namespaces/vela-system', json(500, refusal(500, `no: ${TOKEN}`))),
        but('/api/v1/namespaces', json(403, refusal(403, `no: ${TOKEN}`))),
      ];
      for (const [at, echo] of echoes.entries()) {
        await using member = await startHostileMember(echo);
        const judged = await settle(hub, `echo-${at}`, member);
        // Whatever the member makes of the namespace, the cluster is registered.
        if (at >= 7) {
          assert.equal(judged.status?.phase, 'Ready');
          assert.equal(conditionOf(judged, 'NamespaceCreated')?.status, 'False');
        }
      }
      await tellsNothing(hub);
      const told = await hub.told();
      assert.ok(!told.includes('Reconcile failed'), 'a member makes passes fail');
    });
  });
}

/** Writes as fast as it is taken, without an end. */
function pour(stream: NodeJS.WritableStream & { destroyed?: boolean }): void {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const more = (): void => {
    while (stream.destroyed !== true && stream.write(piece));
  };
  stream.on('drain', more);
  more();
}

/** A byte now and then. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}
