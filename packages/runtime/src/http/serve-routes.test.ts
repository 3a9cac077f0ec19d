import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { type LogFields, silentLogger } from '../observer.ts';
import { plain, type Route } from './answer.ts';
import { serveRoutes } from './serve-routes.ts';

describe('a server of routes', () => {
  test('answers with the first route that knows the path, on loopback', async () => {
    await using server = await start([
      ({ path }) => (path === '/a' ? plain(200, 'first') : undefined),
      async ({ path, query }) => (path === '/b' ? plain(503, query.get('q') ?? '') : undefined),
    ]);

    const [a, b, c] = await Promise.all([
      ask(server.port, '/a'),
      ask(server.port, '/b?q=1'),
      ask(server.port, '/c'),
    ]);

    assert.deepEqual([a.status, a.body], [200, 'first']);
    assert.equal(a.headers['content-type'], 'text/plain; charset=utf-8');
    assert.deepEqual([b.status, b.body], [503, '1']);
    assert.equal(c.status, 404);
  });

  test('answers HEAD without a body and refuses what would write', async () => {
    await using server = await start([() => plain(200, 'body')]);

    const head = await ask(server.port, '/', { method: 'HEAD' });
    const post = await ask(server.port, '/', { method: 'POST' });

    assert.deepEqual([head.status, head.body, head.headers['content-length']], [200, '', '4']);
    assert.equal(post.status, 405);
  });

  test('on loopback refuses names that are not, which a web page may have made up', async () => {
    await using server = await start([() => plain(200, 'x')]);

    const foreign = await ask(server.port, '/', { host: 'evil.example.com' });
    const localhost = await ask(server.port, '/', { host: `localhost:${server.port}` });

    assert.equal(foreign.status, 403);
    assert.equal(localhost.status, 200);
  });

  test('keeps the cause of a failure for the log', async () => {
    const logged: LogFields[] = [];
    const error = (_message: string, fields: LogFields = {}) => logged.push(fields);
    await using server = await serveRoutes({
      routes: [() => Promise.reject(new Error('the cause'))],
      port: 0,
      logger: { ...silentLogger, error },
    });

    const answer = await ask(server.port, '/x?token=abc');

    assert.deepEqual([answer.status, answer.body], [500, 'Internal error\n']);
    assert.equal(logged[0]?.['path'], '/x');
    assert.match(String(logged[0]?.['err']), /the cause/);
  });

  test('stops while a route still thinks and a connection idles', async () => {
    let isAborted = false;
    let think = () => {};
    const thinking = new Promise<void>((resolve) => {
      think = resolve;
    });
    const server = await start([
      ({ signal }) =>
        new Promise((_, reject) => {
          think();
          signal.addEventListener('abort', () => {
            isAborted = true;
            reject(signal.reason as Error);
          });
        }),
    ]);
    const idle = connect(server.port, '127.0.0.1');
    await once(idle, 'connect');
    const answer = ask(server.port, '/').catch((error: unknown) => error);
    await thinking;

    await server[Symbol.asyncDispose]();

    assert.ok(isAborted);
    assert.ok((await answer) instanceof Error);
    idle.destroy();
  });

  test('tells when the port is taken', async () => {
    await using first = await start([]);

    await assert.rejects(
      serveRoutes({ routes: [], port: first.port, logger: silentLogger }),
      /EADDRINUSE/,
    );
  });
});

function start(routes: readonly Route[]) {
  return serveRoutes({ routes, port: 0, logger: silentLogger });
}

async function ask(
  port: number,
  path: string,
  { method = 'GET', host }: { method?: string; host?: string } = {},
) {
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    method,
    agent: false,
    headers: host === undefined ? {} : { host },
  });
  request.end();
  const [response] = await once(request, 'response');
  let body = '';
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode as number, headers: response.headers, body };
}
