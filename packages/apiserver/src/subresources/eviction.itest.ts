import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InjectedResponse } from '../http/inject.ts';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';

const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const VIOLATED = "Cannot evict pod as it would violate the pod's disruption budget.";

describe('eviction', () => {
  test('is a delete where no budget covers the pod', async () => {
    await using server = await startInMemory();
    await pod(server, 'p', { phase: 'Running' });

    const evicted = await evict(server, 'p');

    assert.equal(evicted.status, 201);
    assert.equal(evicted.json().status, 'Success');
    assert.equal((await server.send(`GET ${PODS}/p`)).status, 404);
  });

  test('spends the budget, and is refused when it is spent', async () => {
    await using server = await startInMemory();
    await pod(server, 'p', { phase: 'Running' });
    await pod(server, 'q', { phase: 'Running' });
    await budget(server, 'b', { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 });

    assert.equal((await evict(server, 'p')).status, 201);
    const { status } = (await server.send(`GET ${BUDGETS}/b`)).json();
    assert.equal(status.disruptionsAllowed, 0);
    assert.deepEqual(Object.keys(status.disruptedPods), ['p']);

    const refused = await evict(server, 'q');
    assert.equal(refused.status, 429);
    assert.equal(refused.json().message, VIOLATED);
    assert.deepEqual(refused.json().details.causes, [
      {
        reason: 'DisruptionBudget',
        message: 'The disruption budget b needs 1 healthy pods and has 2 currently',
      },
    ]);
    assert.equal((await server.send(`GET ${PODS}/q`)).status, 200);
  });

  test('lets only as many through at once as the budget allows', async () => {
    await using server = await startInMemory();
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await pod(server, name, { phase: 'Running' });
    await budget(server, 'b', { disruptionsAllowed: 2, currentHealthy: 5, desiredHealthy: 3 });

    const answers = await Promise.all(names.map((name) => evict(server, name)));

    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, 201, 429, 429, 429],
    );
  });

  test('waits for a budget that was changed and not looked at since', async () => {
    await using server = await startInMemory();
    await pod(server, 'p', { phase: 'Running' });
    await budget(server, 'b', { disruptionsAllowed: 1, observedGeneration: 0 });

    const refused = await evict(server, 'p');

    assert.equal(refused.status, 429);
    assert.equal(refused.json().details.retryAfterSeconds, 10);
    assert.equal(refused.headers['retry-after'], '10');
  });

  test('asks no budget about a pod that disturbs nobody by going', async () => {
    await using server = await startInMemory();
    for (const phase of ['Pending', 'Succeeded', 'Failed']) {
      await pod(server, phase.toLowerCase(), { phase });
    }
    await budget(server, 'b', { disruptionsAllowed: 0 });

    for (const name of ['pending', 'succeeded', 'failed']) {
      assert.equal((await evict(server, name)).status, 201, name);
    }
  });

  test('does not choose between two budgets', async () => {
    await using server = await startInMemory();
    await pod(server, 'p', { phase: 'Running' });
    await budget(server, 'b', { disruptionsAllowed: 1 });
    await budget(server, 'c', { disruptionsAllowed: 1 });

    const refused = await evict(server, 'p');

    assert.equal(refused.status, 500);
    assert.equal(
      refused.json().message,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  });

  test('as a dry run spends nothing, whether query or body ask for it', async () => {
    await using server = await startInMemory();
    await pod(server, 'p', { phase: 'Running' });
    await budget(server, 'b', { disruptionsAllowed: 1 });

    assert.equal((await evict(server, 'p', { query: '?dryRun=All' })).status, 201);
    assert.equal((await evict(server, 'p', { deleteOptions: { dryRun: ['All'] } })).status, 201);

    const { status } = (await server.send(`GET ${BUDGETS}/b`)).json();
    assert.equal(status.disruptionsAllowed, 1);
    assert.equal((await server.send(`GET ${PODS}/p`)).status, 200);
  });

  test('must mean the pod it is sent to', async () => {
    await using server = await startInMemory();
    await pod(server, 'p', { phase: 'Running' });

    const other = await server.send(`POST ${PODS}/p/eviction`, {
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'q' } },
    });
    assert.equal(other.status, 400);
    const replaced = await evict(server, 'p', {
      deleteOptions: { preconditions: { uid: 'an older one' } },
    });
    assert.equal(replaced.status, 409);
    assert.equal((await evict(server, 'none')).status, 404);
    assert.equal((await server.send(`GET ${PODS}/p`)).status, 200);
  });
});

async function evict(
  server: TestServer,
  name: string,
  { query = '', deleteOptions }: { query?: string; deleteOptions?: object } = {},
): Promise<InjectedResponse> {
  return server.send(`POST ${PODS}/${name}/eviction${query}`, {
    body: {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace: 'default' },
      ...(deleteOptions === undefined ? {} : { deleteOptions }),
    },
  });
}

async function pod(server: TestServer, name: string, status: object): Promise<void> {
  const created = await server.send(`POST ${PODS}`, {
    body: {
      metadata: { name, labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    },
  });
  assert.equal(created.status, 201, created.text());
  const conditions = [{ type: 'Ready', status: 'True' }];
  const body = { status: { ...status, conditions } };
  const patched = await server.send(`PATCH ${PODS}/${name}/status`, { body, headers: MERGE });
  assert.equal(patched.status, 200, patched.text());
}

async function budget(server: TestServer, name: string, status: object): Promise<void> {
  const created = await server.send(`POST ${BUDGETS}`, {
    body: {
      metadata: { name },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    },
  });
  assert.equal(created.status, 201, created.text());
  const counts = { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0, observedGeneration: 1 };
  const patched = await server.send(`PATCH ${BUDGETS}/${name}/status`, {
    body: { status: { ...counts, ...status } },
    headers: MERGE,
  });
  assert.equal(patched.status, 200, patched.text());
}
