import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { respond } from '../handlers/respond.ts';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';
import type { Mount, MountedExchange } from './mount.ts';

const GROUP = 'widgets.example.com';
const WIDGETS = `/apis/${GROUP}/v1/widgets`;

describe('what a mounted group may do with its server', () => {
  test('it reads and writes other kinds, and sees what was written before', async () => {
    await using server = await start(async ({ ask }) => {
      const path = '/api/v1/namespaces/default/configmaps';
      const body = { metadata: { name: 'made' }, data: { a: 'b' } };
      await ask({ method: 'POST', path, body });
      const list = (await ask({ path: `${path}?labelSelector=!none` })) as { items: unknown[] };
      const all = (await ask({ path: '/api/v1/namespaces' })) as { kind: string };
      return { one: await ask({ path: `${path}/made` }), count: list.items.length, all: all.kind };
    });

    const { one, count, all } = (await server.send(`GET ${WIDGETS}/a`)).json();
    assert.deepEqual(one.data, { a: 'b' });
    assert.ok(count > 0);
    assert.equal(all, 'NamespaceList');
    // It is the server that asks, whoever asked the server.
    assert.equal((await server.send(`GET ${WIDGETS}/a`, { as: 'eve' })).status, 403);
  });

  test('what the server refuses is thrown, kinds that nobody serves too', async () => {
    const paths = [
      '/api/v1/namespaces/default/configmaps/none',
      '/apis/nobody.example.com/v1/things',
      '/api/v1/nothings',
    ];
    await using server = await start(async ({ ask }) => {
      const refusals = await Promise.allSettled(paths.map((path) => ask({ path })));
      return refusals.map((each) => (each.status === 'rejected' ? each.reason.code : 0));
    });

    assert.deepEqual((await server.send(`GET ${WIDGETS}/a`)).json(), [404, 404, 404]);
  });

  test('it lets every method through where it connects', async () => {
    await using server = await start(async ({ request }) => request.method);

    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await server.send(`${method} ${WIDGETS}/a/proxy/x`);
      assert.equal(answer.json(), method);
    }
    assert.equal((await server.send(`OPTIONS ${WIDGETS}/a`)).status, 405);
  });

  test('it gets a body as it arrives', async () => {
    await using server = await start(async ({ request }) => {
      let text = '';
      for await (const chunk of request.incoming() ?? []) text += String(chunk);
      return text;
    });

    const sent = await server.send(`POST ${WIDGETS}/a/proxy`, { body: 'some text' });
    assert.equal(sent.json(), 'some text');
    assert.equal((await server.send(`GET ${WIDGETS}/a/proxy`)).json(), '');
  });

  test('it hears when the server stops, and is closed after that', async () => {
    const heard: string[] = [];
    const server = await start(
      async ({ stopping }) => {
        stopping.addEventListener('abort', () => heard.push('stopping'));
        return {};
      },
      { close: () => heard.push('closed') },
    );
    await server.send(`GET ${WIDGETS}/a`);
    await server[Symbol.asyncDispose]();

    assert.deepEqual(heard, ['stopping', 'closed']);
  });

  test('its APIService names a service where it has one, also when it had none before', async () => {
    const path = `/apis/apiregistration.k8s.io/v1/apiservices/v1.${GROUP}`;
    const service = { namespace: 'a', name: 'b', port: 9443 };
    const before = await start(async () => ({}));
    const { store } = before;
    assert.equal((await before.send(`GET ${path}`)).json().spec.service, undefined);
    // Its store stays for the next one.
    await before.api[Symbol.asyncDispose]();

    await using after = await startInMemory({
      store,
      server: { mounts: [mount(async () => ({}), { service })] },
    });
    await after.api.settled();
    const { spec, status } = (await after.send(`GET ${path}`)).json();
    assert.deepEqual(spec.service, service);
    assert.equal(status.conditions[0].status, 'True');
  });
});

type Answer = (exchange: MountedExchange) => Promise<unknown>;

function mount(answer: Answer, options: Partial<Mount>): Mount {
  return {
    group: GROUP,
    version: 'v1',
    resources: [
      { name: 'widgets', kind: 'Widget', namespaced: false, verbs: ['get'] },
      { name: 'widgets/proxy', kind: 'Widget', namespaced: false, verbs: ['get'], connects: true },
    ],
    handle: async (exchange) => respond(200, await answer(exchange)),
    ...options,
  };
}

function start(answer: Answer, options: Partial<Mount> = {}): Promise<TestServer> {
  return startInMemory({ server: { mounts: [mount(answer, options)] } });
}
