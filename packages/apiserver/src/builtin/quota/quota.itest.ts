import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../authn/manual-clock.ts';
import { startInMemory, type TestServer } from '../../testing/start-in-memory.ts';

const BASE = '/api/v1/namespaces/default';
const MERGE = { 'content-type': 'application/merge-patch+json' };

test('a new quota shows its limits and what is used of them', async () => {
  await using server = await startInMemory();
  await configMap(server, 'a');
  await configMap(server, 'b');
  await quota(server, { hard: { configmaps: '10', 'count/secrets': 5, 'requests.cpu': '1.5' } });

  assert.deepEqual(await status(server), {
    hard: { configmaps: '10', 'count/secrets': '5', 'requests.cpu': '1500m' },
    used: { configmaps: '3', 'count/secrets': '0', 'requests.cpu': '0' },
  });
});

test('what goes is given back, and a changed limit shows', async () => {
  await using server = await startInMemory();
  await configMap(server, 'a');
  await configMap(server, 'b');
  await quota(server, { hard: { configmaps: '10' } });

  await server.send(`DELETE ${BASE}/configmaps/a`);
  await server.api.settled();
  assert.equal((await status(server)).used.configmaps, '2');

  await server.send(`PATCH ${BASE}/resourcequotas/q`, {
    body: { spec: { hard: { configmaps: '20', secrets: '1' } } },
    headers: MERGE,
  });
  await server.api.settled();
  assert.deepEqual(await status(server), {
    hard: { configmaps: '20', secrets: '1' },
    used: { configmaps: '2', secrets: '0' },
  });
});

test('a pod that ends gives back what it computed with', async () => {
  await using server = await startInMemory();
  const made = await server.send(`POST ${BASE}/pods`, {
    body: {
      metadata: { name: 'p' },
      spec: {
        containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '300m' } } }],
      },
    },
  });
  assert.equal(made.status, 201, made.text());
  await quota(server, { hard: { pods: '5', cpu: '1', 'count/pods': '5' } });
  assert.deepEqual((await status(server)).used, { pods: '1', cpu: '300m', 'count/pods': '1' });

  await server.send(`PATCH ${BASE}/pods/p/status`, {
    body: { status: { phase: 'Succeeded' } },
    headers: MERGE,
  });
  await server.api.settled();

  assert.deepEqual((await status(server)).used, { pods: '0', cpu: '0', 'count/pods': '1' });
});

test('a quota with scopes counts only what they speak of', async () => {
  await using server = await startInMemory();
  for (const [name, requests] of [
    ['firm', { cpu: '1' }],
    ['bare', {}],
  ] as const) {
    await server.send(`POST ${BASE}/pods`, {
      body: {
        metadata: { name },
        spec: { containers: [{ name: 'c', image: 'i', resources: { requests } }] },
      },
    });
  }
  await quota(server, { hard: { pods: '5' }, scopes: ['BestEffort'] });

  assert.deepEqual((await status(server)).used, { pods: '1' });
});

test('time is looked at every five minutes', async () => {
  const clock = new ManualClock('2026-01-01T00:00:00Z');
  await using server = await startInMemory({ clock });
  await quota(server, { hard: { configmaps: '10' } });
  const before = (await status(server)).used.configmaps;
  await configMap(server, 'late');
  await server.api.settled();

  clock.advance(300_000);
  await server.api.settled();

  assert.equal(Number((await status(server)).used.configmaps), Number(before) + 1);
});

async function configMap(server: TestServer, name: string): Promise<void> {
  const made = await server.send(`POST ${BASE}/configmaps`, { body: { metadata: { name } } });
  assert.equal(made.status, 201, made.text());
}

async function quota(server: TestServer, spec: object): Promise<void> {
  const made = await server.send(`POST ${BASE}/resourcequotas`, {
    body: { metadata: { name: 'q' }, spec },
  });
  assert.equal(made.status, 201, made.text());
  await server.api.settled();
}

async function status(server: TestServer) {
  return (await server.send(`GET ${BASE}/resourcequotas/q`)).json().status;
}
