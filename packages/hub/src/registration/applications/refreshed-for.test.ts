import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventDigest, REFRESHED_FOR, refreshedForToo, wasRefreshedFor } from './refreshed-for.ts';

describe('the events an Application was refreshed for', () => {
  test('are remembered side by side, the newest last', () => {
    const [one, other] = [eventDigest('one'), eventDigest('other')];
    const value = refreshedForToo({ [REFRESHED_FOR]: one }, other);

    assert.equal(value, `${one},${other}`);
    assert.ok(wasRefreshedFor({ [REFRESHED_FOR]: value }, one));
    assert.ok(wasRefreshedFor({ [REFRESHED_FOR]: value }, other));
    assert.ok(!wasRefreshedFor({ [REFRESHED_FOR]: value }, eventDigest('third')));
    assert.ok(!wasRefreshedFor({}, one));
  });

  test('are forgotten, oldest first, before they are a burden', () => {
    let annotations: Record<string, string> = {};
    for (let event = 0; event < 1000; event++) {
      annotations = { [REFRESHED_FOR]: refreshedForToo(annotations, eventDigest(`${event}`)) };
    }

    assert.ok((annotations[REFRESHED_FOR] ?? '').length < 1024);
    assert.ok(wasRefreshedFor(annotations, eventDigest('936')));
    assert.ok(!wasRefreshedFor(annotations, eventDigest('935')));
  });
});
