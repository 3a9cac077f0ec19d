import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pathProblem, splitTarget } from './request-path.ts';

describe('pathProblem', () => {
  for (const path of [
    '/',
    '/api/v1/namespaces/default/pods',
    '/apis/',
    '/api/v1/namespaces/default/pods/a.b-c',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:masters',
    '/api/v1/namespaces/d%C3%A9fault/pods/x%20y',
    '/api/v1/namespaces/.hidden/pods/..x/a..b',
  ]) {
    test(`lets ${path} pass`, () => assert.equal(pathProblem(path), undefined));
  }

  for (const path of [
    '',
    '*',
    'api/v1',
    '//api/v1',
    '/api//v1',
    '/api/v1//',
    '/api/../metrics',
    '/api/v1/namespaces/..',
    '/api/v1/./pods',
    '/api/v1/namespaces/%2e%2e/pods',
    '/api/v1/namespaces/%2E./pods',
    '/api/v1/namespaces/a%2Fb/pods',
    '/api/v1/namespaces/a%2fpods',
    '/api/v1/namespaces/a%5cb',
    '/api/v1/namespaces/a\\b',
    '/api/v1/namespaces/a%00b/pods',
    '/api/v1/namespaces/a%0ab/pods',
  ]) {
    test(`finds nothing at ${JSON.stringify(path)}`, () => {
      const problem = pathProblem(path);

      assert.equal(problem?.code, 404);
      assert.equal(problem?.message, 'the server could not find the requested resource');
    });
  }

  for (const path of ['/api/%zz', '/api/%', '/api/%ff', '/api/%c3%28']) {
    test(`refuses ${path} as malformed`, () => assert.equal(pathProblem(path)?.code, 400));
  }
});

describe('splitTarget', () => {
  test('takes path and query apart', () => {
    assert.deepEqual(splitTarget('/a?b=1?c'), { path: '/a', search: 'b=1?c' });
    assert.deepEqual(splitTarget('/a'), { path: '/a', search: '' });
    assert.deepEqual(splitTarget('/a?'), { path: '/a', search: '' });
  });

  test('drops scheme and host of the absolute form', () => {
    assert.deepEqual(splitTarget('https://host:1/a?b'), { path: '/a', search: 'b' });
    assert.deepEqual(splitTarget('HTTP://host'), { path: '/', search: '' });
  });
});
