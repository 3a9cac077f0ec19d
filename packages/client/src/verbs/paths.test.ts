import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deployments, Nodes, Pods } from '../kinds.ts';
import { collectionPath, objectPath, withQuery } from './paths.ts';

test('paths follow group, scope and subresource', () => {
  assert.equal(collectionPath(Pods), '/api/v1/pods');
  assert.equal(collectionPath(Pods, 'a'), '/api/v1/namespaces/a/pods');
  assert.equal(collectionPath(Nodes, 'a'), '/api/v1/nodes');
  assert.equal(
    objectPath(Deployments, { namespace: 'a', name: 'b', subresource: 'status' }),
    '/apis/apps/v1/namespaces/a/deployments/b/status',
  );
  assert.equal(objectPath(Nodes, { name: 'system:x y' }), '/api/v1/nodes/system%3Ax%20y');
});

test('names that would lead elsewhere are refused', () => {
  for (const name of ['', '.', '..', 'a/b', 'a%2fb']) {
    assert.throws(() => objectPath(Nodes, { name }), TypeError, name);
    assert.throws(() => objectPath(Pods, { namespace: name, name: 'x' }), TypeError, name);
  }
});

test('queries leave out what was not said, and repeat lists', () => {
  assert.equal(withQuery('/x', { a: undefined, b: false, c: '' }), '/x');
  assert.equal(withQuery('/x', { a: 0, b: true, c: ['1', '&'] }), '/x?a=0&b=true&c=1&c=%26');
});
