import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { builtinRegistry } from './builtin-registry.ts';

describe('the registry', () => {
  const registry = builtinRegistry();

  test('finds a resource only in the group and version that serve it', () => {
    assert.equal(registry.find('apps', 'v1', 'deployments')?.kind, 'Deployment');
    assert.equal(registry.find('', 'v1', 'deployments'), undefined);
    assert.equal(registry.find('apps', 'v1beta1', 'deployments'), undefined);
    assert.equal(registry.find('apps', 'v1', 'deployments/scale'), undefined);
    assert.equal(registry.find('apps', 'v1', '__proto__'), undefined);
  });

  test('makes a definition once', () => {
    assert.equal(registry.find('', 'v1', 'pods'), registry.find('', 'v1', 'pods'));
  });

  test('knows what lies below a resource and of which kind it is', () => {
    const subresources = registry.find('', 'v1', 'pods')?.subresources;

    assert.deepEqual(subresources?.get('eviction'), {
      name: 'eviction',
      kind: 'Eviction',
      group: 'policy',
      version: 'v1',
      verbs: ['create'],
    });
    assert.equal(subresources?.get('scale'), undefined);
  });

  test('keeps the versions of one kind under one key', () => {
    const core = registry.find('', 'v1', 'events');
    const own = registry.find('events.k8s.io', 'v1', 'events');

    assert.equal(own?.prefix, core?.prefix);
    assert.equal(core?.conversion, undefined);
    assert.ok(own?.conversion);
  });

  test('stores every kind once, and no kind that is only a question', () => {
    const stored = registry.stored();
    const prefixes = stored.map(({ prefix }) => prefix);

    assert.equal(new Set(prefixes).size, prefixes.length);
    assert.ok(stored.some(({ resource }) => resource === 'pods'));
    assert.ok(!stored.some(({ resource }) => resource === 'subjectaccessreviews'));
    assert.ok(!stored.some(({ resource }) => resource === 'bindings'));
  });
});
