import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeWrite, isWrite } from './describe-write.ts';

function told(method: string, path: string, body?: object): string {
  return describeWrite({ method, path, body: Buffer.from(body ? JSON.stringify(body) : '') });
}

describe('a write is named', () => {
  test('after what it is done to, with or without a namespace', () => {
    assert.equal(told('POST', '/api/v1/namespaces'), 'POST namespaces');
    assert.equal(told('DELETE', '/api/v1/namespaces/x'), 'DELETE namespaces');
    assert.equal(told('POST', '/api/v1/namespaces/x/secrets?fieldManager=y'), 'POST secrets');
    assert.equal(told('DELETE', '/api/v1/namespaces/x/secrets/one'), 'DELETE secrets');
    const path = '/apis/multicluster.oam.dev/v1alpha1/namespaces/x/clusterregistrations/one/status';
    assert.equal(told('PATCH', path, { status: {} }), 'PATCH clusterregistrations/status');
    const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    assert.equal(told('POST', review, { kind: 'SelfSubjectReview' }), 'POST selfsubjectreviews');
  });

  test('after what a patch changes, and what an event tells', () => {
    const body = { metadata: { uid: 'u', resourceVersion: '1', labels: {} }, data: {} };
    assert.equal(
      told('PATCH', '/api/v1/namespaces/x/secrets/one', body),
      'PATCH secrets data labels',
    );
    const events = '/apis/events.k8s.io/v1/namespaces/x/events';
    assert.equal(told('POST', events, { reason: 'Renamed' }), 'POST events Renamed');
  });

  test('even when its body cannot be read', () => {
    const body = Buffer.from('{');
    assert.equal(describeWrite({ method: 'PATCH', path: '/api/v1/nodes/a', body }), 'PATCH nodes');
  });
});

test('looking is no write', () => {
  assert.deepEqual(['GET', 'HEAD', 'OPTIONS', undefined].filter(isWrite), []);
  assert.ok(['POST', 'PUT', 'PATCH', 'DELETE'].every(isWrite));
});
