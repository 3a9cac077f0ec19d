import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createMemoryStore } from '../storage/memory.ts';
import type { Store, Tenant } from '../storage/store.ts';
import { createNamespaceIndex } from './namespace-index.ts';

describe('the index of namespaces', () => {
  test('knows those from before it and those that come, change and go', async () => {
    await using store = createMemoryStore({ now: () => 0 });
    const old = await put(store, 'one', { name: 'old' });
    using index = createNamespaceIndex(store);
    assert.equal(index.state('one', 'old'), 'active');
    assert.equal(index.state('one', 'new'), 'missing');

    await put(store, 'one', { name: 'new' });
    assert.equal(index.state('one', 'new'), 'active');
    const ending = await put(store, 'one', { name: 'old', expect: old, deletionTimestamp: 'now' });
    assert.equal(index.state('one', 'old'), 'terminating');
    await store.write('one', { key: 'core/namespaces/old', expect: ending, value: undefined });
    assert.equal(index.state('one', 'old'), 'missing');
  });

  test('keeps tenants apart', async () => {
    await using store = createMemoryStore({ now: () => 0 });
    using index = createNamespaceIndex(store);
    assert.equal(index.state('two', 'team'), 'missing');

    await put(store, 'one', { name: 'team' });

    assert.equal(index.state('one', 'team'), 'active');
    assert.equal(index.state('two', 'team'), 'missing');
  });

  test('takes no other kind for a namespace', async () => {
    await using store = createMemoryStore({ now: () => 0 });
    using index = createNamespaceIndex(store);
    assert.equal(index.state('one', 'team'), 'missing');

    const value = (): Buffer => Buffer.from('{"metadata":{}}');
    await store.write('one', { key: 'core/nodes/team', expect: 0, value });

    assert.equal(index.state('one', 'team'), 'missing');
  });
});

async function put(
  store: Store,
  tenant: Tenant,
  { name, expect = 0, ...metadata }: { name: string; expect?: number; deletionTimestamp?: string },
): Promise<number> {
  const { revision } = await store.write(tenant, {
    key: `core/namespaces/${name}`,
    expect,
    value: () => Buffer.from(JSON.stringify({ metadata: { name, ...metadata } })),
  });
  return revision;
}
