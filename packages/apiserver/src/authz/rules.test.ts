import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Attributes } from './attributes.ts';
import { type PolicyRule, ruleAllows } from './rules.ts';

describe('a rule', () => {
  test('allows only when verb, group and resource are all in it', () => {
    const rule = { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments'] };

    assert.equal(allows(rule, { verb: 'get', group: 'apps', resource: 'deployments' }), true);
    assert.equal(allows(rule, { verb: 'list', group: 'apps', resource: 'deployments' }), false);
    assert.equal(allows(rule, { verb: 'get', group: '', resource: 'deployments' }), false);
    assert.equal(allows(rule, { verb: 'get', group: 'apps', resource: 'daemonsets' }), false);
  });

  test('for a resource says nothing about what lies below it', () => {
    const rule = { verbs: ['*'], apiGroups: ['*'], resources: ['pods'] };

    assert.equal(allows(rule, { resource: 'pods' }), true);
    assert.equal(allows(rule, { resource: 'pods', subresource: 'exec' }), false);
  });

  test('may name subresources singly, of all resources, or everything', () => {
    const rule = (resource: string): PolicyRule => ({
      verbs: ['*'],
      apiGroups: ['*'],
      resources: [resource],
    });
    const scale = { resource: 'deployments', subresource: 'scale' };

    assert.equal(allows(rule('deployments/scale'), scale), true);
    assert.equal(allows(rule('*/scale'), scale), true);
    assert.equal(allows(rule('*'), scale), true);
    assert.equal(allows(rule('deployments/*'), scale), false);
    assert.equal(allows(rule('*/scale'), { resource: 'scale' }), false);
  });

  test('for named objects does not cover lists and creates, which name none', () => {
    const rule = { verbs: ['*'], apiGroups: [''], resources: ['secrets'], resourceNames: ['a'] };

    assert.equal(allows(rule, { resource: 'secrets', name: 'a' }), true);
    assert.equal(allows(rule, { resource: 'secrets', name: 'b' }), false);
    assert.equal(allows(rule, { resource: 'secrets', verb: 'list' }), false);
  });

  test('for paths does not cover resources, nor the other way round', () => {
    const paths = { verbs: ['get'], nonResourceURLs: ['/healthz', '/logs/*'] };
    const path = (text: string) => ({ isResource: false, path: text });

    assert.equal(allows(paths, path('/healthz')), true);
    assert.equal(allows(paths, path('/healthz/etcd')), false);
    assert.equal(allows(paths, path('/logs/a/b')), true);
    assert.equal(allows(paths, path('/logs')), false);
    assert.equal(allows(paths, { resource: 'pods' }), false);
    const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
    assert.equal(allows(everything, path('/healthz')), false);
  });
});

function allows(rule: PolicyRule, asked: Partial<Attributes>): boolean {
  return ruleAllows(rule, {
    user: { name: 'ann', groups: [] },
    verb: 'get',
    isResource: true,
    group: '',
    version: 'v1',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
    path: '',
    ...asked,
  });
}
