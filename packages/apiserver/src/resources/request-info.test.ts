import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type RequestInfo, requestInfo } from './request-info.ts';

describe('what a request is about', () => {
  test('comes from method, path and query in the words policy uses', () => {
    const expected: Readonly<Record<string, string>> = {
      'GET /api/v1/pods': 'list  pods',
      'GET /api/v1/namespaces/n/pods': 'list n pods',
      'GET /api/v1/namespaces/n/pods/p': 'get n pods p',
      'HEAD /api/v1/namespaces/n/pods/p': 'get n pods p',
      'GET /api/v1/namespaces/n/pods?watch=true': 'watch n pods',
      'GET /api/v1/namespaces/n/pods?watch': 'watch n pods',
      'GET /api/v1/namespaces/n/pods?watch=False': 'list n pods',
      'GET /api/v1/namespaces/n/pods?watch=0': 'list n pods',
      'POST /api/v1/namespaces/n/pods': 'create n pods',
      'POST /api/v1/namespaces/n/pods/p/eviction': 'create n pods/eviction p',
      'PUT /apis/apps/v1/namespaces/n/deployments/d/scale': 'update n deployments/scale d',
      'PATCH /apis/apps/v1/namespaces/n/deployments/d': 'patch n deployments d',
      'DELETE /api/v1/namespaces/n/pods/p': 'delete n pods p',
      'DELETE /api/v1/namespaces/n/pods': 'deletecollection n pods',
      'OPTIONS /api/v1/namespaces/n/pods': ' n pods',
    };
    for (const [request, words] of Object.entries(expected)) assert.equal(read(request), words);
  });

  test('is a namespace, not something in it, where only the namespace is named', () => {
    assert.equal(read('GET /api/v1/namespaces'), 'list  namespaces');
    assert.equal(read('GET /api/v1/namespaces/n'), 'get n namespaces n');
    assert.equal(read('PUT /api/v1/namespaces/n/status'), 'update n namespaces/status n');
    assert.equal(read('PUT /api/v1/namespaces/n/finalize'), 'update n namespaces/finalize n');
  });

  test('is a get when one object is named, even with watch=true', () => {
    assert.equal(read('GET /api/v1/namespaces/n/pods/p?watch=true'), 'get n pods p');
  });

  test('is a watch by the deprecated path, with or without a name', () => {
    assert.equal(read('GET /api/v1/watch/pods'), 'watch  pods');
    assert.equal(read('GET /api/v1/watch/namespaces/n/pods/p'), 'watch n pods p');
  });

  test('has its own verb for the abandoned proxy path, so that no right to get opens it', () => {
    assert.equal(read('GET /api/v1/proxy/namespaces/n/pods/p/rest'), 'proxy n pods p');
  });

  test('names the object that a field selector asks for, in lists and watches only', () => {
    const query = 'fieldSelector=metadata.name%3Dp';
    assert.equal(read(`GET /api/v1/namespaces/n/pods?${query}`), 'list n pods p');
    assert.equal(read(`GET /api/v1/namespaces/n/pods?watch=1&${query}`), 'watch n pods p');
    assert.equal(read(`DELETE /api/v1/namespaces/n/pods?${query}`), 'deletecollection n pods');
    const other = 'fieldSelector=metadata.name!%3Dp';
    assert.equal(read(`GET /api/v1/namespaces/n/pods?${other}`), 'list n pods');
  });

  test('is no resource for discovery and everything outside the API', () => {
    for (const path of [
      '/',
      '/api',
      '/api/v1',
      '/apis',
      '/apis/apps',
      '/apis/apps/v1',
      '/healthz',
    ]) {
      const found = info(`GET ${path}`);
      assert.equal(found.isResource, false, path);
      assert.equal(found.verb, 'get');
      assert.equal(found.path, path);
    }
    assert.equal(info('GET /version/api/v1/pods').isResource, false);
  });

  test('keeps a broken escape as it stands instead of failing', () => {
    assert.equal(read('GET /api/v1/namespaces/n/pods/%E0%A4%A'), 'get n pods %E0%A4%A');
  });
});

function info(request: string): RequestInfo {
  const [method = '', target = ''] = request.split(' ');
  const [path = '', query] = target.split('?');
  return requestInfo(method, path, new URLSearchParams(query));
}

function read(request: string): string {
  const { verb, namespace, resource, subresource, name, isResource } = info(request);
  assert.ok(isResource, request);
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  return [verb, namespace, what, ...(name === '' ? [] : [name])].join(' ');
}
