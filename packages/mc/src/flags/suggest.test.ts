import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearNames, suggestion } from './suggest.ts';

test('a misspelt name finds its near ones, nearest first', () => {
  const names = ['prod-us-1', 'prod-us-2', 'prod-eu-1', 'dev'];
  assert.deepEqual(nearNames('prdo-us-1', names), ['prod-us-1', 'prod-us-2']);
  assert.deepEqual(nearNames('PROD-EU-1', names), ['prod-eu-1', 'prod-us-1']);
  assert.deepEqual(nearNames('gte', ['get', 'set', 'top']), ['get']);
  assert.deepEqual(nearNames('prod', names), ['prod-eu-1', 'prod-us-1', 'prod-us-2']);
  assert.deepEqual(nearNames('staging', names), []);
});

test('suggestions are told as kubectl tells them', () => {
  assert.equal(suggestion([]), '');
  assert.equal(suggestion(['a', 'b']), '\n\nDid you mean this?\n\ta\n\tb');
});
