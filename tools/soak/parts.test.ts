import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { figuresIn, PARTS, partEnvironment, soakOptions } from './parts.ts';

const [part] = PARTS.filter(({ name }) => name === 'kill');

describe('soak', () => {
  test('runs everything at full length unless told otherwise', () => {
    assert.deepEqual(soakOptions([]), { parts: PARTS, scale: 1, seed: undefined });
  });

  test('can be shortened, and runs chosen parts in their own order', () => {
    const options = soakOptions(['kill', '--scale', '0.001', 'storage-crash', '--seed', '7']);

    assert.deepEqual(
      options.parts.map(({ name }) => name),
      ['storage-crash', 'kill'],
    );
    assert.deepEqual(partEnvironment(part!, options), {
      FLOTILLA_KILL_ROUNDS: '1',
      FLOTILLA_SEED: '7',
    });
  });

  test('refuses parts nobody knows and scales that are none', () => {
    assert.throws(() => soakOptions(['sleep']), /Cannot soak "sleep": the parts are storage-crash/);
    assert.throws(() => soakOptions(['--scale', '0']), /Cannot use --scale "0"/);
    assert.throws(() => soakOptions(['--scale']), /Cannot use --scale ""/);
  });

  test('finds the figures among what the runner prints', () => {
    const output =
      '✔ a test (3ms)\n  \u2139 figure: kill -9: 3 rounds\n\u2139 round 1: 7\n\u2139 tests 1\n';

    assert.deepEqual(figuresIn(output, part!), ['kill -9: 3 rounds']);
  });
});
