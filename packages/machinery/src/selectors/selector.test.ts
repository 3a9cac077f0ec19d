import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as selectors from './selector.ts';

test('an absent selector selects nothing, an empty one everything', () => {
  const absent = selectors.labelSelectorAsSelector(undefined);
  const empty = selectors.labelSelectorAsSelector({});
  assert.equal(selectors.matchesLabels(absent, { a: 'b' }), false);
  assert.equal(selectors.matchesLabels(empty, {}), true);
  assert.equal(selectors.selectsEverything(empty), true);
  assert.equal(selectors.selectsEverything(absent), false);
});

test('a LabelSelector is printed in the order of its keys', () => {
  const selector = {
    matchLabels: { z: '1', b: '2' },
    matchExpressions: [
      { key: 'm', operator: 'NotIn', values: ['y', 'x'] },
      { key: 'a', operator: 'DoesNotExist' },
      { key: 'c', operator: 'Exists' },
    ],
  };
  assert.equal(selectors.formatLabelSelector(selector), '!a,b=2,c,m notin (x,y),z=1');
  assert.equal(selectors.formatLabelSelector(undefined), '<none>');
  assert.equal(selectors.formatLabelSelector({}), '<none>');
  const broken = { matchExpressions: [{ key: 'a', operator: 'Near' }] };
  assert.equal(selectors.formatLabelSelector(broken), '<error>');
});

test('an operator that does not exist is refused', () => {
  for (const operator of ['Near', 'constructor']) {
    assert.throws(
      () => selectors.labelSelectorAsSelector({ matchExpressions: [{ key: 'a', operator }] }),
      { message: `"${operator}" is not a valid label selector operator` },
    );
  }
});

test('labels become a selector and a text', () => {
  const labels = { b: '2', a: '1' };
  const selector = selectors.selectorFromLabels(labels);
  assert.equal(selectors.formatSelector(selector), 'a=1,b=2');
  assert.equal(selectors.matchesLabels(selector, { ...labels, c: '3' }), true);
  assert.equal(selectors.matchesLabels(selector, { a: '1' }), false);
  assert.equal(selectors.formatLabels(labels), 'a=1,b=2');
  assert.equal(selectors.formatLabels(undefined), '');
});
