import assert from 'node:assert/strict';
import { test } from 'node:test';
import { impersonationHeaders } from './impersonation-headers.ts';

test('an identity becomes the headers that client-go writes', () => {
  assert.deepEqual(
    impersonationHeaders({
      user: 'Jürgen',
      uid: '7',
      groups: ['a', 'b,c'],
      extra: { 'example.org/Team%': ['x', 'y'], none: [] },
    }),
    {
      // One character for each byte of UTF-8.
      'impersonate-user': 'J\u00c3\u00bcrgen',
      'impersonate-uid': '7',
      'impersonate-group': ['a', 'b,c'],
      'impersonate-extra-example.org%2FTeam%25': ['x', 'y'],
    },
  );
  assert.deepEqual(impersonationHeaders({ user: 'bob' }), { 'impersonate-user': 'bob' });
});
