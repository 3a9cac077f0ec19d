import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startInMemory } from '../testing/start-in-memory.ts';

const CORE = '/api/v1/namespaces/default';

test('a quantity that is no quantity is refused, with integers of any size inside', async () => {
  await using server = await startInMemory();
  const body = '{"metadata":{"name":"q"},"spec":{"hard":{"pods":[9007199254740993]}}}';

  const { status } = await server.send(`POST ${CORE}/resourcequotas`, { body });

  assert.equal(status, 400);
});

test('resources named as members of every JavaScript object are resources nobody limits', async () => {
  await using server = await startInMemory();
  const odd = 'constructor';
  const resources = { requests: { [odd]: '1' }, limits: { cpu: '1' } };
  const pod = {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i', resources }], resources },
  };
  const limits = {
    metadata: { name: 'l' },
    spec: { limits: [{ type: 'Container', max: { cpu: '1' }, min: { [odd]: '1' } }] },
  };

  assert.equal((await server.send(`POST ${CORE}/pods`, { body: pod })).status, 422);
  assert.equal((await server.send(`POST ${CORE}/limitranges`, { body: limits })).status, 422);
});
