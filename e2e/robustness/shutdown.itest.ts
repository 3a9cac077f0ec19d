import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startServer } from '@flotilla/apiserver';
import { startInMemory } from '../../packages/apiserver/src/testing/start-in-memory.ts';
import { connectClient, connectSocket, PROTOCOLS, readAll } from './client.ts';
import { readTarget, startFlotilla, temporaryFolder } from './flotilla-process.ts';
import { halfSent } from './half-sent.ts';
import { ResumingWatch } from './watch-reader.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
/** Far less than the grace for requests under way, which a stop must not need. */
const SECONDS = 5_000;

describe('SIGTERM', () => {
  test('lets writes finish and ends watches after a bookmark, within seconds and with code 0', async () => {
    using folder = temporaryFolder();
    const options = { dataFolder: join(folder.path, 'data') };
    await using server = await startFlotilla(options);
    using h1 = connectClient(server.target, 'h1');
    using h2 = connectClient(server.target, 'h2');
    const watches = await Promise.all(
      [h1, h2].map(async (client) => {
        const query = 'watch=true&allowWatchBookmarks=true&resourceVersion=1';
        return (await client.open(`GET ${PATH}?${query}`)).body;
      }),
    );
    const endings = watches.map(readAll);
    const slow = await connectSocket(server.target);
    const last = halfSent(server.target, `POST ${PATH}`, { metadata: { name: 'slow' } });
    slow.write(last.first);
    using idle = connectClient(server.target, 'h1');
    await idle.send('GET /readyz');

    const begun = performance.now();
    server.kill('SIGTERM');
    const ended = await Promise.all(endings);

    for (const body of ended) {
      const lines = body.toString().trimEnd().split('\n');
      const { type, object } = JSON.parse(lines.at(-1) ?? '{}');
      assert.equal(type, 'BOOKMARK');
      assert.ok(Number(object.metadata.resourceVersion) > 1);
    }
    await assert.rejects(connectSocket(server.target), { code: 'ECONNREFUSED' });
    slow.write(last.rest);
    assert.match(String(await readAll(slow)), /^HTTP\/1.1 201 .*connection: close/is);
    assert.deepEqual(await server.exited, { code: 0, signal: null });
    assert.ok(performance.now() - begun < SECONDS, 'too slow');
    assert.match(server.output(), /Stopping.*\nStopped\n$/);
    await using again = await startFlotilla(options);
    using client = connectClient(again.target);
    assert.equal((await client.send(`GET ${PATH}/slow`)).status, 200);
  });

  test('is not held up by clients that watch again at once on the same connection', async () => {
    using folder = temporaryFolder();
    await using server = await startFlotilla({ dataFolder: join(folder.path, 'data') });
    const clients = PROTOCOLS.map((protocol) => connectClient(server.target, protocol));
    const watching = clients.flatMap((client) =>
      Array.from({ length: 5 }, async () => {
        const watch = new ResumingWatch(PATH, 1);
        try {
          for (;;) {
            await watch.attach(client);
            await watch.ended;
          }
        } catch {
          // Nobody listens any more.
        }
      }),
    );
    await Promise.all(clients.map((client) => client.send('GET /version')));
    const begun = performance.now();

    server.kill('SIGTERM');

    assert.deepEqual(await server.exited, { code: 0, signal: null });
    assert.ok(performance.now() - begun < SECONDS, `${performance.now() - begun} ms`);
    await Promise.all(watching);
    for (const client of clients) client.close();
  });

  test('ends a watch that was asked for in the very moment it begins to stop', async () => {
    using folder = temporaryFolder();
    await using server = await startFlotilla({ dataFolder: join(folder.path, 'data') });
    const sockets = await Promise.all(
      Array.from({ length: 20 }, () => connectSocket(server.target)),
    );
    const request = `GET ${PATH}?watch=true&resourceVersion=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.target.token}\r\n\r\n`;
    const begun = performance.now();

    server.kill('SIGTERM');
    // Some come before, some after the server has noticed the signal.
    for (const socket of sockets) {
      socket.write(request);
      socket.on('data', (chunk) => {
        if (String(chunk).endsWith('0\r\n\r\n')) socket.write(request);
      });
      await delay(1);
    }

    assert.deepEqual(await server.exited, { code: 0, signal: null });
    assert.ok(performance.now() - begun < SECONDS, `${performance.now() - begun} ms`);
  });

  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    test(`a second ${signal} ends at once, whatever is under way`, async () => {
      using folder = temporaryFolder();
      await using server = await startFlotilla({ dataFolder: join(folder.path, 'data') });
      const slow = await connectSocket(server.target);
      slow.write(halfSent(server.target, `POST ${PATH}`, { metadata: { name: 'slow' } }).first);
      using client = connectClient(server.target);
      await client.send('GET /version');
      server.kill(signal);
      while (!server.output().includes('Stopping')) await delay(5);

      server.kill(signal);

      assert.deepEqual(await server.exited, { code, signal: null });
      assert.doesNotMatch(server.output(), /Stopped/);
    });
  }

  test('at the moment it is ready is honoured', async () => {
    using folder = temporaryFolder();
    await using server = await startFlotilla({ dataFolder: join(folder.path, 'data') });

    server.kill('SIGTERM');

    assert.deepEqual(await server.exited, { code: 0, signal: null });
  });
});

describe('a server that stops', () => {
  test('says at /readyz that it does, and still serves, while load balancers notice', async () => {
    using folder = temporaryFolder();
    const kubeconfigFile = join(folder.path, 'kubeconfig');
    const server = await startServer({
      dataFolder: join(folder.path, 'data'),
      kubeconfigFile,
      port: 0,
      log: () => {},
      shutdownDelayMs: 500,
    });
    const target = readTarget(kubeconfigFile);
    using client = connectClient(target);
    assert.equal((await client.send('GET /readyz')).status, 200);

    const stopped = server.stop();

    using newcomer = connectClient(target, 'h1');
    const ready = await newcomer.send('GET /readyz');
    const [live, written] = await Promise.all([
      newcomer.send('GET /livez'),
      newcomer.send(`POST ${PATH}`, { body: { metadata: { name: 'late' } } }),
    ]);
    assert.deepEqual([ready.status, live.status, written.status], [500, 200, 201]);
    assert.match(ready.body.toString(), /\[-\]shutdown failed/);
    await stopped;
    await assert.rejects(connectSocket(target), { code: 'ECONNREFUSED' });
  });

  test('ends watches that were asked for before and begin after', async () => {
    await using server = await startInMemory();

    server.api.endWatches();

    const query = 'watch=true&allowWatchBookmarks=true&resourceVersion=1';
    const answer = await server.send(`GET ${PATH}?${query}`);
    const lines = (await answer.whole()).toString().trimEnd().split('\n');
    assert.equal(JSON.parse(lines.at(-1) ?? '{}').type, 'BOOKMARK');
  });
});
