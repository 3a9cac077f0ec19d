import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ROOT_TENANT } from '../storage/store.ts';
import { type Sent, startInMemory, type TestServer } from '../testing/start-in-memory.ts';

const DEFAULT = '/api/v1/namespaces/default';
const WEB = '/apis/apps/v1/namespaces/default/deployments/web';
const MERGE = { 'content-type': 'application/merge-patch+json' };

describe('a dry run', () => {
  const writes: readonly [request: string, status: number, sent?: Sent][] = [
    [`POST ${DEFAULT}/configmaps`, 201, { body: { metadata: { name: 'new' } } }],
    [
      `POST ${DEFAULT}/configmaps`,
      201,
      { body: { metadata: { name: 'new', resourceVersion: '123' } } },
    ],
    [`POST ${DEFAULT}/configmaps`, 201, { body: { metadata: { generateName: 'new-' } } }],
    [
      `POST ${DEFAULT}/services`,
      201,
      { body: { metadata: { name: 's' }, spec: { ports: [{ port: 1 }] } } },
    ],
    ['POST /api/v1/namespaces', 201, { body: { metadata: { name: 'team' } } }],
    [`PUT ${DEFAULT}/configmaps/a`, 200, { body: { metadata: { name: 'a' }, data: { k: '2' } } }],
    [`PATCH ${DEFAULT}/configmaps/a`, 200, { body: '{"data":{"k":"2"}}', headers: MERGE }],
    [
      `PATCH ${DEFAULT}/configmaps/held`,
      200,
      { body: '{"metadata":{"finalizers":null}}', headers: MERGE },
    ],
    [`PATCH ${WEB}/status`, 200, { body: '{"status":{"replicas":2}}', headers: MERGE }],
    [`PATCH ${WEB}/scale`, 200, { body: '{"spec":{"replicas":2}}', headers: MERGE }],
    [`DELETE ${DEFAULT}/configmaps/a`, 200],
    [`DELETE ${WEB}`, 200],
    [`DELETE ${DEFAULT}/configmaps`, 200],
    [`DELETE ${DEFAULT}/pods/p`, 200],
    ['DELETE /api/v1/namespaces/doomed', 200],
    [
      `POST ${DEFAULT}/pods/p/eviction`,
      201,
      { body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } } },
    ],
    [
      `POST ${DEFAULT}/pods/p/binding`,
      201,
      { body: { metadata: { name: 'p' }, target: { name: 'n' } } },
    ],
  ];

  test('of any write answers like the write and leaves no trace', async () => {
    await using server = await startWithObjects();
    const before = server.store.revision(ROOT_TENANT);

    for (const [request, status, sent] of writes) {
      const dry = await server.send(`${request}?dryRun=All`, sent);
      assert.equal(dry.status, status, `${request} ${dry.text()}`);
      await server.api.settled();
      assert.equal(server.store.revision(ROOT_TENANT), before, request);
    }
  });

  test('of a delete may be asked for in the body as well', async () => {
    await using server = await startWithObjects();

    const dry = await server.send(`DELETE ${DEFAULT}/configmaps/a`, { body: { dryRun: ['All'] } });

    assert.equal(dry.status, 200);
    assert.equal((await server.send(`GET ${DEFAULT}/configmaps/a`)).status, 200);
  });

  test('is refused for the same reasons as the write', async () => {
    await using server = await startWithObjects();
    const stale = { metadata: { name: 'a', resourceVersion: '1' } };

    const answers = await Promise.all([
      server.send(`POST ${DEFAULT}/configmaps?dryRun=All`, { body: { metadata: { name: 'a' } } }),
      server.send(`POST ${DEFAULT}/configmaps?dryRun=All`, { body: { metadata: { name: 'A' } } }),
      server.send(`PUT ${DEFAULT}/configmaps/a?dryRun=All`, { body: stale }),
      server.send(`DELETE ${DEFAULT}/configmaps/none?dryRun=All`),
      server.send(`POST ${DEFAULT}/configmaps?dryRun=All`, { body: {}, as: 'stranger' }),
    ]);

    assert.deepEqual(
      answers.map(({ status }) => status),
      [409, 422, 409, 404, 403],
    );
  });
});

async function startWithObjects(): Promise<TestServer> {
  const server = await startInMemory();
  const labels = { a: 'b' };
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const objects: readonly [path: string, body: object][] = [
    [`${DEFAULT}/configmaps`, { metadata: { name: 'a' }, data: { k: '1' } }],
    [`${DEFAULT}/configmaps`, { metadata: { name: 'held', finalizers: ['example.com/wait'] } }],
    [`${DEFAULT}/pods`, { metadata: { name: 'p' }, spec }],
    ['/api/v1/namespaces', { metadata: { name: 'doomed' } }],
    [
      '/apis/apps/v1/namespaces/default/deployments',
      {
        metadata: { name: 'web' },
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
      },
    ],
  ];
  for (const [path, body] of objects) {
    const created = await server.send(`POST ${path}`, { body });
    assert.equal(created.status, 201, created.text());
  }
  await server.send(`DELETE ${DEFAULT}/configmaps/held`);
  await server.api.settled();
  return server;
}
