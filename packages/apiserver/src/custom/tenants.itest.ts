import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPath } from '../http/derive.ts';
import { ROOT_TENANT } from '../storage/store.ts';
import { startInMemory } from '../testing/start-in-memory.ts';
import { CRDS, define, make, version, WIDGETS, widget, widgets } from './widgets.cases.ts';

test('two tenants have the same kind with different schemas, and know nothing of each other', async () => {
  await using server = await startInMemory({
    server: {
      resolveTenant: (request) =>
        request.path.startsWith('/other/')
          ? { tenant: 'other', request: withPath(request, request.path.slice('/other'.length)) }
          : { tenant: ROOT_TENANT, request },
    },
  });
  await server.store.createTenant('other', {
    uid: '00000000-0000-4000-8000-000000000009',
    createdAt: 0,
  });
  server.api.adopt('other');
  await define(server);
  assert.equal((await server.send(`GET /other${WIDGETS}`)).status, 404);
  assert.equal((await server.send('GET /other/apis/example.com')).status, 404);
  assert.equal((await server.send('GET /other/openapi/v3/apis/example.com/v1')).status, 404);

  const spec = { type: 'object', properties: { weight: { type: 'integer', default: 3 } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  await make(server, `/other${CRDS}`, widgets({ versions: [version('v1', { schema })] }));
  await server.api.settled();
  const ours = await make(server, WIDGETS, widget('a'));
  const theirs = await make(server, `/other${WIDGETS}`, widget('b'));

  assert.deepEqual(ours.spec, { color: 'red', size: 1 });
  assert.deepEqual(theirs.spec, { weight: 3 });
  assert.equal((await server.send(`GET /other${WIDGETS}/a`)).status, 404);
  const builtin = server.api.registries.builtin.groupVersions;
  assert.equal(server.api.registries.of('third').groupVersions, builtin, 'none of their own');
  await server.send(`DELETE ${CRDS}/widgets.example.com`);
  await server.api.settled();
  assert.equal((await server.send(`GET ${WIDGETS}`)).status, 404);
  assert.equal((await server.send(`GET /other${WIDGETS}/b`)).status, 200);
});
