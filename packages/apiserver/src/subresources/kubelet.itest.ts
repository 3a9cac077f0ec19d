import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';

const PODS = '/api/v1/namespaces/default/pods';

describe('what only a node could answer', () => {
  test('is an empty log for a pod that no node has', async () => {
    await using server = await startWithPod({ containers: ['c'] });

    const log = await server.send(`GET ${PODS}/p/log`);

    assert.equal(log.status, 204);
    assert.equal(log.body.length, 0);
  });

  test('is refused in words for exec and port-forward', async () => {
    await using server = await startWithPod({ containers: ['c'] });

    for (const path of ['exec?command=ls&container=c', 'attach', 'portforward']) {
      const refused = await server.send(`POST ${PODS}/p/${path}`);
      assert.equal(refused.status, 400, path);
      assert.equal(refused.json().message, 'pod p does not have a host assigned');
    }
  });

  test('is not hidden by a container that does not exist or was not chosen', async () => {
    await using server = await startWithPod({ containers: ['a', 'b'], init: ['first'] });

    const unknown = await server.send(`GET ${PODS}/p/log?container=z`);
    assert.equal(unknown.status, 400);
    assert.equal(unknown.json().message, 'container z is not valid for pod p');
    const unclear = await server.send(`GET ${PODS}/p/log`);
    assert.equal(unclear.status, 400);
    assert.equal(
      unclear.json().message,
      'a container name must be specified for pod p, choose one of: [a b] or one of the init containers: [first]',
    );
    assert.equal((await server.send(`GET ${PODS}/p/log?container=first`)).status, 204);
  });

  test('has its options checked first', async () => {
    await using server = await startWithPod({ containers: ['c'] });

    assert.equal((await server.send(`GET ${PODS}/p/log?tailLines=-1`)).status, 422);
    assert.equal((await server.send(`GET ${PODS}/p/log?sinceSeconds=0`)).status, 422);
    assert.equal((await server.send(`GET ${PODS}/p/log?tailLines=few`)).status, 400);
  });

  test('is not dialled: the server speaks to no node and to no address at all', async () => {
    await using server = await startWithPod({ containers: ['c'], nodeName: 'node-1' });

    const log = await server.send(`GET ${PODS}/p/log`);
    assert.equal(log.status, 500);
    assert.match(log.json().message, /node "node-1"/);
    assert.equal((await server.send(`GET ${PODS}/p/proxy/`)).status, 400);
    assert.equal((await server.send(`GET ${PODS}/none/log`)).status, 404);
  });
});

async function startWithPod(options: {
  containers: string[];
  init?: string[];
  nodeName?: string;
}): Promise<TestServer> {
  const server = await startInMemory();
  const made = (names: readonly string[]) => names.map((name) => ({ name, image: 'i' }));
  const { containers, init = [], nodeName } = options;
  const created = await server.send(`POST ${PODS}`, {
    body: {
      metadata: { name: 'p' },
      spec: {
        containers: made(containers),
        initContainers: made(init),
        ...(nodeName === undefined ? {} : { nodeName }),
      },
    },
  });
  assert.equal(created.status, 201, created.text());
  return server;
}
