import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createMemoryStore } from '../storage/memory.ts';
import { ROOT_TENANT } from '../storage/store.ts';
import { foreignLeaseMs } from './foreign-lease.ts';

const KEY = 'coordination.k8s.io/leases/kube-system/kube-controller-manager';
const RENEWED = '2026-01-01T00:00:00.000000Z';
const LED = { holderIdentity: 'kcm', leaseDurationSeconds: 15, renewTime: RENEWED };

describe('the leadership of a kube-controller-manager', () => {
  test('lasts as long as its lease was renewed for', async () => {
    assert.equal(await left(LED, '2026-01-01T00:00:05Z'), 10_000);
    assert.equal(await left(LED, '2026-01-01T00:00:14.999Z'), 1);
    assert.equal(await left(LED, '2026-01-01T00:00:15Z'), undefined);
  });

  test('is over when nobody holds the lease', async () => {
    assert.equal(await left({ ...LED, holderIdentity: '' }, RENEWED), undefined);
    const { holderIdentity: _none, ...unheld } = LED;
    assert.equal(await left(unheld, RENEWED), undefined);
  });

  test('is not assumed from a lease that does not say for how long', async () => {
    assert.equal(await left({ holderIdentity: 'kcm' }, RENEWED), undefined);
    assert.equal(await left({ ...LED, renewTime: 'soon' }, RENEWED), undefined);
    assert.equal(await left(undefined, RENEWED), undefined);
  });

  test('is not there without a lease', async () => {
    await using store = createMemoryStore({ now: () => 0 });
    assert.equal(foreignLeaseMs(store, ROOT_TENANT, new Date(RENEWED)), undefined);
  });
});

async function left(spec: object | undefined, now: string): Promise<number | undefined> {
  await using store = createMemoryStore({ now: () => 0 });
  const value = (): Buffer => Buffer.from(JSON.stringify({ metadata: {}, spec }));
  await store.write(ROOT_TENANT, { key: KEY, expect: 0, value });
  return foreignLeaseMs(store, ROOT_TENANT, new Date(now));
}
