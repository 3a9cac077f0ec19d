import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseAddress } from './addresses.ts';

describe('parseAddress', () => {
  for (const [text, expected] of [
    ['10.0.0.1', { family: 4, text: '10.0.0.1', standard: true }],
    ['010.0.0.1', { family: 4, text: '10.0.0.1', standard: false }],
    ['2001:DB8::1', { family: 6, text: '2001:db8::1', standard: true }],
    ['::ffff:1.2.3.4', { family: 4, text: '1.2.3.4', standard: false }],
    ['256.0.0.1', undefined],
    ['1.2.3', undefined],
    ['fe80::1%eth0', undefined],
    ['x', undefined],
  ] as const) {
    test(`reads ${text}`, () => {
      assert.deepEqual(parseAddress(text), expected);
    });
  }
});
