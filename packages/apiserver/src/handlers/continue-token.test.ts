import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeContinue, encodeContinue } from './continue-token.ts';

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

describe('a continue token', () => {
  test('brings back where the list stopped', () => {
    for (const token of [
      { rv: 7, start: 'default/a' },
      { rv: -1, start: 'node-1' },
    ]) {
      assert.deepEqual(decodeContinue(encodeContinue(token)), token);
    }
  });

  test('is refused when it leads out of the listing', () => {
    for (const start of ['../secrets/x', 'default/../../x', './a', 'a//b', '//a', '/', 'a/']) {
      refuses(encoded({ v: 'meta.k8s.io/v1', rv: 1, start }), start);
    }
  });

  test('is refused when it is no token', () => {
    const wrong: readonly unknown[] = [
      'not json',
      'null',
      '[]',
      '"text"',
      { v: 'meta.k8s.io/v2', rv: 1, start: 'a' },
      { v: 'meta.k8s.io/v1', rv: 0, start: 'a' },
      { v: 'meta.k8s.io/v1', rv: 1.5, start: 'a' },
      { v: 'meta.k8s.io/v1', rv: '1', start: 'a' },
      { v: 'meta.k8s.io/v1', rv: 1 },
      { v: 'meta.k8s.io/v1', rv: 1, start: '' },
      { v: 'meta.k8s.io/v1', rv: 1, start: 5 },
    ];
    for (const value of wrong) refuses(encoded(value), JSON.stringify(value));
    refuses('!!!!', 'no base64');
    refuses('a', 'cut short');
    refuses('A'.repeat(4097), 'too long');
  });
});

function refuses(token: string, why: string): void {
  assert.throws(
    () => decodeContinue(token),
    { code: 400, message: /^invalid continue token: continue key is not valid: / },
    why,
  );
}
