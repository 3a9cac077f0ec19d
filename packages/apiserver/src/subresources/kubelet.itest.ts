import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';

const PODS = '/api/v1/namespaces/default/pods';

describe('what only a node could answer', () => {
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

    const unknown = await server.send(`POST ${PODS}/p/exec?container=z`);
    assert.equal(unknown.status, 400);
    assert.equal(unknown.json().message, 'container z is not valid for pod p');
    const unclear = await server.send(`POST ${PODS}/p/attach`);
    assert.equal(unclear.status, 400);
    assert.equal(
      unclear.json().message,
      'a container name must be specified for pod p, choose one of: [first a b]',
    );
  });

  test('is not dialled: there are no connections into pods yet', async () => {
    await using server = await startWithPod({ containers: ['c'], nodeName: 'node-1' });

    const exec = await server.send(`POST ${PODS}/p/exec`);
    assert.equal(exec.status, 500);
    assert.match(exec.json().message, /node "node-1"/);
    assert.equal((await server.send(`GET ${PODS}/p/proxy/`)).status, 400);
    assert.equal((await server.send(`POST ${PODS}/none/exec`)).status, 404);
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
