import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiRequest } from '../http/exchange.ts';
import { builtinRegistry } from '../resources/builtin-registry.ts';
import type { GroupVersion } from '../resources/registry.ts';
import { createDiscovery } from './discovery.ts';
import { serveDiscovery } from './serve.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const discovery = createDiscovery(() => builtinRegistry().groupVersions);
const serve = serveDiscovery(discovery, () => '127.0.0.1:6443');

describe('discovery', () => {
  test('prefers the first version of a group', () => {
    const group = answer('/apis/autoscaling').json();

    assert.deepEqual(group.preferredVersion, { groupVersion: 'autoscaling/v2', version: 'v2' });
    assert.deepEqual(
      group.versions.map(({ version }: { version: string }) => version),
      ['v2', 'v1'],
    );
  });

  test('tells subresources of other groups apart, and fingerprints what is stored', () => {
    const { resources } = answer('/api/v1').json();
    const named = (wanted: string) =>
      resources.find(({ name }: { name: string }) => name === wanted);

    assert.equal(named('pods/eviction').group, 'policy');
    assert.equal(named('pods/eviction').storageVersionHash, undefined);
    // Upstream's own hash of v1/Pod.
    assert.equal(named('pods').storageVersionHash, 'xPOwRZ+Yhw8=');
  });

  test('is unknown for groups and versions that are not served', () => {
    for (const path of ['/apis/nope', '/apis/apps/v0', '/api/v2', '/other']) {
      assert.equal(serve(request(path)), undefined, path);
    }
  });

  test('can only be read', () => {
    assert.throws(() => serve(request('/api/v1', {}, 'POST')), { code: 405 });
  });

  test('comes whole to those who like that best, and not again while nothing changed', () => {
    const whole = answer('/apis', { accept: `${AGGREGATED},application/json` });
    assert.equal(whole.headers['content-type'], AGGREGATED);
    assert.equal(whole.json().kind, 'APIGroupDiscoveryList');

    const etag = whole.headers['etag'] ?? '';
    const again = answer('/apis', { accept: AGGREGATED, 'if-none-match': etag });
    assert.equal(again.status, 304);

    const plain = answer('/apis', { accept: `application/json,${AGGREGATED}` });
    assert.equal(plain.json().kind, 'APIGroupList');
  });

  test('is written anew when what is served changes', () => {
    let served: readonly GroupVersion[] = [];
    const changing = createDiscovery(() => served);
    const before = changing.aggregated('apis', 'v2');
    assert.equal(changing.aggregated('apis', 'v2'), before);

    served = [{ group: 'example.com', version: 'v1', preferred: true, resources: [] }];

    const after = changing.aggregated('apis', 'v2');
    assert.notEqual(after.etag, before.etag);
    assert.match(after.bytes.toString(), /example\.com/);
  });
});

function request(path: string, headers: Record<string, string> = {}, method = 'GET'): ApiRequest {
  return { method, path, headers, query: new URLSearchParams() } as unknown as ApiRequest;
}

function answer(path: string, headers: Record<string, string> = {}) {
  const found = serve(request(path, headers));
  assert.ok(found, path);
  return {
    status: found.status,
    headers: found.headers as Record<string, string | undefined>,
    json: () => JSON.parse(String(found.body)),
  };
}
