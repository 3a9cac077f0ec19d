import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startInMemory, type TestServer } from '../../testing/start-in-memory.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const THINGS = '/apis/example.com/v1/namespaces/default/things';
const MAPS = '/api/v1/namespaces/default/configmaps';

test('custom objects own and are owned like any other', async () => {
  await using server = await startInMemory();
  await defineThings(server);
  const top = await thing(server, 'top');
  const middle = await thing(server, 'middle', [top]);
  await map(server, 'leaf', [middle]);
  await server.api.settled();
  assert.equal((await server.send(`GET ${MAPS}/leaf`)).status, 200);

  await server.send(`DELETE ${THINGS}/top?propagationPolicy=Foreground`);
  await server.api.settled();

  assert.equal((await server.send(`GET ${THINGS}/top`)).status, 404);
  assert.equal((await server.send(`GET ${THINGS}/middle`)).status, 404);
  assert.equal((await server.send(`GET ${MAPS}/leaf`)).status, 404);
});

test('a dependent of a kind that is not served yet is judged once it is', async () => {
  await using server = await startInMemory();
  const nobody = { apiVersion: 'example.com/v1', kind: 'Thing', name: 'nobody', uid: 'u-1' };
  await map(server, 'waiting', [nobody]);
  await server.api.settled();
  assert.equal((await server.send(`GET ${MAPS}/waiting`)).status, 200);

  await defineThings(server);
  await server.api.settled();

  assert.equal((await server.send(`GET ${MAPS}/waiting`)).status, 404);
});

test('orphaning takes the reference out of custom objects and nothing else', async () => {
  await using server = await startInMemory();
  await defineThings(server);
  const owner = await map(server, 'owner');
  await thing(server, 'kept', [owner]);

  await server.send(`DELETE ${MAPS}/owner?propagationPolicy=Orphan`);
  await server.api.settled();

  const kept = (await server.send(`GET ${THINGS}/kept`)).json();
  assert.equal(kept.metadata.ownerReferences, undefined);
  assert.deepEqual(kept.spec, { size: 3 });
  assert.equal((await server.send(`GET ${MAPS}/owner`)).status, 404);
});

async function defineThings(server: TestServer): Promise<void> {
  const made = await server.send(`POST ${CRDS}`, {
    body: {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: ['v1', 'v2'].map((name) => ({
          name,
          served: true,
          storage: name === 'v2',
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { size: { type: 'integer' } } },
              },
            },
          },
        })),
      },
    },
  });
  assert.equal(made.status, 201, made.text());
  await server.api.settled();
}

async function thing(server: TestServer, name: string, ownerReferences: object[] = []) {
  return create(server, THINGS, {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name, ownerReferences },
    spec: { size: 3 },
  });
}

async function map(server: TestServer, name: string, ownerReferences: object[] = []) {
  const metadata = { name, ownerReferences };
  return create(server, MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
}

async function create(
  server: TestServer,
  path: string,
  body: {
    apiVersion: string;
    kind: string;
    metadata: { name: string; ownerReferences: object[] };
  } & {
    spec?: object;
  },
) {
  const made = await server.send(`POST ${path}`, { body });
  assert.equal(made.status, 201, made.text());
  const { apiVersion, kind, metadata } = body;
  return {
    apiVersion,
    kind,
    name: metadata.name,
    uid: made.json().metadata.uid,
    blockOwnerDeletion: true,
  };
}
