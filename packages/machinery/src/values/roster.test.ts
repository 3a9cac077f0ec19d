import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Enrolled, Roster } from './roster.ts';

test('a roster has who was added and not deleted, whoever goes first', () => {
  const roster = new Roster<Enrolled>();
  const [a, b, c] = [{ place: -1 }, { place: -1 }, { place: -1 }] as const;
  for (const one of [a, b, c]) roster.add(one);

  roster.delete(a);
  roster.delete(a);
  assert.deepEqual(new Set(roster.list()), new Set([b, c]));

  roster.delete(c);
  assert.deepEqual(roster.list(), [b]);

  roster.add(a);
  roster.delete(b);
  assert.deepEqual(roster.list(), [a]);
  assert.equal(roster.size, 1);
  roster.delete(a);
  assert.deepEqual(roster.list(), []);
  assert.equal(roster.size, 0);
});
