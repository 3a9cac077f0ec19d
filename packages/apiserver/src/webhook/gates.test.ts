import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Clock } from '../clock.ts';
import { createGates } from './gates.ts';

describe('gates', () => {
  test('let everyone in while the webhook answers', () => {
    const time = { ms: 0 };
    const gates = createGates(clockOf(time));
    const inside = Array.from({ length: 100 }, () => gates.enter('root', 'a'));
    time.ms = 5000;
    inside[0]?.('answered');

    for (let i = 0; i < 50; i += 1) gates.enter('root', 'a');
  });

  test('close once too many wait for a webhook that is silent', () => {
    const time = { ms: 0 };
    const gates = createGates(clockOf(time));
    const inside = Array.from({ length: 100 }, () => gates.enter('root', 'a'));
    time.ms = 1001;

    assert.throws(() => gates.enter('root', 'a'), /it does not answer, and 100 calls wait/);
    // One that gave up is no sign of life.
    inside[0]?.('failed');
    gates.enter('root', 'a');
    assert.throws(() => gates.enter('root', 'a'), /does not answer/);
  });

  test('of other webhooks stay open, until all of a tenant together are too many', () => {
    const time = { ms: 0 };
    const gates = createGates(clockOf(time));
    for (let i = 0; i < 100; i += 1) gates.enter('root', 'a');
    for (let i = 0; i < 50; i += 1) gates.enter('root', 'b');
    time.ms = 2000;

    assert.throws(() => gates.enter('root', 'b'), /50 calls wait/);
    gates.enter('root', 'c');
    gates.enter('other', 'd');
  });

  test('forget a webhook that nobody waits for', () => {
    const time = { ms: 0 };
    const gates = createGates(clockOf(time));
    for (const leave of Array.from({ length: 100 }, () => gates.enter('root', 'a')))
      leave('failed');
    time.ms = 9000;

    for (let i = 0; i < 100; i += 1) gates.enter('root', 'a');
  });
});

function clockOf(time: { ms: number }): Clock {
  return { now: () => new Date(time.ms), after: () => () => {} };
}
