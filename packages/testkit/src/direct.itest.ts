// Without a socket everything is as it is with one.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createClient, Namespaces, noCredential, TransportError } from '@flotilla/client';
import { clientCases } from './client.cases.ts';
import { informerCases } from './informer.cases.ts';
import { startServer } from './start-server.ts';
import { directTransportTo } from './testing/connect-client.ts';
import { followOverRestart } from './testing/over-restart.ts';

clientCases(startServer, { isDirect: true });
informerCases(startServer, { isDirect: true });

describe('a client in the process of its server', () => {
  test('is nobody without a credential', async () => {
    await using server = await startServer();
    await using transport = directTransportTo({
      ask: server.ask,
      access: { credential: noCredential() },
    });
    const { status } = await transport.send({ method: 'GET', path: '/api/v1/namespaces' });

    assert.equal(status, 401);
  });

  test('follows a server that was away, from where it was', async () => {
    await using server = await startServer();
    await using client = createClient(directTransportTo(server));
    await followOverRestart(server, client, () =>
      assert.rejects(client.get(Namespaces, { name: 'default' }), (error) => {
        assert.ok(error instanceof TransportError);
        assert.equal(error.fault, 'closed');
        return true;
      }),
    );
  });

  test('leaves others their turn, however much it reads', async () => {
    await using server = await startServer();
    await using client = createClient(directTransportTo(server));
    let isOver = false;
    let turns = 0;
    const watching = (): void => {
      turns += 1;
      if (!isOver) setImmediate(watching);
    };
    setImmediate(watching);
    for (let reads = 0; reads < 50; reads++) await client.get(Namespaces, { name: 'default' });
    isOver = true;

    assert.ok(turns >= 50, `${turns} turns for 50 reads`);
  });

  test('ends with everything it has under way', async () => {
    await using server = await startServer();
    const transport = directTransportTo(server);
    const stream = await transport.stream({
      method: 'GET',
      path: '/api/v1/namespaces?watch=true',
    });
    await transport[Symbol.asyncDispose]();

    await assert.rejects(
      async () => {
        for await (const _ of stream);
      },
      { fault: 'closed' },
    );
    await assert.rejects(transport.send({ method: 'GET', path: '/api' }), { fault: 'closed' });
  });
});
