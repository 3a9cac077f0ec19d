import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@flotilla/machinery';
import { createOverlay } from './overlay.ts';

const key = { namespace: 'default', name: 'x' };

describe('an overlay', () => {
  test('has our write until the cache has it, or something newer', () => {
    const { overlay, cache } = setUp('9');
    overlay.wrote(version('10'));
    assert.equal(seen(overlay), '10');
    cache.object = version('9');
    assert.equal(seen(overlay), '10');
    cache.object = version('10');
    assert.equal(seen(overlay), '10');
    assert.equal(overlay.size, 0);
    overlay.wrote(version('11'));
    cache.object = version('100');
    assert.equal(seen(overlay), '100');
  });

  test('does not bring back what was deleted or made anew', () => {
    const { overlay, cache } = setUp('9');
    overlay.wrote(version('10'));
    cache.object = undefined;
    assert.equal(seen(overlay), undefined);
    cache.object = version('9');
    overlay.wrote(version('10'));
    cache.object = version('8', 'another');
    assert.equal(overlay.get(key)?.metadata.uid, 'another');
  });

  test('does not keep a write that the cache was quicker to bring', () => {
    const { overlay } = setUp('12');
    overlay.wrote(version('10'));
    assert.equal(overlay.size, 0);
  });

  test('lets the cache win once it moves, where versions cannot be compared', () => {
    const { overlay, cache } = setUp('abc');
    overlay.wrote(version('def'));
    assert.equal(seen(overlay), 'def');
    cache.object = version('ghi');
    assert.equal(seen(overlay), 'ghi');
  });

  test('forgets, so that a write which others have overtaken does not stay in the way', () => {
    const { overlay } = setUp('9');
    overlay.wrote(version('10'));
    overlay.forget(key);
    assert.equal(seen(overlay), '9');
  });

  test('knows what we have finished with for as long as the cache has it, and nothing of that name made anew', () => {
    const { overlay, cache } = setUp('9');
    overlay.released(version('9'));
    assert.ok(overlay.isReleased(version('9')));
    assert.ok(!overlay.isReleased(version('12', 'another')));
    overlay.forget(key);
    assert.ok(!overlay.isReleased(version('9')));
    cache.object = undefined;
    overlay.released(version('9'));
    assert.ok(!overlay.isReleased(version('9')));
  });
});

function setUp(resourceVersion: string) {
  const cache: { object: KubeObject | undefined } = { object: version(resourceVersion) };
  return { cache, overlay: createOverlay<KubeObject>({ get: () => cache.object }) };
}

const seen = (overlay: ReturnType<typeof setUp>['overlay']) =>
  overlay.get(key)?.metadata.resourceVersion;

const version = (resourceVersion: string, uid = 'u'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { ...key, uid, resourceVersion },
});
