import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secrets } from '@flotilla/client';
import { eventually, startServer } from '@flotilla/testkit';
import { accessTo, GATEWAYS, type GatewayHub, NAMESPACE, startHub } from './testing/gateway-hub.ts';
import { recordingMember } from './testing/recording-member.ts';

const WEST = `${GATEWAYS}/west/proxy`;

describe('connections of the gateway', () => {
  test('are kept for the next request', async () => {
    await using hub = await startHub();
    await using west = await recordingMember();
    await hub.join('west', west.access());

    for (let count = 0; count < 5; count += 1) await send(hub, `${WEST}/api`);
    assert.equal(west.dialled(), 1);
  });

  test('are closed when nobody needs them', async () => {
    await using hub = await startHub({ limits: { idleMs: 50 } });
    await using west = await recordingMember();
    await hub.join('west', west.access());

    await send(hub, `${WEST}/api`);
    await eventually(
      () => west.open(),
      (open) => open === 0,
    );
    assert.equal((await send(hub, `${WEST}/api`)).status, 200);
    assert.equal(west.dialled(), 2);
  });

  test('change with the credential: the very next request has the new one', async () => {
    await using hub = await startHub();
    const release: (() => void)[] = [];
    await using west = await recordingMember({
      answer: (request, response) => {
        if (request.url === '/slow') release.push(() => response.end('slow'));
        else response.end('ok');
      },
    });
    await hub.join('west', west.access('first'));
    await send(hub, `${WEST}/api`);
    const slow = send(hub, `${WEST}/slow`);
    await eventually(() => release.length === 1);

    await hub.join('west', west.access('second'));
    await send(hub, `${WEST}/api`);
    assert.deepEqual(
      west.seen.map(({ headers }) => headers.authorization),
      ['Bearer first', 'Bearer first', 'Bearer second'],
    );
    // What is under way ends as it began, and its connection with it.
    release[0]?.();
    assert.equal((await slow).body.toString(), 'slow');
    await eventually(
      () => west.open(),
      (open) => open === 1,
    );
    // Labels are no part of the credential.
    await hub.join('west', west.access('second'), { labels: { region: 'west' } });
    const dialled = west.dialled();
    await send(hub, `${WEST}/api`);
    assert.equal(west.dialled(), dialled);
  });

  test('go with the Secret', async () => {
    await using hub = await startHub();
    await using west = await recordingMember();
    await hub.join('west', west.access());
    await send(hub, `${WEST}/api`);
    assert.equal(west.open(), 1);

    await hub.client.delete(Secrets, { namespace: NAMESPACE, name: 'west' });
    const { status, body } = await send(hub, `${WEST}/api`);
    assert.equal(status, 500);
    assert.match(body.toString(), /no such cluster west/);
    await eventually(
      () => west.open(),
      (open) => open === 0,
    );
  });

  test('are let go of longest unused first when there are too many members', async () => {
    await using hub = await startHub({ limits: { members: 2 } });
    await using one = await recordingMember();
    await using two = await recordingMember();
    await using three = await recordingMember();
    for (const [name, member] of Object.entries({ one, two, three })) {
      await hub.join(name, member.access());
      await send(hub, `${GATEWAYS}/${name}/proxy/api`);
    }

    await eventually(
      () => one.open(),
      (open) => open === 0,
    );
    assert.deepEqual([two.open(), three.open()], [1, 1]);
  });

  test('are bounded for each member; who comes too many is told to come again', async () => {
    await using hub = await startHub({ limits: { connections: 2 } });
    const release: (() => void)[] = [];
    await using west = await recordingMember({
      answer: (_request, response) => release.push(() => response.end('late')),
    });
    await hub.join('west', west.access());
    const waiting = [send(hub, `${WEST}/1`), send(hub, `${WEST}/2`)];
    await eventually(() => release.length === 2);

    const call = await hub.client.transport.stream({
      method: 'POST',
      path: `${WEST}/3`,
      body: '{}',
    });
    assert.equal(call.status, 429);
    assert.equal(call.headers['retry-after'], '1');
    call.close();
    for (const each of release) each();
    assert.deepEqual(
      (await Promise.all(waiting)).map(({ status }) => status),
      [200, 200],
    );
    const after = send(hub, `${WEST}/4`);
    await eventually(() => release.length === 3);
    release[2]?.();
    assert.equal((await after).status, 200);
  });

  test('that a member closes under a read are made anew, unseen by the client', async () => {
    await using hub = await startHub();
    await using west = await recordingMember({
      answer: (request, response) => {
        // The second request of a connection meets its end.
        const { socket } = request as { socket: { used?: boolean; destroy: () => void } };
        if (socket.used === true) socket.destroy();
        else response.end('ok');
        socket.used = true;
      },
    });
    await hub.join('west', west.access());

    for (let count = 0; count < 3; count += 1) {
      assert.equal((await send(hub, `${WEST}/api`)).status, 200);
    }
    const write = await hub.client.transport.send({
      method: 'POST',
      path: `${WEST}/api`,
      body: '{}',
    });
    // Nobody knows whether the member acted on it.
    assert.equal(write.status, 500);
    assert.match(write.body.toString(), /"message":"EOF"/);
  });

  test('end watches when the hub stops, and work again when it is back', async () => {
    await using hub = await startHub();
    await using west = await startServer();
    await hub.join('west', await accessTo(west));
    const stream = await hub.client.transport.stream({
      method: 'GET',
      path: `${WEST}/api/v1/namespaces?watch=true`,
      timeouts: { totalMs: 0 },
    });
    const ended = (async () => {
      for await (const _chunk of stream);
    })().then(
      () => 'ended',
      () => 'broken',
    );

    await hub.server.stop();
    assert.equal(await ended, 'ended');
    await hub.server.start();
    assert.equal((await send(hub, `${WEST}/version`)).status, 200);
  });

  test('do not outlive a member that restarts, and are there for it again', async () => {
    await using hub = await startHub();
    await using west = await startServer();
    await hub.join('west', await accessTo(west));
    const watch = await hub.client.transport.stream({
      method: 'GET',
      path: `${WEST}/api/v1/namespaces?watch=true`,
      timeouts: { totalMs: 0 },
    });
    const over = (async () => {
      for await (const _chunk of watch);
    })().catch(() => {});
    await send(hub, `${WEST}/version`);

    await west.stop();
    await over;
    assert.match((await send(hub, `${WEST}/version`)).body.toString(), /dial tcp/);
    await west.start();
    assert.equal((await send(hub, `${WEST}/version`)).status, 200);
  });

  test('are made only where the hub may dial', async () => {
    await using west = await recordingMember();
    const asked: string[] = [];
    await using hub = await startHub({
      policy: {
        checkEndpoint: async (url) => {
          asked.push(url);
          return url.includes('127.0.0.1')
            ? 'Cannot use "127.0.0.1" as an endpoint: it is loopback'
            : undefined;
        },
        allowsAddress: () => false,
      },
    });
    await hub.join('west', west.access());
    const refused = await send(hub, `${WEST}/api`);
    assert.equal(refused.status, 403);
    assert.match(refused.body.toString(), /it is loopback/);
    // A name that passed may lead where no address may.
    await hub.join('west', {
      ...west.access(),
      endpoint: west.url.replace('127.0.0.1', 'localhost'),
    });
    const strayed = await send(hub, `${WEST}/api`);
    assert.equal(strayed.status, 500);
    assert.match(strayed.body.toString(), /may be dialled/);
    assert.equal(asked.length, 2);
    assert.equal(west.dialled(), 0);
  });
});

function send(hub: GatewayHub, path: string) {
  return hub.client.transport.send({ method: 'GET', path });
}
