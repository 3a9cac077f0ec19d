import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Access, createTransport, type Transport, TransportError } from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import { startServer } from '@flotilla/testkit';
import { failure } from '../../packages/client/src/transport/testing/failure.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const JSON_BODY = { 'content-type': 'application/json' };

describe('the embedded API server over a transport', () => {
  test('answers, watches and comes back after a restart', async () => {
    await using server = await startServer();
    await using transport = connect(server.access);
    assert.equal((await create(transport, 'first')).status, 201);
    const watch = await transport.stream({ method: 'GET', path: `${MAPS}?watch=true` });
    const names = eventsOf(watch);
    await names.until('first');

    await server.stop();
    const ended = await names.ended;
    const down = await failure(transport.send({ method: 'GET', path: MAPS }));
    await server.start();

    assert.ok(ended === undefined || ended instanceof TransportError, String(ended));
    assert.ok(['unreachable', 'closed'].includes(down.fault), down.message);
    assert.equal((await create(transport, 'second')).status, 201);
    const again = eventsOf(await transport.stream({ method: 'GET', path: `${MAPS}?watch=true` }));
    await again.until('second');
    again.close();
  });

  test('answers a thousand requests at once over a few connections', async () => {
    await using server = await startServer();
    await using transport = connect(server.access);
    await create(transport, 'one');

    const answers = await Promise.all(
      Array.from({ length: 1000 }, () => transport.send({ method: 'GET', path: `${MAPS}/one` })),
    );

    assert.ok(answers.every(({ status, body }) => status === 200 && body.includes('"name":"one"')));
  });

  test('sees who is impersonated', async () => {
    await using server = await startServer();
    await using transport = connect({
      ...server.access,
      impersonate: { user: 'jane', groups: ['a', 'b'], extra: { 'Acme.io/scope': ['x'] } },
    });

    const { body } = await transport.send({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      headers: JSON_BODY,
      body: '{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1"}',
    });

    const { userInfo } = JSON.parse(body.toString()).status;
    assert.equal(userInfo.username, 'jane');
    assert.deepEqual(userInfo.groups, ['a', 'b', 'system:authenticated']);
    assert.deepEqual(userInfo.extra, { 'acme.io/scope': ['x'] });
  });

  test('compresses long lists, and they arrive whole', async () => {
    await using server = await startServer();
    await using transport = connect(server.access);
    const data = 'x'.repeat(5000);
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => create(transport, `m${index}`, data)),
    );

    const { body, headers } = await transport.send({ method: 'GET', path: MAPS });

    assert.ok(JSON.parse(body.toString()).items.length >= 60);
    assert.equal(headers['content-encoding'], undefined);
    await assert.rejects(transport.send({ method: 'GET', path: MAPS, maxBytes: 100_000 }), {
      fault: 'too-large',
    });
  });
});

function connect(access: Access): Transport {
  return createTransport({ access, clock: systemClock, random: () => 0 });
}

function create(transport: Transport, name: string, value = 'v') {
  const body = JSON.stringify({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name },
    data: { k: value },
  });
  return transport.send({ method: 'POST', path: MAPS, headers: JSON_BODY, body });
}

/** Reads a watch until a name is in it. */
function eventsOf(watch: AsyncIterable<Buffer> & { close: () => void }) {
  let text = '';
  let onText: (() => void) | undefined;
  const ended = (async () => {
    try {
      for await (const piece of watch) {
        text += piece.toString();
        onText?.();
      }
      return undefined;
    } catch (error) {
      return error;
    }
  })();
  return {
    ended,
    close: () => watch.close(),
    until: async (name: string) => {
      while (!text.includes(`"name":"${name}"`)) {
        await new Promise<void>((resolve) => {
          onText = resolve;
        });
      }
    },
  };
}
