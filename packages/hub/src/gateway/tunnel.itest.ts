import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { eventually } from '@flotilla/testkit';
import { GATEWAYS, type GatewayHub, startHub } from './testing/gateway-hub.ts';
import { recordingMember } from './testing/recording-member.ts';

const EXEC = `${GATEWAYS}/west/proxy/api/v1/namespaces/a/pods/b/exec`;
const SPDY = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4' };

describe('a tunnel of the gateway', () => {
  test('carries bytes both ways once the member has agreed, SPDY and WebSocket alike', async () => {
    await using hub = await startHub();
    await using west = await echoing();
    await hub.join('west', west.access());

    for (const [method, headers] of [
      ['POST', SPDY],
      ['GET', { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'k' }],
    ] as const) {
      const opened = await open(hub, { method, headers });
      assert.equal(opened.status, 101);
      assert.equal(opened.headers['upgrade'], headers.upgrade);
      assert.equal(opened.headers['x-of-member'], 'yes');
      const said = reader(opened.socket, opened.head);
      await eventually(() => said() === 'hello ');
      opened.socket.write('one');
      await eventually(() => said() === 'hello one');
      const much = 'x'.repeat(1024 * 1024);
      opened.socket.write(much);
      await eventually(() => said().length === 'hello one'.length + much.length);
      opened.socket.destroy();
      await eventually(
        () => west.open(),
        (left) => left === 0,
      );
    }
    const [spdy, websocket] = west.seen;
    assert.equal(spdy?.url, '/api/v1/namespaces/a/pods/b/exec?command=sh');
    assert.equal(spdy?.headers['authorization'], 'Bearer the-clusters-own');
    assert.equal(spdy?.headers['x-stream-protocol-version'], 'v4');
    assert.equal(spdy?.headers['upgrade'], 'SPDY/3.1');
    assert.equal(websocket?.headers['sec-websocket-key'], 'k');
  });

  test('ends for the client when the member ends it', async () => {
    await using hub = await startHub();
    await using west = await recordingMember({
      upgrade: (_request, socket) => {
        socket.end(`${SWITCHING}bye`);
      },
    });
    await hub.join('west', west.access());

    const opened = await open(hub, { headers: SPDY });
    const said = reader(opened.socket, opened.head);
    await once(opened.socket, 'close');
    assert.equal(said(), 'bye');
  });

  test('is refused in the words of the member, or of the gateway', async () => {
    await using hub = await startHub();
    await using west = await recordingMember({
      upgrade: (_request, socket) => {
        socket.end(
          'HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nno',
        );
      },
    });
    await hub.join('west', west.access());

    const refused = await open(hub, { headers: SPDY });
    assert.equal(refused.status, 403);
    assert.equal(refused.head.toString(), 'no');
    refused.socket.destroy();
    const unknown = await open(hub, {
      headers: SPDY,
      path: EXEC.replace('/west/', '/none/'),
    });
    assert.equal(unknown.status, 500);
    assert.match(unknown.head.toString(), /no such cluster none/);
    unknown.socket.destroy();
    await west.stop();
    const away = await open(hub, { headers: SPDY });
    assert.equal(away.status, 500);
    assert.match(away.head.toString(), /dial tcp 127\.0\.0\.1:\d+: connect: connection refused/);
    away.socket.destroy();
  });

  test('does not show the member the token that a browser puts among its protocols', async () => {
    await using hub = await startHub();
    await using west = await echoing();
    await hub.join('west', west.access());
    const token = Buffer.from('admin').toString('base64url');
    const opened = await open(hub, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-protocol': `base64url.bearer.authorization.k8s.io.${token}, v5.channel.k8s.io`,
      },
    });
    opened.socket.destroy();

    assert.equal(west.seen[0]?.headers['sec-websocket-protocol'], 'v5.channel.k8s.io');
  });

  test('is cut when the hub stops', async () => {
    await using hub = await startHub();
    await using west = await echoing();
    await hub.join('west', west.access());
    const opened = await open(hub, { headers: SPDY });
    opened.socket.on('error', () => {});
    const closed = once(opened.socket, 'close');
    opened.socket.resume();

    await hub.server.stop();
    await closed;
    await eventually(
      () => west.open(),
      (left) => left === 0,
    );
  });
});

const SWITCHING =
  'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: SPDY/3.1\r\nx-of-member: yes\r\n\r\n';

/** Agrees to everything, greets, and says what it hears. */
function echoing() {
  return recordingMember({
    upgrade: (request, socket, head) => {
      const { upgrade = '' } = request.headers;
      // The greeting comes with the headers.
      socket.write(`${SWITCHING.replace('SPDY/3.1', upgrade)}hello `);
      socket.write(head);
      socket.pipe(socket);
    },
  });
}

interface Opening {
  readonly method?: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly path?: string;
}

function open(hub: GatewayHub, { method = 'POST', headers, path = EXEC }: Opening) {
  return hub.client.transport.upgrade({ method, path: `${path}?command=sh`, headers });
}

function reader(socket: Duplex, head: Buffer): () => string {
  let text = head.toString();
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return () => text;
}
