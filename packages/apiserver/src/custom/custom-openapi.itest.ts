import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { startInMemory } from '../testing/start-in-memory.ts';
import { CRDS, define, merge, version, widgets } from './widgets.cases.ts';

const V3 = '/openapi/v3/apis/example.com/v1';

describe('OpenAPI of custom kinds', () => {
  test('has every path, with what kubectl reads from it', async () => {
    await using server = await startInMemory();
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
    await define(
      server,
      widgets({ versions: [version('v1', { subresources: { status: {}, scale } })] }),
    );

    const { paths, components } = (await server.send(`GET ${V3}`)).json();

    const root = '/apis/example.com/v1/namespaces/{namespace}/widgets';
    assert.deepEqual(Object.keys(paths).sort(), [
      root,
      `${root}/{name}`,
      `${root}/{name}/scale`,
      `${root}/{name}/status`,
      '/apis/example.com/v1/widgets',
    ]);
    const { patch } = paths[`${root}/{name}`];
    assert.deepEqual(patch['x-kubernetes-group-version-kind'], {
      group: 'example.com',
      version: 'v1',
      kind: 'Widget',
    });
    assert.deepEqual(
      patch.parameters.map(({ name }: { name: string }) => name),
      ['dryRun', 'fieldManager', 'fieldValidation', 'force'],
    );
    const schemas = Object.keys(components.schemas);
    const references = JSON.stringify({ paths, components }).matchAll(
      /#\/components\/schemas\/([^"]+)"/g,
    );
    for (const [, name = ''] of references) assert.ok(schemas.includes(name), name);
  });

  test('moves to another URL when its definition changes, and only then', async () => {
    await using server = await startInMemory();
    await define(server);
    const url = async () =>
      (await server.send('GET /openapi/v3')).json().paths['apis/example.com/v1'].serverRelativeURL;
    const before = await url();
    assert.equal((await server.send(`GET ${before}`)).status, 200);

    await merge(server, `${CRDS}/widgets.example.com`, { metadata: { labels: { x: 'y' } } });
    assert.equal(await url(), before);
    const schema = {
      openAPIV3Schema: { type: 'object', properties: { other: { type: 'string' } } },
    };
    await merge(server, `${CRDS}/widgets.example.com`, {
      spec: { versions: [version('v1', { schema })] },
    });

    assert.notEqual(await url(), before);
    assert.equal((await server.send(`GET ${before}`)).status, 301);
    await server.send(`DELETE ${CRDS}/widgets.example.com`);
    await server.api.settled();
    assert.equal((await server.send(`GET ${V3}`)).status, 404);
  });

  test('is part of the one document of version 2', async () => {
    await using server = await startInMemory();
    const plain = await server.send('GET /openapi/v2');
    await define(server);

    const whole = await server.send('GET /openapi/v2');

    assert.ok(whole.json().definitions['com.example.v1.Widget']);
    assert.ok(whole.json().definitions['io.k8s.api.core.v1.Pod']);
    assert.ok(whole.json().paths['/apis/example.com/v1/widgets']);
    assert.notEqual(whole.headers['etag'], plain.headers['etag']);
    const packed = await server.send('GET /openapi/v2', { headers: { 'accept-encoding': 'gzip' } });
    assert.deepEqual(JSON.parse(String(gunzipSync(packed.body))), whole.json());
  });
});
